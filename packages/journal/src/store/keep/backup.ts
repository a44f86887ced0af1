import { guard } from '@cuebook/guard';
import { JournalFailure } from '../../error.js';
import { alignNumbers, migrate, readVersion, setLayout } from '../../schema/migrate.js';
import { connect } from '../../sqlite/connection.js';
import { explainSqlite, SQLITE_TABLES } from '../../sqlite/driver.js';
import { requireOurs, setUpFile } from '../../sqlite/mark.js';
import { makePrivateFile, removeDatabase } from '../../sqlite/private-file.js';
import type { SqlDriver } from '../port/driver.js';
import type { OpenedDriver } from '../port/opened.js';
import { copyTables } from './copy.js';

/**
 * Copies one moment of the store into a new file. Whatever the driver, the copy is an SQLite file, and all of it is
 * in that one file: it can be opened, audited and restored into either.
 */
export async function backup(driver: SqlDriver, file: string): Promise<void> {
  const path = await makePrivateFile(file);
  if (!path.ok) throw new JournalFailure(path.error);
  const copy = connect(path.value);
  try {
    setUpFile(copy);
    copy.run('PRAGMA synchronous = FULL');
    copy.run('BEGIN IMMEDIATE');
    await driver.snapshot(async (session) => {
      const version = await readVersion(session);
      await setLayout(copy, SQLITE_TABLES, version);
      await copyTables(session, copy, version);
    });
    copy.run('COMMIT');
    copy.close();
  } catch (thrown) {
    copy.close();
    await removeDatabase(file);
    throw thrown;
  }
}

/** Copies a backup into a place where there is nothing yet, and brings it to the newest layout there. */
export async function restore(path: string, { driver, tables }: OpenedDriver): Promise<void> {
  const source = connect(path);
  try {
    requireOurs(source);
    source.run('BEGIN');
    const version = await readVersion(source);
    await driver.write(async (target) => {
      const there = await target.rows(tables.list);
      if (guard('restore.empty', there.length > 0)) {
        throw new JournalFailure({
          code: 'E_JOURNAL_FOREIGN',
          what: 'there is a journal in that place already',
        });
      }
      await setLayout(target, tables, version);
      await copyTables(source, target, version);
      await alignNumbers(target, tables, version);
      return { keep: true, value: undefined };
    });
  } catch (thrown) {
    throw isOfSource(thrown) ? new JournalFailure(explainSqlite(thrown)) : thrown;
  } finally {
    source.close();
  }
  const migrated = await migrate(driver, tables);
  if (!migrated.ok) throw new JournalFailure(migrated.error);
}

/** Failures of the embedded database have its own codes, whatever the other side is. */
const isOfSource = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && /^SQLITE_/.test(String(thrown.code));
