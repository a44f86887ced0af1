import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { problemAt } from '../shape/read-shape.js';
import { unknownName } from './names.js';

/** An include of a prompt: which one, and where it is written. */
export interface Include {
  readonly name: string;
  readonly path: readonly PropertyKey[];
}

/** The includes of a prompt itself, in order. Asked for by every prompt that includes it, so looked for once. */
export function includesOf(data: PromptData): readonly Include[] {
  const known = KNOWN.get(data);
  if (known !== undefined) return known;
  const parts = typeof data.prompt === 'string' ? [] : data.prompt;
  const found = parts.flatMap((part, index): Include[] =>
    part.type === 'include' ? [{ name: part.prompt, path: ['prompt', index, 'prompt'] }] : [],
  );
  KNOWN.set(data, found);
  return found;
}

const KNOWN = new WeakMap<PromptData, readonly Include[]>();

/** Includes that lead nowhere, and each include that closes a cycle, with its path. Linear in all includes. */
export function checkIncludes(catalog: Catalog): readonly Diagnostic[] {
  const { sketches } = catalog;
  const prompts = new Map([
    ...sketches.prompts.map((each) => [each.name, each] as const),
    ...catalog.prompts,
  ]);
  const diagnostics: Diagnostic[] = [];
  const finished = new Set<string>();
  for (const root of [...prompts.values(), ...sketches.prompts]) {
    // One of two that share a name is looked at by itself.
    const isOther = prompts.get(root.name) !== root;
    if (finished.has(root.name) && !isOther) continue;
    const stack: Frame[] = [{ entry: root, includes: includesOf(root.data), next: 0 }];
    const open = new Set([root.name]);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const include = frame.includes[frame.next];
      frame.next += 1;
      if (include === undefined) {
        stack.pop();
        open.delete(frame.entry.name);
        finished.add(frame.entry.name);
        continue;
      }
      const { name, path } = include;
      const use = { by: frame.entry, path, name, kinds: ['prompt'] as const };
      diagnostics.push(...unknownName(catalog, use, 'E_INCLUDE_UNKNOWN'));
      const target = prompts.get(name);
      if (target === undefined) continue;
      if (guard('check.cycle', open.has(name))) {
        diagnostics.push(cycle(frame.entry, path, [...stack.map(({ entry }) => entry.name), name]));
      }
      if (open.has(name) || finished.has(name)) continue;
      open.add(name);
      stack.push({ entry: target, includes: includesOf(target.data), next: 0 });
    }
  }
  return diagnostics;
}

interface Frame {
  readonly entry: DefinitionEntry<PromptData>;
  readonly includes: readonly Include[];
  next: number;
}

function cycle(
  entry: DefinitionEntry<PromptData>,
  path: readonly PropertyKey[],
  names: readonly string[],
): Diagnostic {
  const name = names.at(-1) as string;
  const round = names.slice(names.indexOf(name));
  const message = `The prompt "${name}" includes itself: ${round.join(' -> ')}`;
  return problemAt(entry.source, path, { code: 'E_INCLUDE_CYCLE', severity: 'error', message });
}

/** The prompt and all that it includes, at any depth, each once; those that are not there are left out. */
export function includeClosure(
  catalog: Catalog,
  root: DefinitionEntry<PromptData>,
): readonly DefinitionEntry<PromptData>[] {
  const found = new Map([[root.name, root]]);
  const queue = [root];
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    for (const { name } of includesOf(entry.data)) {
      const target = catalog.prompts.get(name);
      if (target === undefined || found.has(name)) continue;
      found.set(name, target);
      queue.push(target);
    }
  }
  return [...found.values()];
}
