import { dirname } from 'node:path';
import { openFolder } from '@cuebook/files';
import { fail, ok } from '@cuebook/prompt';
import { type AnchorKeeper, keepAnchor } from '../anchor/keep.js';
import type { Store, StoreFault } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { claimStore } from '../owner/claim.js';
import { keepKeyRows } from '../owner/key-rows.js';
import type { StoreOwner } from '../owner/project.js';
import type { JournalResult } from '../result.js';
import { migrate } from '../schema/migrate.js';
import { preparePrivateFile, requirePrivateFile } from '../sqlite/private-file.js';
import type { SqlDriver } from './port/driver.js';
import type { OpenedDriver } from './port/opened.js';
import { createStore } from './store.js';

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
  /** The time of events, and of leases where the store has no clock of its own. */
  readonly clock?: StoreClock;
  /** For tests: called before and after each step of an append. */
  readonly fault?: StoreFault;
  /** Whose work it holds. A store of another project is refused; without an owner nobody is asked, and no anchor kept. */
  readonly owner?: StoreOwner;
  /** How often to look for commits that nothing told of, while a subscriber waits. */
  readonly pollMs?: number;
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

async function openAs(
  place: StorePlace,
  options: StoreOptions,
  { isRestored }: { readonly isRestored: boolean },
): Promise<JournalResult<Store>> {
  const { clock = MACHINE_CLOCK } = options;
  const now = () => clock.now();
  const ticks = () => clock.ticks?.() ?? clock.now();
  const opened = await openDriver(place, options);
  if (!opened.ok) return opened;
  const { driver, tables } = opened.value;
  try {
    const version = await migrate(driver, tables);
    if (!version.ok) {
      await driver.close();
      return version;
    }
    const { owner, fault } = options;
    const anchor = await openOwned(driver, { owner, now, isRestored });
    if (!anchor.ok) {
      await driver.close();
      return anchor;
    }
    const parts = { driver, schemaVersion: version.value, now, ticks, fault };
    const home = options.home ?? ('file' in place ? dirname(place.file) : undefined);
    const vault = home === undefined ? {} : { home: () => openFolder(home) };
    return ok(createStore({ ...parts, ...vault, anchor: anchor.value, signer: owner?.signer }));
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
  const target = await openDriver(place, options);
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

/** Makes sure whose store it is, and takes up its anchor. */
async function openOwned(
  driver: SqlDriver,
  { owner, isRestored, now }: OwnedOptions,
): Promise<JournalResult<AnchorKeeper | undefined>> {
  if (owner === undefined) return ok(undefined);
  const claimed = await claimStore(driver, owner, { isRestored });
  if (!claimed.ok) return claimed;
  await keepKeyRows(driver, owner.keys);
  if (owner.isNew) await owner.keep({ ...owner.project, id: claimed.value.id });
  const [row] = await driver.rows("SELECT value FROM cuebook_meta WHERE name = 'anchored'");
  const isExpected = Number(row?.[0]) === 1;
  const own = { ...owner, project: { ...owner.project, id: claimed.value.id } };
  const anchor = await keepAnchor({ session: driver, owner: own, now, isExpected });
  if (!isExpected) {
    await driver.write(async (session) => {
      await session.rows("UPDATE cuebook_meta SET value = 1 WHERE name = 'anchored'");
      return { keep: true, value: undefined };
    });
  }
  return ok(anchor);
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
async function openDriver(place: StorePlace, options: StoreOptions): Promise<JournalResult<OpenedDriver>> {
  const { clock = MACHINE_CLOCK, busyMs = 10_000 } = options;
  try {
    if ('databaseUrl' in place) {
      const { openPostgres, POSTGRES_TABLES } = await import('../postgres/driver.js');
      const driver = await openPostgres(place.databaseUrl, { pollMs: options.pollMs ?? 1000, busyMs });
      return ok({ driver, tables: POSTGRES_TABLES });
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

function explainOpening(thrown: unknown): JournalError {
  if (thrown instanceof JournalFailure) return thrown.error;
  return { code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed' };
}
