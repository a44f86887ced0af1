import { dirname } from 'node:path';
import { openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import { type AnchorKeeper, keepAnchor } from '../anchor/keep.js';
import type { Store, StoreFault } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { claimStore } from '../owner/claim.js';
import { keepKeyRows } from '../owner/key-rows.js';
import { hasMembers, joinProject, keysOfMembers } from '../owner/members.js';
import type { StoreOwner } from '../owner/project.js';
import type { ProjectKey } from '../owner/project-key.js';
import { queueSchemaOf, type SchemaName } from '../postgres/schema.js';
import type { FindProof } from '../register/key-proof.js';
import { registerProblems } from '../register/problems.js';
import { hasRegisters, isOfDatabase, readProofs, vouchForRegisters } from '../register/vouch.js';
import type { JournalResult } from '../result.js';
import { migrate } from '../schema/migrate.js';
import { SCHEMA_VERSION } from '../schema/steps.js';
import { sharedHome, shareKeys } from '../shared/shared-home.js';
import { preparePrivateFile, requirePrivateFile } from '../sqlite/private-file.js';
import { missingPart } from './missing-part.js';
import type { SqlDriver } from './port/driver.js';
import type { OpenedDriver } from './port/opened.js';
import { createStore, type StoreParts } from './store.js';

/** Where the journal is: a file of its own, or a Postgres database that others may use as well. */
export type StorePlace = { readonly file: string } | { readonly databaseUrl: string };

/** Time as a store knows it. */
export interface StoreClock {
  /** Milliseconds since the epoch. It may leap: people and machines set it. */
  now(): number;
  /** Milliseconds since some moment, on a clock that never leaps; left out, `now` is one that does not. */
  ticks?(): number;
}

export interface StoreOptions {
  /**
   * The time of events, and of leases where the store has no clock of its own. Left out: the clock of the database, and
   * for a file that of the machine.
   */
  readonly clock?: StoreClock;
  /** For tests: called before and after each step of an append. */
  readonly fault?: StoreFault;
  /** Whose work it holds. A store of another project is refused; without an owner nobody is asked, and no anchor kept. */
  readonly owner?: StoreOwner;
  /** How often to look for commits that nothing told of, while a subscriber waits. */
  readonly pollMs?: number;
  /** Nothing is made for a project that the database does not have: it is refused. */
  readonly isJoining?: boolean;
  /** The folder with the keys of the vault, CUEBOOK_HOME; left out: the folder of the file. */
  readonly home?: string;
  /** How long to wait for a lock that another process holds before giving up. */
  readonly busyMs?: number;
}

/**
 * Opens a journal and brings it to the newest layout; a missing file is made, private to the user. Several
 * processes may open the same one.
 */
export const openStore = (place: StorePlace, options: StoreOptions = {}): Promise<JournalResult<Store>> =>
  openAs(place, options, { isRestored: false });

/** In a database each project has tables of its own: where they may lie is tried one after the other. */
async function openAs(
  place: StorePlace,
  options: StoreOptions,
  as: { readonly isRestored: boolean },
): Promise<JournalResult<Store>> {
  const schemas = await schemasOf(place, options);
  if (!schemas.ok) return schemas;
  let opened: JournalResult<Store> = fail({ code: 'E_JOURNAL_CLOSED' });
  for (const schema of schemas.value) {
    opened = await openIn(place, options, { ...as, schema });
    if (opened.ok || opened.error.code !== 'E_JOURNAL_PROJECT') return opened;
  }
  return opened;
}

async function schemasOf(
  place: StorePlace,
  { owner, busyMs = BUSY_MS, isJoining = false }: StoreOptions,
): Promise<JournalResult<readonly SchemaName[]>> {
  if (!('databaseUrl' in place) || owner === undefined) return ok([undefined]);
  try {
    const [{ openPostgres }, { findSchemas }] = await Promise.all([
      import('../postgres/driver.js'),
      import('../postgres/find-schema.js'),
    ]);
    const driver = await openPostgres(place.databaseUrl, { pollMs: 1000, busyMs });
    try {
      return await findSchemas(driver, owner, { isJoining });
    } catch (thrown) {
      return fail(driver.explain(thrown));
    } finally {
      await driver.close();
    }
  } catch (thrown) {
    return fail(explainOpening(thrown));
  }
}

async function openIn(
  place: StorePlace,
  options: StoreOptions,
  { isRestored, schema }: { readonly isRestored: boolean; readonly schema: SchemaName },
): Promise<JournalResult<Store>> {
  const opened = await openDriver(place, options, schema);
  if (!opened.ok) return opened;
  const { driver, tables } = opened.value;
  const shared = options.clock === undefined ? driver.clock : undefined;
  const clock: StoreClock = options.clock ?? shared ?? MACHINE_CLOCK;
  const now = () => clock.now();
  const ticks = () => clock.ticks?.() ?? clock.now();
  try {
    await shared?.sync();
    const version = await migrate(driver, tables);
    if (!version.ok) {
      await driver.close();
      return version;
    }
    const { owner, fault } = options;
    const owned = await openOwned(driver, { owner, now, isRestored });
    if (!owned.ok) {
      await driver.close();
      return owned;
    }
    const { anchor, project } = owned.value;
    const queueSchema = project && queueSchemaOf(schema);
    const parts = {
      driver,
      schemaVersion: version.value,
      now,
      ticks,
      clock: shared,
      fault,
      project,
      queueSchema,
    };
    const folder = options.home ?? ('file' in place ? dirname(place.file) : undefined);
    const home = folder === undefined ? undefined : await openSharedHome(folder, { driver, now, project });
    return ok(createStore({ ...parts, home, anchor, signer: owner?.signer }));
  } catch (thrown) {
    const error = driver.explain(thrown);
    await driver.close();
    return fail(error);
  }
}

/**
 * Restores a backup into a place where there is no journal yet, of either kind, and opens it. The backup is only
 * read.
 */
export async function restoreStore(
  backupFile: string,
  place: StorePlace,
  options: StoreOptions = {},
): Promise<JournalResult<Store>> {
  const source = await requirePrivateFile(backupFile);
  if (!source.ok) return source;
  if ('file' in place) {
    const forged = await findForged(source.value, options.owner);
    if (forged !== undefined) return fail(forged);
  }
  const schemas = await schemasOf(place, options);
  if (!schemas.ok) return schemas;
  const target = await openDriver(place, options, schemas.value.at(-1));
  if (!target.ok) return target;
  try {
    const { restore } = await import('./keep/backup.js');
    await restore(source.value, target.value);
  } catch (thrown) {
    return fail(target.value.driver.explain(thrown));
  } finally {
    await target.value.driver.close();
  }
  return openAs(place, options, { isRestored: true });
}

/**
 * In a file nobody needs a proof for what the project keeps about itself: whatever a database had that was written
 * without the key of the project, and so counted for nothing, would count there.
 */
async function findForged(path: string, owner: StoreOwner | undefined): Promise<JournalError | undefined> {
  const { openSqlite } = await import('../sqlite/driver.js');
  const driver = await openSqlite(path, { now: Date.now, pollMs: 1000, busyMs: BUSY_MS, isReading: true });
  try {
    if (!(await isOfDatabase(driver))) return undefined;
    const key = owner?.projectKey;
    const store = createStore({ driver, schemaVersion: SCHEMA_VERSION, now: Date.now, ticks: Date.now });
    if (!(await hasRegisters(store))) return undefined;
    if (key === undefined) return { code: 'E_JOURNAL_PROJECT_KEY', reason: 'missing' };
    const [problem] = await registerProblems(store, { key, beside: await readProofs(driver) });
    return guard('restore.forged', problem !== undefined)
      ? { code: 'E_JOURNAL_CORRUPT', what: `the backup: ${problem}` }
      : undefined;
  } catch (thrown) {
    return driver.explain(thrown);
  } finally {
    await driver.close();
  }
}

/** The home that the vault lies in: on the disk, or as far as machines share it in the store. */
async function openSharedHome(
  folder: string,
  { driver, now, project }: Pick<StoreParts, 'driver' | 'now' | 'project'>,
): Promise<NonNullable<StoreParts['home']>> {
  const disk = () => openFolder(folder);
  if (project === undefined) return disk;
  const opened = await openFolder(folder, { create: true });
  if (!opened.ok) return disk;
  const shared = sharedHome(opened.value, driver, project.key, now);
  await shareKeys(opened.value, shared);
  return async () => ok(shared);
}

/** Makes sure whose store it is, takes up its anchor, and in a database joins the machines of the project. */
async function openOwned(
  driver: SqlDriver,
  { owner, isRestored, now }: OwnedOptions,
): Promise<JournalResult<Owned>> {
  if (owner === undefined) return ok({});
  const claimed = await claimStore(driver, owner, { isRestored });
  if (!claimed.ok) return claimed;
  await keepKeyRows(driver, owner.keys);
  const joined =
    driver.kind === 'postgres' ? await join(driver, owner, { id: claimed.value.id, now }) : ok(undefined);
  if (!joined.ok) return joined;
  const project = joined.value && {
    ...joined.value,
    proofs: await openProofs(driver, { key: joined.value.key, now, isRestored }),
  };
  await owner.keep({ ...owner.project, id: claimed.value.id });
  const [row] = await driver.rows("SELECT value FROM cuebook_meta WHERE name = 'anchored'");
  const isAnchored = Number(row?.[0]) === 1;
  // Each machine keeps an anchor of its own, from the day on which it joined.
  const isExpected = isAnchored && project?.isNew !== true;
  const publicKeys = new Map([...(project?.keys ?? []), ...owner.publicKeys]);
  const own = { ...owner, publicKeys, project: { ...owner.project, id: claimed.value.id } };
  const anchor = await keepAnchor({ session: driver, owner: own, now, isExpected });
  if (!isAnchored) {
    await driver.write(async (session) => {
      await session.rows("UPDATE cuebook_meta SET value = 1 WHERE name = 'anchored'");
      return { keep: true, value: undefined };
    });
  }
  return ok({ anchor, project });
}

/** The proofs of what a file had in its registers, which are made when it is restored here. */
async function openProofs(
  driver: SqlDriver,
  { key, now, isRestored }: Pick<OwnedOptions, 'now' | 'isRestored'> & { readonly key: ProjectKey },
): Promise<FindProof> {
  if (isRestored) {
    const store = createStore({ driver, schemaVersion: SCHEMA_VERSION, now, ticks: now });
    await vouchForRegisters(driver, { store, key });
  }
  return readProofs(driver);
}

interface Owned {
  readonly anchor?: AnchorKeeper | undefined;
  readonly project?: StoreParts['project'];
}

/** The project's key is made by the machine that comes first; whoever has another one is refused. */
async function join(
  driver: SqlDriver,
  owner: StoreOwner,
  { id, now }: { readonly id: string; readonly now: () => number },
): Promise<JournalResult<NonNullable<StoreParts['project']> & { readonly isNew: boolean }>> {
  const make = !(await hasMembers(driver));
  const found = owner.projectKey ? ok(owner.projectKey) : await owner.takeProjectKey(id, { make });
  if (!found.ok) return fail({ code: 'E_JOURNAL_PROJECT_KEY', reason: 'kept' });
  const key = found.value;
  if (key?.project !== id) return fail({ code: 'E_JOURNAL_PROJECT_KEY', reason: 'other' });
  const joined = await joinProject(driver, { key, signer: owner.signer, at: Math.trunc(now()) });
  if (!joined.ok) return joined;
  const { members, isNew } = joined.value;
  return ok({ key, keys: keysOfMembers(members), isNew });
}

interface OwnedOptions {
  readonly owner: StoreOwner | undefined;
  readonly now: () => number;
  /** Somebody restored it here on purpose: it is theirs, whoever signed what is in it. */
  readonly isRestored: boolean;
}

const MACHINE_CLOCK: StoreClock = { now: () => Date.now(), ticks: () => performance.now() };

/**
 * Opens the place as it is, whatever its layout. The database is loaded when it is opened: both are large, and most
 * calls of a command open none.
 */
async function openDriver(
  place: StorePlace,
  options: StoreOptions,
  schema: SchemaName,
): Promise<JournalResult<OpenedDriver>> {
  const { clock = MACHINE_CLOCK, busyMs = BUSY_MS } = options;
  try {
    if ('databaseUrl' in place) {
      const { openPostgres, postgresTables } = await import('../postgres/driver.js');
      const driver = await openPostgres(place.databaseUrl, {
        pollMs: options.pollMs ?? 1000,
        busyMs,
        schema,
      });
      if (schema !== undefined) await makeIn(driver, schema);
      return ok({ driver, tables: postgresTables(schema) });
    }
    const path = await preparePrivateFile(place.file);
    if (!path.ok) return path;
    const now = () => clock.now();
    const { openSqlite, SQLITE_TABLES } = await import('../sqlite/driver.js');
    const driver = await openSqlite(path.value, { now, pollMs: options.pollMs ?? 100, busyMs });
    return ok({ driver, tables: SQLITE_TABLES });
  } catch (thrown) {
    return fail(explainOpening(thrown));
  }
}

async function makeIn(driver: SqlDriver, schema: string): Promise<void> {
  const { makeSchema } = await import('../postgres/find-schema.js');
  try {
    await makeSchema(driver, schema);
  } catch (thrown) {
    const error = driver.explain(thrown);
    await driver.close();
    throw new JournalFailure(error);
  }
}

const BUSY_MS = 10_000;

function explainOpening(thrown: unknown): JournalError {
  if (thrown instanceof JournalFailure) return thrown.error;
  return missingPart(thrown) ?? { code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed' };
}
