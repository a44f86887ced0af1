import { copyPrivately, isMeantToBeWritten } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Store } from '../contract.js';
import { JournalFailure } from '../error.js';
import { type Claim, OWNER_SINCE, readClaim } from '../owner/claim.js';
import { KEYS_SINCE, readKeyRows } from '../owner/key-rows.js';
import { keysOfMembers, MEMBERS_SINCE, readMembers, strangers } from '../owner/members.js';
import type { ProjectKey } from '../owner/project-key.js';
import { registerProblems, volumeProblems } from '../register/problems.js';
import { readProofs } from '../register/vouch.js';
import { SCHEMA_VERSION } from '../schema/steps.js';
import { APPLICATION_ID } from '../sqlite/mark.js';
import type { KeyRecord } from '../turn/key/chain.js';
import type { PublicKeys } from '../turn/key/key.js';
import { metaProblems } from './meta-problems.js';
import type { StorePlace } from './open.js';
import type { SqlDriver } from './port/driver.js';
import { createStore } from './store.js';

/** A store that is only looked at, and what is wrong with the place itself. */
export interface StoreToVerify {
  /** `undefined`: nothing in it can be read. */
  readonly store: Store | undefined;
  readonly problems: readonly string[];
  /** Whose work it holds, as far as that can be read. */
  readonly claim?: Claim;
  /** The keys that it has on record. Nothing of them is believed yet. */
  readonly keys?: readonly KeyRecord[];
  /** The keys of machines that had the key of the project. */
  readonly memberKeys?: PublicKeys;
  /** An anchor outside notes where its runs stand, or did. */
  readonly isAnchored: boolean;
  /** It was copied first: where it is nothing may be written. */
  readonly isCopy: boolean;
  close(): Promise<void>;
}

/**
 * Opens a journal to look at it: nothing in it is changed, and no damage keeps it from being opened. One that may not
 * be written is copied to a private folder first. Rejects with a `JournalFailure` only when the place cannot be reached.
 */
export async function openForVerify(
  place: StorePlace,
  { project, key }: ProjectToVerify = {},
): Promise<StoreToVerify> {
  const problems: string[] = [];
  const tell = (what: string, thrown: unknown) => problems.push(`${what} (${codeOf(thrown)})`);
  if ('databaseUrl' in place) {
    const { driver, schema } = await openToLook(place.databaseUrl, project);
    const looked = await look(driver, { problems, isCopy: false, key, close: () => driver.close() });
    const { postgresLayoutProblems } = await import('../postgres/layout.js');
    await postgresLayoutProblems(driver, schema, looked.layout).then(
      (found) => problems.push(...found),
      (thrown: unknown) => tell('how the tables are declared cannot be read', thrown),
    );
    return looked;
  }
  const isCopy = !(await isMeantToBeWritten(place.file));
  const copied = isCopy ? await copyPrivately(place.file, ['-wal']) : undefined;
  if (copied?.ok === false) {
    const close = async () => undefined;
    return { store: undefined, problems: ['the file cannot be read'], isAnchored: false, isCopy, close };
  }
  const remove = async () => copied?.value.remove();
  try {
    const path = copied?.value.path ?? place.file;
    const { openSqlite } = await import('../sqlite/driver.js');
    const driver = await openSqlite(path, { now: Date.now, pollMs: 1000, busyMs: 10_000, isReading: true });
    const close = async () => {
      await driver.close();
      await remove();
    };
    const [mark] = await driver.rows('PRAGMA application_id').catch((thrown: unknown) => {
      tell('the file cannot be read as a database', thrown);
      return [];
    });
    if (mark !== undefined && Number(mark[0]) !== APPLICATION_ID) {
      problems.push('the file does not have the mark of a journal');
    }
    const looked = await look(driver, { problems, isCopy, close });
    const { layoutProblems } = await import('../sqlite/layout.js');
    problems.push(...(await layoutProblems(driver, looked.layout).catch(() => [])));
    return looked;
  } catch (thrown) {
    if (isBusy(thrown)) throw thrown;
    tell('the file cannot be opened', thrown);
    return { store: undefined, problems, isAnchored: false, isCopy, close: remove };
  }
}

export interface ProjectToVerify {
  /** Whose records are looked at in a database that several projects share. */
  readonly project?: string | undefined;
  /** Machines that prove that they had it are believed. */
  readonly key?: ProjectKey | undefined;
}

