import { guard } from '@cuebook/guard';
import type { Claim } from '../owner/claim.js';
import { KEYS_SINCE } from '../owner/key-rows.js';
import { MEMBERS_SINCE } from '../owner/members.js';
import type { KeyRecord } from '../turn/key/chain.js';
import { fingerprintOf, publicKeyOf } from '../turn/key/key.js';
import type { SqlDriver } from './port/driver.js';

interface Told {
  /** The layout that the store says it has. */
  readonly layout: number;
  readonly claim: Claim | undefined;
  readonly keys: readonly KeyRecord[];
}

/**
 * What is wrong with the few rows that no check sum and no signature covers: the numbers of the store, and the key that
 * claimed it. Each is held against what else the store shows.
 */
export async function metaProblems(
  driver: SqlDriver,
  { layout, claim, keys }: Told,
): Promise<readonly string[]> {
  const rows = await driver.rows('SELECT name, value FROM cuebook_meta');
  const values = new Map(rows.map(([name, value]) => [String(name), Number(value)]));
  const isStrange = [...values.keys()].some((name) => !NAMES.has(name));
  const isRemoved = await has(driver, 'cuebook_runs WHERE removed_at IS NOT NULL');
  const floor = values.get('floor') ?? Number.NaN;
  const isFloor = Number.isSafeInteger(floor) && floor >= (isRemoved ? 1 : 0);
  const isOlder = await isOlderThanTables(driver, layout);
  // Who claims a store notes the key first, and takes up the anchor before anything is written.
  const isClaimed = claim !== undefined && (await has(driver, 'cuebook_commits'));
  const isAnchored = values.get('anchored') === 1;
  const isKnown = layout < KEYS_SINCE || (claim !== undefined && isOnRecord(claim.key, keys));
  return [
    ...(guard('verify.floor', !isFloor)
      ? ['the highest number of removed runs is not as it was written']
      : []),
    ...(guard('verify.names', isStrange) ? ['it says something that no version of it says'] : []),
    ...(guard('verify.older', isOlder) ? ['it has tables of a later layout than it says'] : []),
    ...(guard('verify.anchored', isClaimed && !isAnchored)
      ? ['it does not say any more that it is anchored']
      : []),
    ...(guard('verify.claim-key', isClaimed && !isKnown)
      ? ['the key that claimed it is not on record any more']
      : []),
  ];
}

const NAMES: ReadonlySet<string> = new Set(['schema', 'floor', 'anchored']);

/** Tables, by the layout that has them first. */
const SINCE: readonly (readonly [string, number])[] = [
  ['cuebook_members', MEMBERS_SINCE],
  ['cuebook_keys', KEYS_SINCE],
];

async function isOlderThanTables(driver: SqlDriver, layout: number): Promise<boolean> {
  const later = SINCE.filter(([, since]) => since > layout);
  const found = await Promise.all(later.map(([table]) => isThere(driver, table)));
  return found.includes(true);
}

const isThere = (driver: SqlDriver, table: string): Promise<boolean> =>
  rowsOf(driver, table).then((rows) => rows !== undefined);
const has = (driver: SqlDriver, what: string): Promise<boolean> =>
  rowsOf(driver, what).then((rows) => rows !== undefined && rows.length > 0);

/** A row of a table; undefined where there is none such, or it cannot be read, which is told by its own check. */
const rowsOf = (driver: SqlDriver, what: string) =>
  driver.rows(`SELECT 1 FROM ${what} LIMIT 1`).catch(() => undefined);

/** Whether the key, by the beginning of its fingerprint, signed here or was replaced by one that did. */
const isOnRecord = (id: string, records: readonly KeyRecord[]): boolean =>
  records.some(({ publicKey, previous }) =>
    [publicKey, previous].some((pem) => {
      const key = pem === undefined ? undefined : publicKeyOf(pem);
      return key !== undefined && fingerprintOf(key).startsWith(id);
    }),
  );
