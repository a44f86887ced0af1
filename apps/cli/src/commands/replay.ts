import {
  type DeletionNote,
  deletionNote,
  describeTurnError,
  type RunId,
  rebuildTurn,
  type Store,
} from '@cuebook/journal';
import { createTokenCounter } from '@cuebook/prompt';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { type Call, type CommandHandler, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { styleFor } from '../output/style.js';
import { journalFailure, withJournal } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';
import { requireRun, requireTurn, turnsOf, unknownRun } from '../record/run-name.js';
import { type ReplayDocument, replayDocument, replayText, sessionsOfTurn } from '../record/turn-text.js';

/** `cuebook replay`: a turn as it was, from the record alone. No model is called. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  return withJournal(flags, io, async (journal) => {
    const [named] = args;
    if (journal === undefined && named !== undefined) throw unknownRun(named);
    const found = journal && (await requireRun(journal.store, named));
    if (journal === undefined || found === undefined) return noRuns(call);
    const { store } = journal;
    const turns = await turnsOf(store, found.run);
    const wanted = found.turn === undefined ? turns : [requireTurn(turns, found.turn, found.run)];
    if (wanted.length === 0) {
      throw new Failure('E_TURN_UNKNOWN', `${found.run} has no turns: nothing was sent to a provider in it`);
    }
    const one = wanted.length === 1;
    for (const turn of wanted) {
      const document = await withProgress(io, 'Rebuilding', rebuilt(call, store, found.run, turn));
      if (isOn(flags, 'json'))
        await printJson(io, document, { compact: !one, ids: sessionsOfTurn(document) });
      else {
        await io.out(replayText(document, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
        if (!one) await io.out('\n');
      }
    }
    return 0;
  });
};

async function rebuilt({ flags }: Call, store: Store, run: RunId, name: string): Promise<ReplayDocument> {
  const result = await rebuildTurn(store, run, name);
  if (!result.ok) {
    const { error } = result;
    if ('turn' in error) throw new Failure(error.code, describeTurnError(error), { exit: 1 });
    throw journalFailure(error);
  }
  const notes = new Map<string, DeletionNote>();
  for (const { blob } of result.value.forgotten) {
    const note = await deletionNote(store, blob);
    if (note !== undefined) notes.set(blob, note);
  }
  const countTokens = createTokenCounter(await loadTokenizer());
  return replayDocument({ turn: result.value, notes, countTokens, reveal: isOn(flags, 'reveal') });
}
