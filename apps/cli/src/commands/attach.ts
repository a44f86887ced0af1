import type { Client, RunSummaryView } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';
import { type CommandHandler, isOn } from '../command.js';
import { styleFor } from '../output/style.js';
import { LAST } from '../record/run-name.js';
import { showHosted } from '../run/hosted-kind.js';
import { follow } from '../run/team/run.js';
import { withServer } from '../team/connect.js';
import { requireAnswer, requireTeamRun } from '../team/require.js';

/**
 * `cuebook attach [RUN]`: watches a run. A team also does what is typed; a run of another kind is shown until it stands
 * still, with the command that goes on.
 */
export const run: CommandHandler = (call) =>
  withServer(call, async (connected) => {
    const other = await findOther(connected.client, call.args[0]);
    if (other !== undefined) {
      const { client } = connected;
      const run = other.run as RunId;
      const { seq: after } = requireAnswer(await client.getReport({ run }));
      if (!isOn(call.flags, 'json')) call.io.err(styleFor(call.io, 'err').dim(`${run}\n`));
      return showHosted(call, connected, { run, after });
    }
    const id = await requireTeamRun(connected.client, call.args[0]);
    return follow(call, connected, id);
  });

/** A run of another kind than a team, by its id, the beginning of it, or as the `last` one of all. */
async function findOther(client: Client, named: string | undefined): Promise<RunSummaryView | undefined> {
  if (named === undefined) return undefined;
  const { runs } = requireAnswer(await client.listRuns({ limit: 200 }));
  const exact = named === LAST ? runs.slice(0, 1) : runs.filter(({ run: id }) => id === named);
  const begins = runs.filter(({ run: id }) => id.startsWith(named) || id.startsWith(`run_${named}`));
  const [only, ...more] = exact.length > 0 ? exact : begins;
  return more.length === 0 && only?.kind !== 'team' ? only : undefined;
}
