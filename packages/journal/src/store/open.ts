import { dirname } from 'node:path';
import { openFolder } from '@cuebook/files';
import { fail, ok } from '@cuebook/prompt';
import type { Fault, Store } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { openPostgres, POSTGRES_TABLES } from '../postgres/driver.js';
import type { JournalResult } from '../result.js';
import { migrate } from '../schema/migrate.js';
import { openSqlite, SQLITE_TABLES } from '../sqlite/driver.js';
import { preparePrivateFile, requirePrivateFile } from '../sqlite/private-file.js';
import { restore } from './keep/backup.js';
import type { OpenedDriver } from './port/opened.js';
import { createStore } from './store.js';

/** Where the journal is: a file of its own, or a Postgres database that others may use as well. */
export type StorePlace = { readonly file: string } | { readonly databaseUrl: string };

export interface StoreOptions {
  /** The time of events, and of leases where the store has no clock of its own. */
  readonly clock?: { now(): number };
  /** For tests: called before and after each step of an append. */
  readonly fault?: Fault;
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
export async function openStore(
  place: StorePlace,
  options: StoreOptions = {},
): Promise<JournalResult<Store>> {
  const now = () => (options.clock ?? Date).now();
  const opened = await openDriver(place, options);
  if (!opened.ok) return opened;
  const { driver, tables } = opened.value;
  try {
    const version = await migrate(driver, tables);
    if (version.ok) {
      const home = options.home ?? ('file' in place ? dirname(place.file) : undefined);
      return ok(
        createStore({
          driver,
          schemaVersion: version.value,
          now,
          fault: options.fault,
          ...(home !== undefined && { home: () => openFolder(home) }),
        }),
      );
    }
    await driver.close();
    return version;
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
    await restore(source.value, target.value);
  } catch (thrown) {
    return fail(target.value.driver.explain(thrown));
  } finally {
    await target.value.driver.close();
  }
  return openStore(place, options);
}

/** Opens the place as it is, whatever its layout. */
async function openDriver(place: StorePlace, options: StoreOptions): Promise<JournalResult<OpenedDriver>> {
  const { clock = Date, busyMs = 10_000 } = options;
  try {
    if ('databaseUrl' in place) {
      const driver = await openPostgres(place.databaseUrl, { pollMs: options.pollMs ?? 1000, busyMs });
      return ok({ driver, tables: POSTGRES_TABLES });
    }
    const path = await preparePrivateFile(place.file);
    if (!path.ok) return path;
    const now = () => clock.now();
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
