import type { Appended, StoreFault } from '../contract.js';
import type { JournalResult } from '../result.js';
import {
  type AppendOptions,
  answerWithout,
  type FoundAppend,
  type GivenAppend,
  lookFor,
  newCommit,
} from './append-look.js';
import { type CommitDraft, draftCommit, headChange } from './commit.js';
import { blobColumns } from './keep/blob-trip.js';
import type { RoundTrip, SqlDriver } from './port/driver.js';
import { flagsOf } from './projection.js';
import { unplacedSum } from './row/rows.js';
import type { Cell } from './row/sum.js';

/** What else came in between so often that the next try takes the lock first. */
const MAX_TRIES = 8;

/**
 * An append to a database that is far away: one round trip to read, without a lock, and one that compares, writes and
 * commits. Where something changed in between it reads again. Undefined: it did so too often.
 */
export async function appendInOneTrip(
  driver: SqlDriver,
  trip: RoundTrip,
  given: GivenAppend,
  { now, fault, witness }: AppendOptions,
): Promise<JournalResult<Appended> | undefined> {
  const { batch } = given;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await trip.read((session) => lookFor(driver, session, given));
    const answer = answerWithout(given, found);
    if (answer) return answer;
    const commit = newCommit(given, found, now);
    const draft = draftCommit(commit);
    if (fault) await passPoints(fault);
    const [status, position] =
      (await trip.call(COMMIT, commitValues(given, found, { draft, at: commit.at }), batch.run)) ?? [];
    if (status !== 'done') continue;
    await fault?.after?.('commit');
    const { lastSeq, hash } = draft;
    const head = { name: batch.run, seq: lastSeq, position: Number(position), hash, removedAt: null };
    await witness.note([headChange(head, found.run)]);
    return draft.value;
  }
  return undefined;
}

/** All steps of a commit are one: what fails at any of them fails before it. */
async function passPoints(fault: StoreFault): Promise<void> {
  for (const point of ['blob', 'append', 'project', 'receipt'] as const) {
    await fault.before?.(point);
    await fault.after?.(point);
  }
  await fault.before?.('commit');
}

const VALUES = 27;
const COMMIT = `SELECT status, place FROM cuebook_commit(${Array.from({ length: VALUES }, () => '?').join(', ')})`;

function commitValues(
  { batch, prepared }: GivenAppend,
  { run, blobs, projections }: FoundAppend,
  { draft, at }: { readonly draft: CommitDraft; readonly at: number },
): readonly (Cell | readonly Cell[])[] {
  const { id, lastSeq, startedAt, commandKey, body, hash, blobIds } = draft;
  const commitSum = unplacedSum('commits', [0, id, lastSeq, at, commandKey, body, hash]);
  const runSum = unplacedSum('runs', [id, batch.run, lastSeq, 0, startedAt, at, null, hash]);
  const changes = projections.map(({ change, row }) => {
    const { name, key, value } = change;
    const shared = flagsOf(change, row, id);
    return {
      name,
      key,
      value,
      row,
      shared,
      sum: unplacedSum('projections', [name, key, id, 0, shared, value]),
    };
  });
  return [
    ...[batch.run, id, run?.hash ?? null, lastSeq, prepared.events.length, at, startedAt],
    ...[commandKey, body, hash, commitSum, runSum],
    ...[batch.fence?.scope ?? null, batch.fence?.token ?? null],
    ...blobColumns(blobs, blobIds),
    changes.map(({ name }) => name),
    changes.map(({ key }) => key),
    changes.map(({ row }) => row?.run ?? null),
    changes.map(({ row }) => row?.shared ?? null),
    changes.map(({ shared }) => shared),
    changes.map(({ value }) => value),
    changes.map(({ sum }) => sum),
  ];
}
