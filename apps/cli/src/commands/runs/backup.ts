import { resolve } from 'node:path';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { withProgress } from '../../output/progress.js';
import { withJournal } from '../../record/journal.js';
import { noRuns } from '../../record/no-runs.js';

/** `cuebook runs backup FILE`: a consistent copy of the whole journal, while runs go on. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw usage(`Name the new file: ${hint`runs backup FILE`}`);
  return withJournal(flags, io, async (journal) => {
    if (journal === undefined) return noRuns(call);
    await withProgress(io, 'Copying', journal.store.backup(resolve(io.cwd, named)));
    if (isOn(flags, 'json')) await printJson(io, { file: named });
    else await io.out(`Copied the journal to ${named}\n`);
    return 0;
  });
};
