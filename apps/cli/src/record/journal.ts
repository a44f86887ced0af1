import { join } from 'node:path';
import { describeFileError, type Files, isMeantToBeWritten, openFolder } from '@cuebook/files';
import {
  anchorFileOf,
  describeJournalError,
  type JournalError,
  JournalFailure,
  type KeyError,
  knownKeys,
  openForVerify,
  openOwner,
  openStore,
  type PublicKeys,
  readKeyFiles,
  type Store,
  type StoreOwner,
  type StorePlace,
} from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Flags, flagValue } from '../command.js';
import { type ExitCode, Failure } from '../failure.js';
import type { Io } from '../io.js';
import { findProject } from '../project/find.js';
import { homeFolder } from '../project/home.js';
import { namedPath, requireFile } from '../project/named-file.js';

/** The records of a project. */
export interface Journal {
  readonly store: Store;
  /** CUEBOOK_HOME. */
  readonly home: Files;
  /** Whose signatures count here. */
  readonly keys: PublicKeys;
}

/** Where the records are: CUEBOOK_HOME (`.cuebook` in the project), and the database if one is named. */
export interface JournalPlace {
  readonly home: string;
  readonly place: StorePlace;
  /** The project's folder, or what stands for it where records are read from anywhere. */
  readonly folder: string;
  /** Where the anchor is. */
  readonly anchorFile: string;
  readonly env?: Io['env'];
}

export async function journalPlace(flags: Flags, io: Io): Promise<JournalPlace> {
  const env = withDatabase(flags, io.env);
  const { CUEBOOK_HOME: named, CUEBOOK_DATABASE_URL: databaseUrl } = env;
  // Where the home is named, records can be read from anywhere.
  const folder = named ? io.cwd : await findProject(io.cwd, flagValue(flags, 'project'));
  const home = homeFolder(folder, io);
  const place = databaseUrl ? { databaseUrl } : { file: join(home, JOURNAL_FILE) };
  return { home, place, folder, anchorFile: anchorFileOf(home, env), env };
}

const JOURNAL_FILE = 'journal.db';

/** The environment with the database and the repositories that the call names. */
export function withDatabase(flags: Flags, env: Io['env']): Io['env'] {
  const databaseUrl = flagValue(flags, 'database');
  const workspaces = flagValue(flags, 'workspaces');
  const source = flagValue(flags, 'source');
  return {
    ...env,
    ...(databaseUrl === undefined ? {} : { CUEBOOK_DATABASE_URL: databaseUrl }),
    ...(workspaces === undefined ? {} : { CUEBOOK_WORKSPACES: workspaces }),
    ...(source === undefined ? {} : { CUEBOOK_SOURCE: source }),
  };
}

/**
 * Opens the records, does the work and closes them. Where nothing was recorded yet the work gets `undefined`, and
 * nothing is made on the disk.
 */
export async function withJournal<Answer>(
  flags: Flags,
  io: Io,
  work: (journal: Journal | undefined) => Promise<Answer>,
): Promise<Answer> {
  const where = await journalPlace(flags, io);
  if ('databaseUrl' in where.place) return withOpened(where, work);
  if (!(await isThere(io, where.place.file))) return work(undefined);
  return (await isMeantToBeWritten(where.place.file)) ? withOpened(where, work) : withCopy(where, work);
}

/** Records that may not be written where they are: work that reads has a copy, work that writes fails. */
async function withCopy<Answer>(
  { home, place }: JournalPlace,
  work: (journal: Journal) => Promise<Answer>,
): Promise<Answer> {
  const files = requireFile(await openFolder(home, { access: 'ro' }), 'CUEBOOK_HOME');
  const { store, problems, close } = await openForVerify(place);
  try {
    const [problem] = problems;
    if (store === undefined || problem !== undefined)
      throw new Failure(
        'E_JOURNAL_UNAVAILABLE',
        `The journal may not be written where it is, and a copy of it cannot be read: ${problem ?? 'it is empty'}. ${hint`verify`} says more.`,
        { exit: 3 },
      );
    const keys = await knownKeys(store, (await readKeyFiles(files)).keys);
    return await work({ store, home: files, keys });
  } catch (error) {
    throw error instanceof JournalFailure ? journalFailure(error.error) : error;
  } finally {
    await close();
  }
}

/** The same for work that may be the first: what is missing is made, private to the user. */
export async function withOpened<Answer>(
  where: JournalPlace,
  work: (journal: Journal) => Promise<Answer>,
): Promise<Answer> {
  const files = requireFile(await openFolder(where.home, { create: 'ignored' }), 'CUEBOOK_HOME');
  const owner = await requireOwner(files, where);
  const opened = await openStore(where.place, { owner, home: where.home });
  if (!opened.ok) throw journalFailure(opened.error);
  const store = opened.value;
  try {
    const keys = await knownKeys(store, owner.publicKeys);
    return await work({ store, home: store.share(files), keys });
  } catch (error) {
    throw error instanceof JournalFailure ? journalFailure(error.error) : error;
  } finally {
    await store.close();
  }
}

/** The project of a home: its key and its id are made on first use. */
export async function requireOwner(
  home: Files,
  { folder, anchorFile, env }: JournalPlace,
): Promise<StoreOwner> {
  const owner = await openOwner(home, { folder, anchorFile, ...(env && { env }) });
  if (!owner.ok)
    throw owner.error.code === 'E_JOURNAL_PROJECT_KEY'
      ? journalFailure(owner.error)
      : keyFailure(owner.error);
  return owner.value;
}

/** A failure of the journal in the words and with the exit code of the command. */
export const journalFailure = (error: JournalError): Failure =>
  new Failure(error.code, describeJournalError(error), { exit: EXITS[error.code] ?? 1 });

/** A key that cannot be used. */
export const keyFailure = (error: KeyError): Failure =>
  error.code === 'E_JOURNAL_KEY'
    ? new Failure(error.code, `${error.path} is not an Ed25519 key`, { exit: 3 })
    : new Failure(error.code, describeFileError(error), { exit: 3 });

/** What the environment lacks; anything else is a no. */
const EXITS: Readonly<Partial<Record<JournalError['code'], ExitCode>>> = {
  E_JOURNAL_UNAVAILABLE: 3,
  E_JOURNAL_SCHEMA_NEWER: 3,
  E_JOURNAL_NEWER: 3,
  E_JOURNAL_FOREIGN: 3,
  E_JOURNAL_PROJECT: 3,
  E_JOURNAL_PROJECT_KEY: 3,
  E_JOURNAL_INVALID: 3,
  E_JOURNAL_PART: 3,
  E_JOURNAL_POOL: 3,
};

async function isThere(io: Io, file: string): Promise<boolean> {
  const { disk, path } = await namedPath(io.cwd, file);
  return (await disk.stat(path)).ok;
}
