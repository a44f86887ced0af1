import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import type { Cell } from '../store/row/sum.js';
import type { KeyRecord } from '../turn/key/chain.js';
import { fingerprintOf, publicKeyOf } from '../turn/key/key.js';

/** The layout from which on a store keeps the public keys that signed in it. */
export const KEYS_SINCE = 5;
export const KEY_COLUMNS = 'fingerprint, public_key, at, previous, vouched, signature';

/** The records of keys that a store has. */
export async function readKeyRows(session: SqlSession): Promise<readonly KeyRecord[]> {
  const rows = await session.rows(`SELECT ${KEY_COLUMNS} FROM cuebook_keys ORDER BY at, fingerprint`);
  return rows.map(([id, publicKey, at, previous, vouched, sig]) => ({
    id: String(id),
    publicKey: String(publicKey),
    at: Number(at),
    previous: textOf(previous),
    vouched: textOf(vouched),
    sig: String(sig),
  }));
}

/** Puts those records of keys into a store that it does not have. */
export async function keepKeyRows(driver: SqlDriver, records: readonly KeyRecord[]): Promise<void> {
  const rows = await readKeyRows(driver);
  const keys = new Set(rows.flatMap((row) => [row.publicKey, ...(row.previous ? [row.previous] : [])]));
  // A key that replaced none says nothing new where it is known; how one key followed another does.
  const fresh = records.filter((record) =>
    record.previous ? !rows.some(({ sig }) => sig === record.sig) : !keys.has(record.publicKey),
  );
  if (fresh.length === 0) return;
  await driver.write(async (session) => {
    for (const { publicKey, at, previous = null, vouched = null, sig } of fresh) {
      const key = publicKeyOf(publicKey);
      if (key === undefined) continue;
      await session.rows(UPSERT, [fingerprintOf(key), publicKey, at, previous, vouched, sig]);
    }
    return { keep: true, value: undefined };
  });
}

const textOf = (cell: Cell | undefined): string | undefined =>
  cell === null || cell === undefined ? undefined : String(cell);

const UPSERT = `INSERT INTO cuebook_keys (${KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (fingerprint) DO UPDATE SET public_key = excluded.public_key, at = excluded.at,
  previous = excluded.previous, vouched = excluded.vouched, signature = excluded.signature`;
