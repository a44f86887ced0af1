import type { BesideSources, OfferedTool } from './request.js';
import type { SpanSource } from './span-map.js';

/** Tools and parameters whose sources are wanted. */
interface Beside {
  readonly tools?: readonly OfferedTool[];
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * The sources of tools and parameters. `find` is asked for each value, from the outside in, by its path
 * (`['tools', 0, 'description']`) and with it; what it knows nothing of, or tells as it told what lies around it, gets no entry.
 */
export function besideSources(
  beside: Beside,
  find: (path: readonly (string | number)[], value: unknown) => SpanSource | undefined,
): BesideSources {
  const sources: Record<string, SpanSource> = {};
  const open: { path: readonly (string | number)[]; pointer: string; value: unknown; around: string }[] = [
    { path: [], pointer: '', value: beside, around: '' },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, pointer, value, around } = next;
    const source = path.length < 2 ? undefined : find(path, value);
    const told = source === undefined ? around : JSON.stringify(source);
    if (source !== undefined && told !== around) sources[pointer] = source;
    if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) continue;
    for (const [key, each] of Object.entries(value)) {
      open.push({
        path: [...path, Array.isArray(value) ? Number(key) : key],
        pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        value: each,
        around: told,
      });
    }
  }
  return sources;
}

/** The sources of tools, each told by pointers into the tool; the empty one is all of it. */
export const toolSources = (
  tools: readonly OfferedTool[],
  sourcesOf: (name: string) => Readonly<Record<string, SpanSource>>,
): BesideSources =>
  Object.fromEntries(
    tools.flatMap(({ name }, index) =>
      Object.entries(sourcesOf(name)).map(([pointer, source]) => [`/tools/${index}${pointer}`, source]),
    ),
  );

/** Schemas are rarely deeper; what lies below comes from where the last thing above it does. */
const MAX_DEPTH = 24;
