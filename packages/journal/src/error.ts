import { hint } from '@cuebook/prompt/hint';
/** Why the journal refused or failed, as data. It never holds a path, an address or a password. */
export type JournalError =
  /** The command id was used before, for something else. */
  | { readonly code: 'E_JOURNAL_CONFLICT'; readonly run: string; readonly command: string }
  /** The run has gone on since the decision was made. */
  | {
      readonly code: 'E_JOURNAL_MOVED';
      readonly run: string;
      readonly expected: number;
      readonly found: number;
    }
  /** The lease is not held with this token any more. */
  | { readonly code: 'E_JOURNAL_FENCED'; readonly scope: string; readonly token: number }
  /** The run was removed; only its tombstone is left. */
  | { readonly code: 'E_JOURNAL_REMOVED'; readonly run: string }
  | { readonly code: 'E_JOURNAL_BLOB_MISSING'; readonly blob: string }
  | {
      readonly code: 'E_JOURNAL_TOO_LARGE';
      readonly what: string;
      readonly size: number;
      readonly limit: number;
    }
  | { readonly code: 'E_JOURNAL_INVALID'; readonly what: string; readonly reason: string }
  /** Whether the write was done is not known: the same command again settles it. */
  | { readonly code: 'E_JOURNAL_UNAVAILABLE'; readonly reason: UnavailableReason; readonly system?: string }
  | { readonly code: 'E_JOURNAL_CORRUPT'; readonly what: string }
  /** Written by a newer version; nothing was changed. */
  | { readonly code: 'E_JOURNAL_SCHEMA_NEWER'; readonly found: number; readonly known: number }
  /** A newer version wrote something that this one cannot read; whoever went on without it would take it for nothing. */
  | { readonly code: 'E_JOURNAL_NEWER'; readonly what: string; readonly place: string }
  | { readonly code: 'E_JOURNAL_FOREIGN'; readonly what: string }
  /** The files that sealed texts are opened with cannot be read or written; nothing was changed. */
  | { readonly code: 'E_JOURNAL_VAULT'; readonly reason: string }
  /** The store holds the work of another project, by its id and name. */
  | { readonly code: 'E_JOURNAL_PROJECT'; readonly project: string; readonly name: string }
  /** The key that the machines of a project have in common is missing here, is no key, or is that of another project. */
  | { readonly code: 'E_JOURNAL_PROJECT_KEY'; readonly reason: ProjectKeyReason }
  /** The key of this process was replaced, and the run began after that: nobody would believe its receipts. */
  | { readonly code: 'E_JOURNAL_KEY_REPLACED'; readonly key: string }
  /** The database is reached through a pool that gives a connection to somebody else between two transactions. */
  | { readonly code: 'E_JOURNAL_POOL' }
  /** A package that the store is opened with is not installed. */
  | { readonly code: 'E_JOURNAL_PART'; readonly part: string }
  | { readonly code: 'E_JOURNAL_CLOSED' };

export type ProjectKeyReason = 'malformed' | 'home' | 'other' | 'missing' | 'kept';

export type UnavailableReason = 'busy' | 'connection' | 'disk' | 'failed';

/** One sentence for people and agents. */
export function describeJournalError(error: JournalError): string {
  switch (error.code) {
    case 'E_JOURNAL_CONFLICT':
      return `Command ${error.command} of ${error.run} was used before for something else; give the new command an id of its own.`;
    case 'E_JOURNAL_MOVED':
      return `${error.run} is at event ${error.found}, not at ${error.expected}: read what came in between and decide again.`;
    case 'E_JOURNAL_FENCED':
      return `The lease ${error.scope} is not held with token ${error.token} any more: somebody else does the work now.`;
    case 'E_JOURNAL_REMOVED':
      return `${error.run} was removed from the journal; begin a new run.`;
    case 'E_JOURNAL_BLOB_MISSING':
      return `The blob ${error.blob} is not in the journal: hand in its content with the append.`;
    case 'E_JOURNAL_TOO_LARGE':
      return `Too large for the journal: ${error.what} is ${error.size}, the limit is ${error.limit}.`;
    case 'E_JOURNAL_INVALID':
      return `Not fit for the journal: ${error.what}: ${error.reason}.`;
    case 'E_JOURNAL_UNAVAILABLE':
      return `The journal could not be written or read: ${whyUnavailable(error)}${error.system ? ` (${error.system})` : ''}. ${thenAgain(error)}`;
    case 'E_JOURNAL_CORRUPT':
      return `The journal is damaged: ${error.what} is not as it was written. Run the audit, and restore a backup beside it.`;
    case 'E_JOURNAL_SCHEMA_NEWER':
      return `The journal has layout ${error.found} and this version knows ${error.known}: use the newer version. Nothing was changed.`;
    case 'E_JOURNAL_NEWER':
      return `A newer version of Cuebook has written ${JSON.stringify(error.what.slice(0, 80))} into ${error.place}, and this one does not know it: use the newer version. Nothing was changed.`;
    case 'E_JOURNAL_FOREIGN':
      return `Not a journal: ${error.what}. Name another place; nothing was changed.`;
    case 'E_JOURNAL_VAULT':
      return `The vault in CUEBOOK_HOME could not be read or written (${error.reason}), so nothing that it should keep was recorded. See that CUEBOOK_HOME is a folder that this user may write.`;
    case 'E_JOURNAL_PROJECT':
      return `The records in this place are those of another project: ${error.name} (${error.project}). Give this project a place of its own. Nothing was changed.`;
    case 'E_JOURNAL_PROJECT_KEY':
      return `${PROJECT_KEYS[error.reason]} Nothing was changed.`;
    case 'E_JOURNAL_KEY_REPLACED':
      return `Key ${error.key} was replaced before this run began, and this process still signs with it: start the process again. Nothing was sent.`;
    case 'E_JOURNAL_POOL':
      return 'The database is reached through a pool that shares connections between transactions, which mixes up locks, notifications and the tables of projects. Name the address of the database itself, or set the pool to session mode. Nothing was changed.';
    case 'E_JOURNAL_PART':
      return `The package ${error.part} is not installed, and the records of this project cannot be opened without it. Install it: ${installLine(error.part)}`;
    case 'E_JOURNAL_CLOSED':
      return 'The journal is closed.';
  }
}

