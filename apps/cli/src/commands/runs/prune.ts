import { pruneRuns, timeOf } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { withProgress } from '../../output/progress.js';
import { count } from '../../output/style.js';
import { findProject } from '../../project/find.js';
import { timeText } from '../../record/event-text.js';
import { type Journal, journalPlace, withJournal } from '../../record/journal.js';
import { noRuns } from '../../record/no-runs.js';
import { bytesText, requireAge, requireBytes } from '../../record/sizes.js';

/** `cuebook runs prune`: removes whole runs by age and by size, never an open one. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const age = flagValue(flags, 'older-than');
  const size = flagValue(flags, 'max-size');
  if (args.length > 0) throw usage('prune takes no run: it goes by --older-than and --max-size');
  if (age === undefined && size === undefined)
    throw usage('Say which: --older-than 30d, --max-size 1GB, or both');
  const dryRun = isOn(flags, 'dry-run');
  const rule = {
    ...(age === undefined ? {} : { olderThanMs: requireAge(age) }),
    ...(size === undefined ? {} : { maxBytes: requireBytes(size) }),
  };
  return withJournal(flags, io, async (journal) => {
    if (journal === undefined) return noRuns(call);
    const leftovers = await openLeftovers(call, journal);
    const prune = async () => {
      const pruned = await pruneRuns(
        journal.store,
        { ...rule, now: timeOf(journal.store)() },
        { dryRun, isHeld: leftovers.isHeld },
      );
      return { ...pruned, folders: dryRun ? [] : await leftovers.sweep() };
    };
    const { runs, kept, held, folders, bytesBefore, bytesAfter } = await withProgress(io, 'Pruning', prune());
    if (isOn(flags, 'json')) {
      const removed = runs.map(({ run: id }) => id);
      await printJson(io, { dryRun, removed, kept, held, folders, bytesBefore, bytesAfter });
      return 0;
    }
    for (const { run: id, lastAt } of runs) {
      await io.out(`${dryRun ? 'would remove' : 'removed'} ${id}, last event ${timeText(lastAt)}\n`);
    }
    for (const id of held)
      await io.out(told(io, `${id} stays: its work is not in your folder (${hint`runs apply ${id}`})\n`));
    for (const id of folders)
      await io.out(`${id} is gone, and its folders stay: their work is not in yours\n`);
    const left =
      bytesAfter === undefined
        ? bytesText(bytesBefore)
        : `${bytesText(bytesBefore)} → ${bytesText(bytesAfter)}`;
    const open = kept.length === 0 ? '' : `; ${count(kept.length, 'open run')} stay`;
    await io.out(`${count(runs.length, 'run')} ${dryRun ? 'would go' : 'removed'}, journal ${left}${open}\n`);
    return 0;
  });
};

/** What runs of teams have beside their logs. */
async function openLeftovers({ flags, io }: Call, { store, home }: Journal) {
  const { createLeftovers } = await import('@cuebook/team');
  const { home: homeFolder } = await journalPlace(flags, io);
  const folder = await findProject(io.cwd, flagValue(flags, 'project')).catch((error: unknown) => {
    // Records can be pruned from anywhere; work is then not known to be in any folder.
    if (error instanceof Failure && error.code === 'E_NO_PROJECT') return undefined;
    throw error;
  });
  return createLeftovers({ store, home, homeFolder, folder, env: io.env });
}
