import { nameTools } from '@cuebook/prompt';

/** Tools under names that an agent takes, and the way back. */
export interface FitNames {
  /** As the agent is told it. */
  toTold(name: string): string;
  /** Our name of what it calls; undefined when it is none of these. */
  toOwn(told: string): string | undefined;
}

export interface Fit {
  /** What the agent takes at most. */
  readonly max: number;
  /** Another wish where the agent takes a name for something else. */
  readonly wish?: (name: string) => string;
}

/**
 * The names that prompts and model APIs have for the tools, as far as an agent takes them: a tool has one name in words
 * and in the list. A name that is too long, or taken, gets a number. The same tools always get the same names.
 */
export function fitNames(
  tools: readonly { readonly name: string }[],
  { max, wish = (name) => name }: Fit,
): FitNames {
  const names = tools.map(({ name }) => name);
  const { toWire } = nameTools(names);
  const wishes = new Map(names.map((name) => [name, wish(toWire(name))]));
  // Who keeps the name that its prompt has goes before who needs another anyway.
  const kept = new Set(names.filter((name) => isKept(toWire(name), wishes.get(name) ?? '', max)).map(toWire));
  const told = new Map<string, string>();
  const own = new Map<string, string>();
  for (const name of names) {
    if (told.has(name)) continue;
    const wished = wishes.get(name) ?? '';
    const isOwn = isKept(toWire(name), wished, max);
    const free = isOwn ? wished : freeName(wished, max, (each) => own.has(each) || kept.has(each));
    told.set(name, free);
    own.set(free, name);
  }
  return { toTold: (name) => told.get(name) ?? name, toOwn: (name) => own.get(name) };
}

const isKept = (wire: string, wish: string, max: number): boolean => wire === wish && wire.length <= max;

function freeName(name: string, max: number, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const tail = number === 1 ? '' : `_${number}`;
    const candidate = name.slice(0, max - tail.length) + tail;
    if (!isTaken(candidate)) return candidate;
  }
}
