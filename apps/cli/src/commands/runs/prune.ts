import { pruneRuns } from '@cuebook/journal';
import { flagValue, type Handler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { withProgress } from '../../output/progress.js';
import { count } from '../../output/style.js';
import { timeText } from '../../record/event-text.js';
import { withJournal } from '../../record/journal.js';
import { noRuns } from '../../record/no-runs.js';
import { bytesText, requireAge, requireBytes } from '../../record/sizes.js';

/** `cuebook runs prune`: removes whole runs by age and by size, never an open one. */
export const run: Handler = async (call) => {
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
    now: Date.now(),
  };
  return withJournal(flags, io, async (journal) => {
    if (journal === undefined) return noRuns(call);
    const pruned = await withProgress(io, 'Pruning', pruneRuns(journal.store, rule, { dryRun }));
    const { runs, kept, bytesBefore, bytesAfter } = pruned;
    if (isOn(flags, 'json')) {
      await printJson(io, { dryRun, removed: runs.map(({ run: id }) => id), kept, bytesBefore, bytesAfter });
      return 0;
    }
    for (const { run: id, lastAt } of runs) {
      await io.out(`${dryRun ? 'would remove' : 'removed'} ${id}, last event ${timeText(lastAt)}\n`);
    }
    const left =
      bytesAfter === undefined
        ? bytesText(bytesBefore)
        : `${bytesText(bytesBefore)} → ${bytesText(bytesAfter)}`;
    const open = kept.length === 0 ? '' : `; ${count(kept.length, 'open run')} stay`;
    await io.out(`${count(runs.length, 'run')} ${dryRun ? 'would go' : 'removed'}, journal ${left}${open}\n`);
    return 0;
  });
};
