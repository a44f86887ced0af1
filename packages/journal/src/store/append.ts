import { fail } from '@cuebook/prompt';
import type { Append, Appended } from '../contract.js';
import type { JournalResult } from '../result.js';
import { type AppendOptions, answerWithout, type GivenAppend, lookFor, newCommit } from './append-look.js';
import { appendInOneTrip } from './append-trip.js';
import { insertCommit, readMaxima } from './commit.js';
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
  const { fault, witness } = options;
  const given = { batch, prepared: prepared.value };
  const steps = fault && { before: () => fault.before?.('commit'), after: () => fault.after?.('commit') };
  try {
    const written = driver.trip && (await appendInOneTrip(driver, driver.trip, given, options));
    if (written) return written;
    return await witness.write(
      driver,
      (session, onHead) => appendIn(driver, session, given, { ...options, onHead }),
      steps,
    );
  } catch (thrown) {
    return fail(driver.explain(thrown));
  }
}

async function appendIn(
  driver: SqlDriver,
  session: SqlSession,
  given: GivenAppend,
  { now, fault, onHead }: AppendOptions & { readonly onHead: OnHead },
): Promise<TransactionEnding<JournalResult<Appended>>> {
  const [found, maxima] = await Promise.all([lookFor(driver, session, given), readMaxima(session)]);
  const answer = answerWithout(given, found);
  if (answer) return { keep: false, value: answer };
  const state = { run: found.run, ...maxima };
  return insertCommit(session, { ...newCommit(given, found, now), state, fault, onHead });
}
