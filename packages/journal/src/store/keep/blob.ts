import { guard } from '@cuebook/guard';
import { JournalFailure } from '../../error.js';
import type { SqlDriver, SqlSession } from '../port/driver.js';
import { prepareBlobs } from '../prepare.js';
import { digest, keyOf, readHash, shownHash } from '../row/chain.js';
import { unpack } from '../row/pack.js';
import type { BlobRow } from '../row/rows.js';
import { findBlobRow, findBlobs, linkBlobs, numberBlobs } from './blob-rows.js';
import { keepBlobsInOneTrip } from './blob-trip.js';

/** Stores bytes under their sha256, for the store itself. */
export async function putBlob(driver: SqlDriver, bytes: Uint8Array): Promise<string> {
  const prepared = prepareBlobs([bytes], []);
  if (!prepared.ok) throw new JournalFailure(prepared.error);
  const { trip } = driver;
  if (trip) await keepBlobsInOneTrip(driver, trip, { keeper: THE_STORE, blobs: prepared.value });
  else {
    await driver.write(async (session) => {
      const [found, numbers] = await Promise.all([
        findBlobs(session, prepared.value),
        driver.numbers(session, prepared.value.length),
      ]);
      const ids = numberBlobs(found, numbers.blobs);
      await linkBlobs(session, { run: THE_STORE, ids, found });
      return { keep: true, value: undefined };
    });
  }
  return shownHash(digest(bytes));
}

/** The content, checked against its name. */
export async function getBlob(
  session: SqlSession,
  shown: string,
): Promise<Uint8Array | 'deleted' | undefined> {
  const name = readHash(shown);
  if (name === undefined) return undefined;
  const row = await findBlobRow(session, { name, key: keyOf(name) });
  if (row === undefined) return undefined;
  if (row.data === null) return 'deleted';
  const plain = contentOf(row);
  if (plain === undefined) throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: `the blob ${shown}` });
  return plain;
}

/** The content of a row, if it is what its name says. */
export function contentOf({ data, size, name }: BlobRow): Buffer | undefined {
  const plain = data === null ? undefined : unpack(data, size);
  if (plain === undefined || plain.length !== size) return undefined;
  return guard('read.blob', !digest(plain).equals(name)) ? undefined : plain;
}

/** The keeper of blobs that belong to no run. */
export const THE_STORE = 0;
