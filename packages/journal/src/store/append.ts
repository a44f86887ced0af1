import { fail } from '@cuebook/prompt';
import type { Append, Appended } from '../contract.js';
import type { JournalResult } from '../result.js';
import { type AppendOptions, answerWithout, type GivenAppend, lookFor, newCommit } from './append-look.js';
import { appendInOneTrip } from './append-trip.js';
import { insertCommit, readState } from './commit.js';
import type { SqlDriver, SqlSession, TransactionEnding } from './port/driver.js';
import { prepareAppend } from './prepare.js';
import type { OnHead } from './witness.js';

/** The one write of the journal: check, then blobs, events, projections and the receipt in one transaction. */
export async function append(
  driver: SqlDriver,
  batch: Append,
  options: AppendOptions,
): Promise<JournalResult<Appended>> {
  const prepared = prepareAppend(batch);
  if (!prepared.ok) return prepared;
  const { fault, witness, own } = options;
  const given = { batch, prepared: prepared.value };
  const noted = (result: JournalResult<Appended>): JournalResult<Appended> => {
    if (result.ok) own.note(batch.run, prepared.value.events, result.value);
    return result;
  };
  const steps = fault && { before: () => fault.before?.('commit'), after: () => fault.after?.('commit') };
  try {
    const written = driver.trip && (await appendInOneTrip(driver, driver.trip, given, options));
    if (written) return noted(written);
    const use: Parameters<typeof witness.write<JournalResult<Appended>>>[1] = (session, onHead) =>
      appendIn(driver, session, given, { ...options, onHead });
    const kept = await witness.write(driver, use, steps);
    return driver.others === undefined ? noted(kept) : kept;
  } catch (thrown) {
    return fail(driver.explain(thrown));
  }
}

async function appendIn(
  driver: SqlDriver,
  session: SqlSession,
  given: GivenAppend,
  { now, fault, own, onHead }: AppendOptions & { readonly onHead: OnHead },
): Promise<TransactionEnding<JournalResult<Appended>>> {
  const state = await readState(session, given.batch.run);
  const found = await lookFor(driver, session, given, state);
  const answer = answerWithout(given, found);
  if (answer) return { keep: false, value: answer };
  return insertCommit(session, { ...newCommit(given, found, now), state, fault, onHead, onKept: own.keep });
}
