import { guard } from '@cuebook/guard';
import { JournalFailure } from '../error.js';
import type { SqliteConnection } from './connection.js';

/** Marks a file as a journal. */
export const APPLICATION_ID = 0x43756542;

/** Marks a new file; its page size and kind of vacuum must be set before the first table. */
export function setUpFile(connection: SqliteConnection): void {
  if (pragma(connection, 'page_count') > 0) return;
  connection.run('PRAGMA page_size = 4096');
  connection.run('PRAGMA auto_vacuum = INCREMENTAL');
  connection.run(`PRAGMA application_id = ${APPLICATION_ID}`);
}

/** Refuses a file of something else, before anything is changed in it. */
export function requireOurs(connection: SqliteConnection): void {
  if (guard('file.foreign', pragma(connection, 'application_id') !== APPLICATION_ID)) {
    throw new JournalFailure({ code: 'E_JOURNAL_FOREIGN', what: 'the file was made by something else' });
  }
}

const pragma = (connection: SqliteConnection, name: string): number =>
  Number(connection.run(`PRAGMA ${name}`)[0]?.[0]);
