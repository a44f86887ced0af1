import {
  actionName,
  type Command,
  type CommandAction,
  type Flag,
  flagsOf,
  type ValueKind,
  visible,
} from '../command.js';

/** One thing that may stand at the cursor. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What the words before the cursor leave open. */
export type WantedWord =
  | { readonly kind: 'candidates'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'values'; readonly values: ValueKind; readonly prefix: string };

/** Reads `cuebook COMMAND … CURRENT` by the tree. `withInputs` answers the flags of a command with those of its targets. Pure. */
export function wantedAt(
  commands: readonly Command[],
  words: readonly string[],
  withInputs: (command: Command) => readonly Flag[] = flagsOf,
): WantedWord {
  const current = words.at(-1) ?? '';
  const command = visible(commands).find(({ name }) => name === words[1]);
  if (words.length <= 2 || command === undefined)
    return some(visible(commands).map(commandCandidate), current);
  const flags = withInputs(command);
  const before = findFlag(flags, words.at(-2));
  if (before?.value !== undefined) return values(before.values, current);
  if (current.startsWith('-')) return some(flags.map(flagCandidate), current);
  const at = positional(words.slice(2, -1), flags, command);
  if (at === 0 && command.actions !== undefined) return some(command.actions.map(actionCandidate), current);
  return values(command.args[at]?.values, current);
}

/** The candidates that start as the current word does. */
export const startingWith = (candidates: readonly Candidate[], current: string): readonly Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(current));

const some = (candidates: readonly Candidate[], current: string): WantedWord => ({
  kind: 'candidates',
  candidates: startingWith(candidates, current),
});

const values = (kind: ValueKind | undefined, prefix: string): WantedWord =>
  kind === undefined ? some([], prefix) : { kind: 'values', values: kind, prefix };

/** How many positional arguments stand before the cursor: flags and their values are none. */
function positional(words: readonly string[], flags: readonly Flag[], command: Command): number {
  let found = 0;
  for (const [index, word] of words.entries()) {
    const isValue = findFlag(flags, words[index - 1])?.value !== undefined;
    if (!word.startsWith('-') && !isValue) found += 1;
  }
  return Math.min(found, command.args.length);
}

const findFlag = (flags: readonly Flag[], word: string | undefined): Flag | undefined =>
  flags.find(({ name, short }) => `--${name}` === word || (short !== undefined && `-${short}` === word));

const flagCandidate = ({ name, description }: Flag): Candidate => ({ value: `--${name}`, description });

const actionCandidate = (action: CommandAction): Candidate => ({
  value: actionName(action),
  description: action[1],
});

const commandCandidate = ({ name, summary }: Command): Candidate => ({ value: name, description: summary });
