import {
  describeTurnError,
  type LocatedTurn,
  locateTurn,
  type RebuiltTurn,
  type RunId,
  rebuildTurn,
  type Store,
} from '@cuebook/journal';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { journalFailure, journalPlace, withJournal } from './journal.js';
import { type NamedRun, requireRun, requireTurn, turnsOf, unknownRun } from './run-name.js';
import { readSaidIn, type SaidIn } from './said-in.js';

/** A turn of the record, and the folder of the project that it is of. */
export interface RecordedTurn {
  readonly name: string;
  readonly folder: string;
  readonly turn: RebuiltTurn;
  /** The number of the turn, from 1. */
  readonly number: number;
}

/** The same, and which turn of its run said what. */
export interface SaidTurn extends RecordedTurn {
  readonly said: SaidIn;
}

type Asking = Pick<Call, 'flags' | 'io'>;

/** Rebuilds the turn that a call names, from the record alone. */
export const requireRecorded = (call: Asking, name: string): Promise<RecordedTurn> =>
  findRecorded(call, name, async () => ({}));

/** The same with what was said in the run, which reads all of its log. */
export const requireSaid = (call: Asking, name: string): Promise<SaidTurn> =>
  findRecorded(call, name, async (store, run) => ({ said: await readSaidIn(store, run) }));

/** The turns of the same agent that the record has behind a turn, in order. What cannot be rebuilt ends the list. */
export async function recordedAfter(
  { flags, io }: Asking,
  { turn: { run, turn, lane }, folder }: RecordedTurn,
): Promise<readonly RecordedTurn[]> {
  const after: RecordedTurn[] = [];
  await withJournal(flags, io, async (journal) => {
    if (journal === undefined) return 0;
    const turns = await turnsOf(journal.store, run);
    for (const [at, name] of turns.entries()) {
      if (at <= turns.indexOf(turn)) continue;
      const rebuilt = await rebuildTurn(journal.store, run, name);
      if (!rebuilt.ok) break;
      if (rebuilt.value.lane !== lane) continue;
      after.push({ name: `${run}@${at + 1}`, folder, turn: rebuilt.value, number: at + 1 });
    }
    return 0;
  });
  return after;
}

async function findRecorded<More extends object>(
  { flags, io }: Asking,
  name: string,
  beside: (store: Store, run: RunId) => Promise<More>,
): Promise<RecordedTurn & More> {
  let found: (RecordedTurn & More) | undefined;
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
    const more = await beside(journal.store, named.run);
    found = { name: `${named.run}@${number}`, folder, turn: result.value, number, ...more };
    return 0;
  });
  return found as RecordedTurn & More;
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
