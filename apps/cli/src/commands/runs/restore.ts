import { resolve } from 'node:path';
import { openFolder } from '@cuebook/files';
import { restoreStore } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { withProgress } from '../../output/progress.js';
import { count } from '../../output/style.js';
import { requireFile } from '../../project/named-file.js';
import { journalFailure, journalPlace, requireOwner } from '../../record/journal.js';

/** `cuebook runs restore FILE`: a backup into a journal that is empty; one with runs in it is left as it is. */
export const run: CommandHandler = async ({ args, flags, io }) => {
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw usage(`Name the backup: ${hint`runs restore FILE`}`);
  const where = await journalPlace(flags, io);
  const home = requireFile(await openFolder(where.home, { create: 'ignored' }), 'CUEBOOK_HOME');
  const owner = await requireOwner(home, where);
  const work = restoreStore(resolve(io.cwd, named), where.place, { owner });
  const restored = await withProgress(io, 'Restoring', work);
  if (!restored.ok) throw journalFailure(restored.error);
  const runs = await restored.value.runs();
  await restored.value.close();
  if (isOn(flags, 'json')) await printJson(io, { runs: runs.length });
  else await io.out(`Restored ${count(runs.length, 'run')}\n`);
  return 0;
};
