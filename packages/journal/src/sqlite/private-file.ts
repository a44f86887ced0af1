import { basename, dirname, resolve } from 'node:path';
import { describeFileError, type FileError, type Files, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { JournalError } from '../error.js';
import type { JournalResult } from '../result.js';

/**
 * Makes sure that the file is there and private, before the database touches it: SQLite gives the files that it
 * puts beside it (`-wal`, `-shm`) the mode of the file itself. A missing folder is made with mode 0700. Answers the
 * path to open.
 */
export async function preparePrivateFile(file: string): Promise<JournalResult<string>> {
  const place = await openPlace(file, true);
  if (!place.ok) return place;
  return inTurn(async () => {
    const found = await place.value.folder.stat(place.value.name);
    if (found.ok) return checkFile(place.value);
    const made = await createEmpty(place.value.folder, place.value.name);
    // There already, made by another process just now.
    if (!made.ok && made.error.code !== 'E_FILE_CHANGED') return fail(unavailable(made.error));
    return checkFile(place.value);
  });
}

/**
 * A file that may be in use is looked at and never opened here: when any descriptor of a file is closed, the system takes
 * away every lock that the process has on it, those of its open connections too. Other processes would then take the
 * journal for unused, and remove the files beside it that have the newest commits. Creating opens, so it is done in turn.
 */
function inTurn<Value>(prepare: () => Promise<Value>): Promise<Value> {
  const done = turn.then(prepare);
  turn = done.catch(() => undefined);
  return done;
}

let turn: Promise<unknown> = Promise.resolve();

/** The same for a file that must be there. */
export async function requirePrivateFile(file: string): Promise<JournalResult<string>> {
  const place = await openPlace(file, false);
  return place.ok ? checkFile(place.value) : place;
}

async function checkFile({ folder, name, path }: Place): Promise<JournalResult<string>> {
  const found = await folder.stat(name);
  if (!found.ok) return fail(unavailable(found.error));
  const { kind, size, mode } = found.value;
  if (kind !== 'file') return fail({ code: 'E_JOURNAL_FOREIGN', what: 'it is not a file' });
  // The database takes a file of less than a page for an empty one and would write over it.
  if (guard('file.scrap', size > 0 && size < SMALLEST_PAGE)) {
    return fail({ code: 'E_JOURNAL_FOREIGN', what: 'the file is too small to be one' });
  }
  if (guard('file.private', (mode & 0o077) !== 0 && process.platform !== 'win32')) {
    const reason = 'others may read it; its mode must be 0600';
    return fail({ code: 'E_JOURNAL_INVALID', what: 'the file of the journal', reason });
  }
  return ok(path);
}

/** The same for a file that must not be there yet. */
export async function makePrivateFile(file: string): Promise<JournalResult<string>> {
  const place = await openPlace(file, true);
  if (!place.ok) return place;
  const made = await createEmpty(place.value.folder, place.value.name);
  if (made.ok) return ok(place.value.path);
  if (made.error.code !== 'E_FILE_CHANGED') return fail(unavailable(made.error));
  return fail({ code: 'E_JOURNAL_FOREIGN', what: 'there is a file in that place already' });
}

/** Takes away a database file that was not finished, with the files beside it. */
export async function removeDatabase(file: string): Promise<void> {
  const place = await openPlace(file, false);
  if (!place.ok) return;
  for (const suffix of ['', '-wal', '-shm']) await place.value.folder.remove(`${place.value.name}${suffix}`);
}

const SMALLEST_PAGE = 512;

interface Place {
  readonly folder: Files;
  readonly name: string;
  readonly path: string;
}

async function openPlace(file: string, create: boolean): Promise<JournalResult<Place>> {
  const path = resolve(file);
  const folder = await openFolder(dirname(path), { create });
  return folder.ok
    ? ok({ folder: folder.value, name: basename(path), path })
    : fail(unavailable(folder.error));
}

const createEmpty = (folder: Files, name: string) =>
  folder.writeBytes(name, new Uint8Array(), { ifMatch: 'absent', mode: 0o600 });

const unavailable = (error: FileError): JournalError => ({
  code: 'E_JOURNAL_UNAVAILABLE',
  reason: 'disk',
  system: describeFileError(error),
});
