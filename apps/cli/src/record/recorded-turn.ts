import { describeTurnError, type RebuiltTurn, rebuildTurn } from '@cuebook/journal';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { journalFailure, journalPlace, withJournal } from './journal.js';
import { requireRun, requireTurn, unknownRun } from './run-name.js';
import { readSaidIn, type SaidIn } from './said-in.js';

/** A turn of the record, and the folder of the project that it is of. */
export interface RecordedTurn {
  readonly name: string;
  readonly folder: string;
  readonly turn: RebuiltTurn;
  /** The number of the turn, from 1. */
  readonly number: number;
  /** Which turn of the run said what. */
  readonly said: SaidIn;
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
    const said = await readSaidIn(journal.store, named.run);
    const { turns } = said;
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
    const number = turns.indexOf(turn) + 1;
    found = { name: `${named.run}@${number}`, folder, turn: result.value, number, said };
    return 0;
  });
  return found as RecordedTurn;
}
