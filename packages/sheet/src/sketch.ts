import type { Sheet, SheetHistory, SheetInput, SheetPart } from './schema.js';

/**
 * A sheet of what fits in one that does not, so that the rest is looked at too. Items that do not fit are holes; an
 * input that does not fit is there without labels, because it is declared.
 */
export function sketchSheet(sketch: unknown, written: unknown): Sheet {
  const { blocks, inputs, tools, capabilities, params, title, meta, answer } = (sketch ??
    {}) as Partial<Sheet>;
  const named = Object.keys(recordAt(written, 'inputs')).map((name) => [name, {} as SheetInput] as const);
  return {
    ...(title === undefined ? {} : { title }),
    ...(meta === undefined ? {} : { meta }),
    ...(answer?.schema === undefined ? {} : { answer }),
    params: params ?? {},
    tools: (tools ?? []).filter(({ name }) => name !== undefined),
    capabilities: (capabilities ?? []).filter(() => true),
    inputs: { ...Object.fromEntries(named), ...inputs },
    blocks: (blocks ?? []).map(sketchEntry),
  };
}

function sketchEntry(entry: Sheet['blocks'][number]): Sheet['blocks'][number] {
  if ('parts' in entry || !('examples' in entry || 'history' in entry)) {
    return { ...entry, parts: fitting((entry as { readonly parts?: readonly SheetPart[] }).parts) };
  }
  if ('history' in entry) return { history: { ...HISTORY, ...entry.history } };
  const said = (side: string | readonly SheetPart[]) => (Array.isArray(side) ? fitting(side) : side);
  return {
    examples: (entry.examples ?? []).map(({ user, assistant }) => ({
      user: said(user) as string,
      assistant: said(assistant) as string,
    })),
  };
}

/** What stands for what is left out. */
const HISTORY: SheetHistory = { name: 'history', required: false, secrecy: 'public' };

/** The parts of a text that fit; the others are holes. */
export const sketchTextParts = (sketch: unknown): readonly SheetPart[] =>
  fitting((sketch as { readonly parts?: readonly SheetPart[] } | undefined)?.parts);

/** Parts that say what they are. `map` keeps holes, and makes one of a part that has nothing of its form. */
function fitting<Part extends SheetPart>(parts: readonly Part[] = []): Part[] {
  const found: Part[] = new Array(parts.length);
  parts.forEach((part, index) => {
    if (Object.values(part).some((value) => typeof value === 'string')) found[index] = part;
  });
  return found;
}

function recordAt(value: unknown, key: string): object {
  const found =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
}