const MARK: unique symbol = Symbol.for('cuebook.JournalFailure') as never;

/** A `JournalError` where a function cannot answer with a value. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
  readonly error: JournalError;
  readonly [MARK] = true;

  constructor(error: JournalError) {
    super(describeJournalError(error));
    this.error = error;
  }

  /** Also true for an instance of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}

const SHARE = `take the line that ${hint`keys share`} prints where the project runs already`;

const PROJECT_KEYS: Readonly<Record<ProjectKeyReason, string>> = {
  malformed: `CUEBOOK_PROJECT_KEY does not hold the key of a project: ${SHARE}.`,
  home: `CUEBOOK_PROJECT_KEY is the key of another project than the one that CUEBOOK_HOME holds: ${SHARE}, or name another CUEBOOK_HOME.`,
  other: `The other machines of this project have another key, so what they sealed cannot be opened here. Set CUEBOOK_PROJECT_KEY: ${SHARE}.`,
  missing: `No project of this database is known here. Set CUEBOOK_PROJECT_KEY: ${SHARE}.`,
  kept: 'The key of the project cannot be read from or kept in CUEBOOK_HOME: see that it is a folder that this user may write.',
};

/** SQLite's own part is left out by npm's `--omit=optional`; the others are packages that a project adds. */
function installLine(part: string): string {
  if (part.startsWith('@libsql/')) return 'npm install --include=optional';
  return `npm install ${POSTGRES_PARTS.includes(part) ? POSTGRES_PARTS.join(' ') : part}`;
}

const POSTGRES_PARTS = ['graphile-worker', 'pg'];

type Unavailable = Extract<JournalError, { readonly code: 'E_JOURNAL_UNAVAILABLE' }>;

const whyUnavailable = ({ reason, system = '' }: Unavailable): string =>
  SYSTEMS.find(([codes]) => codes.test(system))?.[1] ?? UNAVAILABLE[reason];

/** What has to be changed first, or else nothing. */
const thenAgain = ({ system = '' }: Unavailable): string =>
  `${SYSTEMS.find(([codes]) => codes.test(system))?.[2] ?? ''}Give the same command again; it is done once.`;

/** What codes of Postgres, of Node and of the driver mean to whoever set up the database, and what to change. */
const SYSTEMS: readonly (readonly [codes: RegExp, what: string, change?: string])[] = [
  [
    /^28|^password$/,
    'the database does not let this user in',
    'Look at the user name and the password in the address of the database, and at pg_hba.conf of the server. ',
  ],
  [/^3D/, 'the server has no database of that name', 'Create it, or correct the address. '],
  [
    /^(?:42501|3F000)$/,
    'the user of the database may not do that',
    'The user must be allowed to create schemas (`GRANT CREATE ON DATABASE`), or own those of the project. ',
  ],
  [
    /^25006$/,
    'the database takes no writes: it is a standby, or set to read-only',
    'Name the server that takes writes. ',
  ],
  [/^SQLITE_(?:FULL|IOERR_SHMSIZE)$/, 'the disk is full', 'Make room on it. '],
  [
    /^SQLITE_(?:READONLY|CANTOPEN|PERM)/,
    'its file cannot be opened for writing',
    'Make the folder of the records writable, or name another one with CUEBOOK_HOME. ',
  ],
  [/^53100$/, 'the disk of the database is full', 'Make room on it. '],
  [
    /^53300$/,
    'the database takes no more connections',
    'A server or worker needs up to 15: raise `max_connections`, or start fewer. ',
  ],
  [/^57P/, 'the database is starting or shutting down'],
  [/^ECONNREFUSED$/, 'nothing answers at the address of the database'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'the name of the database server is not known'],
  [
    /^tls$/,
    'there is no TLS connection to the database that can be trusted',
    'Look at `sslmode` and `sslrootcert` in the address, and at the certificate of the server. ',
  ],
  [/^address$/, 'the address is not postgres://USER:PASSWORD@HOST:PORT/NAME', 'Correct it. '],
];

const UNAVAILABLE: Readonly<Record<UnavailableReason, string>> = {
  busy: 'others hold it for too long',
  connection: 'the connection was lost',
  disk: 'the disk did not take it',
  failed: 'a step failed',
};
