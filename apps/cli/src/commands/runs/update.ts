import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { namedRun } from '../../record/named-run.js';
import { withServer } from '../../team/connect.js';
import { requireAnswer } from '../../team/require.js';

/** `cuebook runs update RUN [--to REVISION]`: the next turn of a run uses other sources than the turns before it. */
export const run: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  const [name] = args;
  if (name === undefined)
    throw usage(`Name a run: ${hint`runs update RUN`}, or ${hint`runs update RUN --to REVISION`}`);
  const id = await namedRun(call, name);
  const to = flagValue(flags, 'to');
  return withServer(
    call,
    async ({ client }) => {
      const moved = requireAnswer(await client.updateRun({ run: id, ...(to === undefined ? {} : { to }) }));
      if (isOn(flags, 'json')) await printJson(io, { run: id, ...moved });
      else {
        const where = to === undefined ? 'the sources in your folder' : placeText(moved.to);
        const before = moved.from === null ? '' : ` (before: ${placeText(moved.from)})`;
        await io.out(
          `${styleFor(io, 'out').green('✓')} ${id} uses ${where} from its next turn on${before}\n`,
        );
      }
      return 0;
    },
    { idle: true },
  );
};

/** Sources as a person knows them again. A folder may have had edits that its commit does not have. */
function placeText({ commit, folder }: { readonly commit: string | null; readonly folder: boolean }): string {
  const short = commit?.slice(0, 12);
  if (!folder) return `commit ${short}`;
  return `the folder as it was${short === undefined ? '' : `, with commit ${short} checked out`}`;
}
