import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { withJournal } from '../../record/journal.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { withServer } from '../../team/connect.js';
import { requireAnswer } from '../../team/require.js';

/** `cuebook runs update RUN [--to REVISION]`: the next turn of a run uses other sources than the turns before it. */
export const run: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  const [name] = args;
  if (name === undefined)
    throw usage(`Name a run: ${hint`runs update RUN`}, or ${hint`runs update RUN --to REVISION`}`);
  let found: string | undefined;
  await withJournal(flags, io, async (journal) => {
    found = journal === undefined ? undefined : (await requireRun(journal.store, name))?.run;
    return 0;
  });
  if (found === undefined) throw unknownRun(name);
  const id = found;
  const to = flagValue(flags, 'to');
  return withServer(
    call,
    async ({ client }) => {
      const moved = requireAnswer(await client.updateRun({ run: id, ...(to === undefined ? {} : { to }) }));
      if (isOn(flags, 'json')) await printJson(io, { run: id, ...moved });
      else {
        const where = to === undefined ? 'the sources in your folder' : `commit ${short(moved.to.commit)}`;
        const before = moved.from?.commit ? ` (before: commit ${short(moved.from.commit)})` : '';
        await io.out(
          `${styleFor(io, 'out').green('✓')} ${id} uses ${where} from its next turn on${before}\n`,
        );
      }
      return 0;
    },
    { idle: true },
  );
};

const short = (commit: string | null): string => commit?.slice(0, 12) ?? 'of no repository';
