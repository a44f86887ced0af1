import { type CommandHandler, isOn } from '../../command.js';
import { printJson } from '../../output/json.js';
import { count, screenText, styleFor } from '../../output/style.js';
import { withServer } from '../../team/connect.js';
import { nameOf, requireAnswer, requireTeamRun } from '../../team/require.js';
import { sizeText } from '../../team/text/size-text.js';

/** `cuebook runs workspaces [RUN]`: where nodes work, what that takes of the disk, and what is not in the folder yet. */
export const run: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  return withServer(
    call,
    async ({ client }) => {
      const ids =
        args[0] === undefined
          ? requireAnswer(await client.listRuns({ limit: 200 })).runs.map(({ run: id }) => id)
          : [await requireTeamRun(client, args[0])];
      const found = [];
      let shared = 0;
      for (const id of ids) {
        const { workspaces, contents } = requireAnswer(await client.listWorkspaces({ run: id }));
        if (workspaces.length > 0) found.push({ run: id, workspaces });
        shared = contents;
      }
      if (isOn(flags, 'json')) {
        await printJson(io, { runs: found, contents: shared });
        return 0;
      }
      if (found.length === 0) await io.out('No run has a workspace here.\n');
      const style = styleFor(io, 'out');
      for (const { run: id, workspaces } of found) {
        const view = requireAnswer(await client.getRun({ run: id }));
        await io.out(`${style.bold(id)}  ${view.status}\n`);
        const rows = workspaces.map(({ node, others, ...rest }) => {
          const names = [node, ...others].map((each) => nameOf(view, each)).join(', ');
          return { ...rest, names: screenText(names, io.terminal.out) };
        });
        const width = Math.max(16, ...rows.map(({ names }) => names.length));
        for (const { names, kind, bytes, unapplied } of rows) {
          const size = kind === 'shared' ? 'your folder' : sizeText(bytes);
          const open =
            unapplied === 0 ? '' : style.yellow(`  ${count(unapplied, 'file')} not in your folder`);
          await io.out(`  ${names.padEnd(width)} ${size}${open}\n`);
        }
      }
      if (found.length > 0) await io.out(`${'contents of all'.padEnd(18)} ${sizeText(shared)}\n`);
      return 0;
    },
    { idle: true },
  );
};
