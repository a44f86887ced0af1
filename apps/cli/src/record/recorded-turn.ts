import {
  describeTurnError,
  type LocatedTurn,
  locateTurn,
  type RebuiltTurn,
  rebuildTurn,
  type Store,
} from '@cuebook/journal';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { journalFailure, journalPlace, withJournal } from './journal.js';
import { type NamedRun, requireRun, requireTurn, turnsOf, unknownRun } from './run-name.js';

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
    const { turn, number } = await requireLocated(journal.store, named);
    const result = await rebuildTurn(journal.store, named.run, turn);
    if (!result.ok) {
      const { error } = result;
      if ('turn' in error) throw new Failure(error.code, describeTurnError(error), { exit: 1 });
      throw journalFailure(error);
    }
    found = { name: `${named.run}@${number}`, folder, turn: result.value };
    return 0;
  });
  return found as RecordedTurn;
}

/** Looks at all turns only where the record has no numbers or the name is wrong. */
async function requireLocated(store: Store, { run, turn: named = 'last' }: NamedRun): Promise<LocatedTurn> {
  const located = await locateTurn(store, run, named);
  if (located !== undefined) return located;
  const turns = await turnsOf(store, run);
  if (turns.length === 0) {
    throw new Failure('E_TURN_UNKNOWN', `${run} has no turns: nothing was sent to a provider in it`);
  }
  const turn = requireTurn(turns, named, run);
  return { turn, number: turns.indexOf(turn) + 1 };
}
