import { describeTurnError, type RebuiltTurn, rebuildTurn } from '@cuebook/journal';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { journalFailure, journalPlace, withJournal } from './journal.js';
import { requireRun, requireTurn, turnsOf, unknownRun } from './run-name.js';

/** A turn of the record, and the folder of the project that it is of. */
export interface RecordedTurn {
  readonly name: string;
  readonly folder: string;
  readonly turn: RebuiltTurn;
}

/** Rebuilds the turn that a call names, from the record alone. */
export async function requireRecorded(
  { flags, io }: Pick<Call, 'flags' | 'io'>,
  name: string,
): Promise<RecordedTurn> {
  let found: RecordedTurn | undefined;
  const { folder } = await journalPlace(flags, io);
  await withJournal(flags, io, async (journal) => {
    const named = journal && (await requireRun(journal.store, name));
    if (journal === undefined || named === undefined) throw unknownRun(name);
    const turns = await turnsOf(journal.store, named.run);
    if (turns.length === 0) {
      throw new Failure('E_TURN_UNKNOWN', `${named.run} has no turns: nothing was sent to a provider in it`);
    }
    const turn = requireTurn(turns, named.turn ?? 'last', named.run);
    const result = await rebuildTurn(journal.store, named.run, turn);
    if (!result.ok) {
      const { error } = result;
      if ('turn' in error) throw new Failure(error.code, describeTurnError(error), { exit: 1 });
      throw journalFailure(error);
    }
    found = { name: `${named.run}@${turns.indexOf(turn) + 1}`, folder, turn: result.value };
    return 0;
  });
  return found as RecordedTurn;
}
