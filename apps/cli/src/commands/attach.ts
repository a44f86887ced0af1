import type { Handler } from '../command.js';
import { follow } from '../run/team/run.js';
import { withServer } from '../team/connect.js';
import { requireTeamRun } from '../team/require.js';

/** `cuebook attach [RUN]`: watches a team run, and does what is typed. */
export const run: Handler = (call) =>
  withServer(call, async (connected) => {
    const id = await requireTeamRun(connected.client, call.args[0]);
    return follow(call, connected, id);
  });