async function openToLook(databaseUrl: string, project: string | undefined) {
  const [{ openPostgres }, { schemaToLookAt }] = await Promise.all([
    import('../postgres/driver.js'),
    import('../postgres/find-schema.js'),
  ]);
  const limits = { pollMs: 1000, busyMs: 10_000 };
  const driver = await openPostgres(databaseUrl, limits);
  const schema = await schemaToLookAt(driver, project).catch(() => undefined);
  if (schema === undefined) return { driver, schema };
  await driver.close();
  return { driver: await openPostgres(databaseUrl, { ...limits, schema }), schema };
}

interface Looking {
  readonly key?: ProjectKey | undefined;
  readonly problems: string[];
  readonly isCopy: boolean;
  close(): Promise<void>;
}

async function look(
  driver: SqlDriver,
  { problems, isCopy, key, close }: Looking,
): Promise<StoreToVerify & { readonly layout: number }> {
  const orTell = async <Value>(what: string, read: Promise<Value>, otherwise: Value): Promise<Value> =>
    read.catch((thrown: unknown) => {
      problems.push(`${what} cannot be read (${codeOf(thrown)})`);
      return otherwise;
    });
  const ask = (sql: string) => driver.rows(sql).catch(() => []);
  const [version] = await ask("SELECT value FROM cuebook_meta WHERE name = 'schema'");
  const found = Number(version?.[0]);
  const isLayout = Number.isSafeInteger(found) && found >= 1 && found <= SCHEMA_VERSION;
  if (!isLayout) problems.push('its layout is not one that this version knows');
  for (const table of TABLES) {
    const isThere = await driver.rows(`SELECT 1 FROM ${table} LIMIT 1`).then(
      () => true,
      () => false,
    );
    if (!isThere) problems.push(`the table ${table} cannot be read`);
  }
  const ticks = () => performance.now();
  const layout = isLayout ? found : SCHEMA_VERSION;
  const store = createStore({ driver, schemaVersion: layout, now: Date.now, ticks });
  const [anchored] = await ask("SELECT value FROM cuebook_meta WHERE name = 'anchored'");
  const isOwned = !(found < OWNER_SINCE);
  const claim = isOwned ? await orTell(OWNER, readClaim(driver), undefined) : undefined;
  const isAnchored = Number(anchored?.[0]) === 1;
  // A store is claimed before it is anchored.
  if (isOwned && isAnchored && guard('verify.owner', claim === undefined) && !problems.some(isOfOwner)) {
    problems.push(`${OWNER} is not said any more`);
  }
  const isJoined = key !== undefined && !(found < MEMBERS_SINCE);
  const members = isJoined ? await orTell('the machines', readMembers(driver, key), []) : [];
  if (isJoined) {
    problems.push(...(await orTell('the machines', strangers(driver, key), [])));
    const beside = await orTell('the proofs of the registers', readProofs(driver), () => undefined);
    problems.push(...(await orTell('the registers', registerProblems(store, { key, beside }), [])));
  }
  problems.push(...(await orTell('the registers', volumeProblems(store), [])));
  const keys = found < KEYS_SINCE ? [] : await orTell('the records of keys', readKeyRows(driver), []);
  if (isLayout)
    problems.push(
      ...(await orTell('what it says of itself', metaProblems(driver, { layout, claim, keys }), [])),
    );
  return {
    store,
    layout,
    problems,
    // A store is anchored as soon as it is claimed, whatever it says.
    isAnchored: isAnchored || claim !== undefined,
    isCopy,
    close,
    keys,
    memberKeys: keysOfMembers(members),
    ...(claim && { claim }),
  };
}

const OWNER = 'whose records these are';
const isOfOwner = (problem: string): boolean => problem.startsWith(OWNER);

/** What every layout has. */
const TABLES = [
  'cuebook_meta',
  'cuebook_runs',
  'cuebook_commits',
  'cuebook_blobs',
  'cuebook_refs',
  'cuebook_projections',
];

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof JournalFailure &&
  thrown.error.code === 'E_JOURNAL_UNAVAILABLE' &&
  thrown.error.reason === 'busy';

function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  if (/^[A-Z0-9_]{3,40}$/.test(code)) return code;
  return thrown instanceof JournalFailure ? thrown.error.code : 'unknown';
}
