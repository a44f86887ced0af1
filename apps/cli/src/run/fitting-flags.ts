import type { Call } from '../command.js';
import { usage } from '../failure.js';
import { flagsWithInputs, INPUTS } from '../table/inputs.js';

/** What kinds that a project names take of the flags that belong to kinds. */
const OF_STRANGERS: readonly string[] = ['input'];

/** Refuses what has no place in a run of this kind: a flag that only other kinds have. */
export function requireFitting({ args: [target], flags, tree }: Call, prefix: string): void {
  if (flags.file !== undefined) throw usage(`-f names the manifests, so ${target} cannot be a target too`);
  if (flags.agent !== undefined) throw usage('--agent names an Agent of manifests: give them with -f');
  const isKnown = INPUTS.some((each) => each.prefix === prefix);
  const [command] = tree.commands.filter(({ name }) => name === 'run');
  const own = (command === undefined ? [] : flagsWithInputs(command)).filter(
    ({ kinds }) => kinds !== undefined,
  );
  const fits = ({ name, kinds = [] }: (typeof own)[number]): boolean =>
    isKnown ? kinds.includes(prefix) : OF_STRANGERS.includes(name);
  const stray = own.find((flag) => flags[flag.name] !== undefined && !fits(flag));
  if (stray === undefined) return;
  const takes = own.filter(fits).map(({ name }) => `--${name}`);
  throw usage(
    `The target ${prefix}: takes no --${stray.name}; it takes ${takes.length === 0 ? 'no input' : takes.join(', ')}`,
  );
}
