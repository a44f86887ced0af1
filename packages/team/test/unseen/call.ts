import { oddArguments } from './fields.js';
import { nearName, WORDS } from './names.js';
import { commandFor, type Pick, pathFor } from './shell.js';

/** What the model of a provider calls the tools that act, and our tool. */
export interface Vocabulary {
  readonly shell: (command: string) => readonly [name: string, args: Readonly<Record<string, unknown>>];
  readonly write: (path: string) => readonly [name: string, args: Readonly<Record<string, unknown>>];
  /** Our tool that makes a node, as its model sees it. */
  readonly ours: string;
  /** Names that its model can say at all; left out: any. */
  readonly names?: RegExp;
  /** Fields that end its answer as a whole, so that no call of it is left. */
  readonly unsaid?: readonly string[];
}

/** A call that nobody has seen. It makes `file`, or a node, when it is done. */
export interface UnseenCall {
  readonly name: string;
  /** Arguments as text; keys may stand in it twice. */
  readonly args: string;
  readonly file: string;
  /** What a shell is told, where it is a command. */
  readonly command?: string;
}

/** Numbers that follow from a seed. */
export function pickFrom(seed: number): Pick {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (items) => items[next() % items.length] as (typeof items)[number];
}

/** The calls of a seed. */
export function unseenCalls(
  { shell, write, ours, names = /^/, unsaid = [] }: Vocabulary,
  { seed, count, folder }: { readonly seed: number; readonly count: number; readonly folder: string },
): readonly UnseenCall[] {
  const pick = pickFrom(seed);
  return Array.from({ length: count }, (_, index): UnseenCall => {
    const file = `F-${index}`;
    const path = pathFor(pick, file, folder);
    const what = pick(['shell', 'shell', 'shell', 'write', 'ours'] as const);
    const command = what === 'shell' ? commandFor(pick, path) : undefined;
    const node = { label: pick(WORDS) || 'One', alias: `n${index}`, roleTemplate: 'implementer' };
    const [own, args] =
      command !== undefined ? shell(command) : what === 'write' ? write(path) : ([ours, node] as const);
    const near = pick([own, own, own, own, nearName(pick, pick([own, ours]))]);
    const name = names.test(near) ? near : own;
    return {
      ...{ name, args: oddArguments(pick, args, unsaid), file },
      ...(command !== undefined && { command }),
    };
  });
}
