import type { RunReport } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { type Call, flagValue } from '../command.js';
import { usage } from '../failure.js';
import { namedRun } from '../record/named-run.js';
import { flagsWithInputs } from '../table/inputs.js';
import { withServer } from '../team/connect.js';
import { goOn } from './go-on.js';
import { showHosted } from './hosted-kind.js';
import { namesVoice } from './note.js';
import { serverDoor } from './server-door.js';
import { follow } from './team/run.js';

/**
 * `cuebook run TARGET --run RUN` for kinds whose runs keep all that they were begun with. What the flags say is said at
 * the server of the project, or at one in this process, and the run is shown until it stands still.
 */
export async function goOnBegun(call: Call, named: string): Promise<number> {
  const { flags } = call;
  requireKept(call);
  const run = await namedRun(call, named);
  return withServer(call, async (connected) => {
    const { client } = connected;
    const door = serverDoor(client, call);
    const report = await door.report(run);
    requireSameTarget(call, report);
    const { seq: after } = report;
    await goOn(door, run, {
      flags,
      input: flagValue(flags, 'input'),
      rest: () => door.follow(run, { after }),
    });
    return report.kind === 'team'
      ? follow(call, connected, run, { after })
      : showHosted(call, connected, { run, after });
  });
}

/** A run keeps its inputs, its limits and who speaks in it. */
function requireKept({ flags, tree }: Call): void {
  const [command] = tree.commands.filter(({ name }) => name === 'run');
  const stray =
    command &&
    flagsWithInputs(command).find(
      ({ name, kinds }) => flags[name] !== undefined && kinds !== undefined && name !== 'input',
    );
  if (stray !== undefined)
    throw usage(`A run keeps what it was begun with: leave --${stray.name} out with --run`);
  if (namesVoice(flags))
    throw usage(
      'The run keeps its provider and its model: leave --provider, --model and --script out with --run',
    );
  if (flags.trace !== undefined)
    throw usage('--trace is written from the beginning: leave it out with --run');
}

function requireSameTarget({ args: [target], flags }: Call, { run, kind, target: own }: RunReport): void {
  if (target === undefined && flags.file === undefined)
    throw usage(`Name the target beside the run: ${hint`run ${own ?? 'team:FILE'} --run ${run}`}`);
  // A team on record has no name of its file.
  const named = target ?? 'manifest:';
  const isOne =
    own === null
      ? named.startsWith(`${kind}:`)
      : target === undefined
        ? own.startsWith(named)
        : own === named;
  if (!isOne) throw usage(`${run} is a run of ${own ?? `a ${kind}`}, not of ${target ?? 'manifests'}`);
}
