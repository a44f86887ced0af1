import { type Handler, isOn } from '../../command.js';
import { printJson } from '../../output/json.js';
import { count, styleFor } from '../../output/style.js';
import { withServer } from '../../team/connect.js';
import { nameOf, requireAnswer, requireTeamRun } from '../../team/require.js';
import { sizeText } from '../../team/text/size-text.js';

/** `cuebook runs workspaces [RUN]`: where nodes work, what that takes of the disk, and what is not in the folder yet. */
export const run: Handler = async (call) => {
  const { flags, io, args } = call;
  return withServer(
    call,
    async ({ client }) => {
      const ids =
        args[0] === undefined
          ? requireAnswer(await client.listRuns({ limit: 200 })).runs.map(({ run: id }) => id)
          : [await requireTeamRun(client, args[0])];
      const found = [];
      for (const id of ids) {
        const { workspaces } = requireAnswer(await client.listWorkspaces({ run: id }));
        if (workspaces.length > 0) found.push({ run: id, workspaces });
      }
      if (isOn(flags, 'json')) {
        await printJson(io, { runs: found });
        return 0;
      }
      if (found.length === 0) await io.out('No run has a workspace here.\n');
      const style = styleFor(io, 'out');
      for (const { run: id, workspaces } of found) {
        const view = requireAnswer(await client.getRun({ run: id }));
        await io.out(`${style.bold(id)}  ${view.status}\n`);
        for (const { node, kind, bytes, unapplied } of workspaces) {
          const size = kind === 'shared' ? 'your folder' : sizeText(bytes);
          const open =
            unapplied === 0 ? '' : style.yellow(`  ${count(unapplied, 'file')} not in your folder`);
          await io.out(`  ${nameOf(view, node).padEnd(16)} ${size}${open}\n`);
        }
      }
      return 0;
    },
    { idle: true },
  );
};
