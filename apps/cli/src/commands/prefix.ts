import { describeTurnError, type RebuiltTurn, rebuildTurn } from '@cuebook/journal';
import { type CommandHandler, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { screenText } from '../output/style.js';
import { journalFailure, withJournal } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';
import { prefixReport, prefixText } from '../record/prefix-rows.js';
import { requireRun, turnsOf, unknownRun } from '../record/run-name.js';

/** `cuebook prefix`: what the turns of a run kept of one another, and what ended that. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  return withJournal(flags, io, async (journal) => {
    const [named] = args;
    if (journal === undefined && named !== undefined) throw unknownRun(named);
    const found = journal && (await requireRun(journal.store, named));
    if (journal === undefined || found === undefined) return noRuns(call);
    const turns: RebuiltTurn[] = [];
    for (const turn of await turnsOf(journal.store, found.run)) {
      const result = await rebuildTurn(journal.store, found.run, turn);
      if (result.ok) turns.push(result.value);
      else if ('turn' in result.error)
        throw new Failure(result.error.code, describeTurnError(result.error), { exit: 1 });
      else throw journalFailure(result.error);
    }
    const report = prefixReport(turns);
    if (isOn(flags, 'json')) await printJson(io, { run: found.run, ...report });
    else await io.out(screenText(prefixText(report), io.terminal.out));
    return 0;
  });
};
