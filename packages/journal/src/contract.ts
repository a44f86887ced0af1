import type { FileResult, Files } from '@cuebook/files';
import type { JsonValue } from '@cuebook/prompt';
import type { Removal } from './anchor/proof.js';
import type { JournalError } from './error.js';
import type { ProjectMember } from './owner/members.js';
import type { RegisterProof } from './register/key-proof.js';
import type { JournalResult } from './result.js';
import type { Broadcast } from './store/port/broadcast.js';
import type { SharedClock } from './store/shared-clock.js';
import type { KeyRecord } from './turn/key/chain.js';
import type { PublicKeys } from './turn/key/key.js';

/** The id of a run: `run_` and letters or digits. */
export type RunId = string & { readonly __run: never };

/** An event as a machine decides it. */
export interface NewEvent {
  /** Past tense with a dot: `run.started`. */
  readonly type: string;
  readonly data: JsonValue;
}

/** An event as the journal keeps it. */
export interface StoredEvent extends NewEvent {
  readonly run: RunId;
  /** 1, 2, 3… within the run, without gaps. */
  readonly seq: number;
  /** Place in the whole journal, strictly growing in commit order: the cursor of a subscriber. */
  readonly position: number;
  /** Milliseconds since the epoch, from the injected clock. */
  readonly at: number;
  /** The command that caused it. */
  readonly command: string;
  /**
   * `sha256:` and hexadecimal digits: a chain per run. It covers this event, the record of its command
   * (target, answer, projections, blobs) and everything of the run before it. The last event's hash is the
   * run's head, unless a command without events came after it.
   */
  readonly hash: string;
}

/**
 * One atomic write: events, projections, blobs and the command's receipt, all or nothing. The same `command`
 * again with the same `target` answers what it answered the first time and writes nothing; with another target
 * it is `conflict`.
 */
export interface Append {
  readonly run: RunId;
  readonly command: string;
  /** What the command is about, as a hash or short text: it tells a repeat from a clash of ids. */
  readonly target: string;
  readonly events: readonly NewEvent[];
  /** The seq that the decision was made on: `moved` if the run has gone on since. 0 for a new run. */
  readonly expectedSeq: number;
  /** Read models that change with the events. `null` removes one. */
  readonly projections?: readonly ProjectionChange[];
  /** Stored, and kept for as long as the run is. One that is stored already costs only its name. */
  readonly blobs?: readonly Uint8Array[];
  /**
   * Names of blobs stored before by others that the run needs from now on: `removeRun` of the others leaves them. One
   * whose content was deleted is as good as none.
   */
  readonly keeps?: readonly string[];
  /** What the caller was told; handed out again for a repeated command. */
  readonly answer?: JsonValue;
  /** Only if this lease is still held with this token. */
  readonly fence?: Fence;
}

export interface ProjectionChange {
  readonly name: string;
  readonly key: string;
  readonly value: JsonValue | null;
  /** Nothing is to be done about it: lists of what is active leave it out. No part of the chain, and of no export. */
  readonly isAtRest?: boolean;
}

/** Which projections of a name. */
export interface ProjectionQuery {
  /** Leaves out those that were written as being at rest: the list does not grow with what is over. */
  readonly active?: boolean;
}

/** A page of runs. */
export interface RunPageQuery {
  readonly limit: number;
  /** Those that began before this run; left out: from the newest on. */
  readonly before?: RunId;
}

/** An event that this process has appended itself, as the log has it. */
export interface OwnEvent extends NewEvent {
  readonly seq: number;
  /** The hash of the last event that was appended with it. */
  readonly hash: string;
}

export interface Appended {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly answer: JsonValue;
  /** The command had been done before: nothing was written now. */
  readonly repeated: boolean;
  /** The head of the run behind this write: the hash of its last event. */
  readonly hash: string;
}

/** How a batch is appended: as the store does it, or as somebody does who adds to it. */
export type AppendBatch = (batch: Append) => Promise<JournalResult<Appended>>;

export interface Fence {
  readonly scope: string;
  readonly token: number;
}

/**
 * The right to do the work of a scope until it expires. Tokens of a scope only grow. A scope that has the id of a run
 * between two slashes belongs to that run, and goes with it.
 */
export interface Lease extends Fence {
  readonly owner: string;
  /** By the store's clock. Never further away than the lease is long, whatever became of the clock since. */
  readonly expiresAt: number;
  /** The process that holds it, and whether it is one of this machine. */
  readonly process?: { readonly pid: number; readonly isHere: boolean };
}

export interface LogReadOptions {
  readonly after?: number;
  readonly limit?: number;
}

/**
 * The store port. SQLite and Postgres implement it; one conformance suite runs on both. `append` and `adopt`
 * answer failures as values; the others reject with a `JournalFailure`, which carries the same values.
 */
export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * The time of the database. Whatever processes of a project compare between them is a time of this clock. Left out: a
   * file is used on one machine, whose clock is the one.
   */
  readonly clock?: SharedClock;
  /** The layout of the tables, after opening always the newest one that this version knows. */
  readonly schemaVersion: number;
  /** The layout that the tables have now: another process may have brought them forward since. */
  layout(): Promise<number>;
  /** Where the texts are that must not stand in a log; left out where the place of the store has no home. */
  readonly vault?: Vault;
  /**
   * CUEBOOK_HOME as all machines of the project have it: what they share lies in the store. Where one machine works
   * alone it is the folder itself.
   */
  share(home: Files): Files;
  /**
   * A folder of a run as all machines of the project have it, `at` a path below CUEBOOK_HOME. Where one machine works
   * alone it is the folder itself.
   */
  mirror(folder: Files, at: string): Promise<FileResult<Files>>;
  /** Words between the processes of a project that nobody keeps; left out where one machine works alone. */
  readonly broadcast?: Pick<Broadcast, 'send' | 'hear'>;
  /** The id of the project that machines share; left out where one works alone. */
  readonly project?: string;
  /** The schema of the database that the project's queue of runs has to itself; left out where there is none. */
  readonly queueSchema?: string;
  /** Proves who wrote what the project keeps about itself; left out where one machine works alone. */
  readonly registerProof?: RegisterProof;
  /** The machines that sign for the project; none where one works alone. */
  members(): Promise<readonly ProjectMember[]>;
  append(batch: Append): Promise<JournalResult<Appended>>;
  /**
   * Events of a run behind a seq that this process has appended itself, as far as it remembers them. Nothing is read:
   * there may be more, of this process and of others, and an append that expects less is told.
   */
  ownAfter(run: RunId, seq: number): readonly OwnEvent[];
  /** Events of a run after a seq, in order. At most `limit`, 1,000 if not said. */
  read(run: RunId, options?: LogReadOptions): Promise<readonly StoredEvent[]>;
  /** Events of all runs after a position, in commit order: nothing that appears later has a lower position. */
  readAll(options?: LogReadOptions): Promise<readonly StoredEvent[]>;
  /** Commits of a run after a position, whole: what an export needs. At most `limit`, 100 if not said. */
  commits(run: RunId, options?: LogReadOptions): Promise<readonly StoredCommit[]>;
  /** Takes in the commits of a run of another store, exactly as they are. See `Adoption`. */
  adopt(adoption: Adoption): Promise<JournalResult<Adopted>>;
  /** Resumes after a cursor and misses nothing: past events first, then live ones. Ends when the signal says so. */
  subscribe(options: SubscribeOptions): AsyncIterable<StoredEvent>;
  head(run: RunId): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  /** Runs by the order they began in; removed ones and registers left out. */
  runs(): Promise<readonly RunSummary[]>;
  /** Runs from the newest on, removed ones and registers left out; undefined: there is no run to begin before. */
  recentRuns(page: RunPageQuery): Promise<readonly RunSummary[] | undefined>;
  /** The highest position that was given. */
  newest(): Promise<number>;
  /** The names of all runs, removed ones too, past what is damaged; `tell` hears of that. */
  runNames(tell?: (message: string) => void): Promise<readonly RunId[]>;
  /** Where a run stands, also a removed one; `undefined`: the store knows of none. */
  standing(run: RunId): Promise<RunStand | undefined>;
  /** Whether the chain of a run has this head, behind a position: then everything up to it is there. */
  hasHead(
    head: { readonly run: string; readonly seq: number; readonly hash: string },
    after?: number,
  ): Promise<boolean>;
  /** What was signed for when a run was removed; `unsigned` when none of these keys signed for it as it stands. */
  findRemoval(run: RunId, keys: PublicKeys): Promise<Removal | 'unsigned' | undefined>;
  /** The public keys that signed here, and how they followed one another. Nothing of them is believed by itself. */
  keys(): Promise<readonly KeyRecord[]>;
  /** What is left of removed runs. */
  removedRuns(): Promise<readonly RunTombstone[]>;
  findCommand(run: RunId, command: string): Promise<Appended | undefined>;
  /** Stored for good: it belongs to no run, so no `removeRun` takes it away. */
  putBlob(bytes: Uint8Array): Promise<string>;
  /** `undefined`: never stored. `deleted`: the content was deleted on request and the name is kept. */
  getBlob(hash: string): Promise<Uint8Array | 'deleted' | undefined>;
  /**
   * Takes the content away, keeps name and size, and puts a record of it into the chain of every run that has
   * the blob. False: there is no such blob, or it is deleted already. The same content put again later is
   * stored again.
   */
  deleteBlob(hash: string): Promise<boolean>;
  /**
   * Takes away all of a run but its name, seq and head, the blobs that no other run has, and what the vault has of
   * it. False: no such run, or a register, which stays; but a volume of it goes that another one follows.
   */
  removeRun(run: RunId): Promise<boolean>;
  projection(name: string, key: string): Promise<JsonValue | undefined>;
  projections(name: string, query?: ProjectionQuery): Promise<ReadonlyMap<string, JsonValue>>;
  /**
   * `undefined` while somebody else holds it. The same owner gets it again, with a new token. A lease is over when its
   * time has come, when its process is known to have ended, or when it was not renewed for as long as it is long.
   */
  acquireLease(scope: string, owner: string, ttlMs: number): Promise<Lease | undefined>;
  /** False when the lease is no longer this one. */
  renewLease(lease: Lease, ttlMs: number): Promise<boolean>;
  releaseLease(lease: Lease): Promise<void>;
  /** Who holds a scope now; `undefined`: nobody. */
  findLease(scope: string): Promise<Lease | undefined>;
  /**
   * Recomputes a run from its rows: chain, commands, projections, blobs, the run's own row. Without a run: every
   * run, and what belongs to none. No problem means that no stored value was changed behind the store's back.
   */
  audit(run?: RunId): AsyncIterable<AuditProblem>;
  /** Bytes in use; it shrinks when runs are removed. */
  size(): Promise<number>;
  /** A consistent copy in one new SQLite file, while writers go on. `restoreStore` reads it into any driver. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Keeps the texts that must not stand in a log and that an effect still needs. The sealed bytes are a blob of the run;
 * the key that opens them is a file of its own below CUEBOOK_HOME, so no copy of the journal opens by itself. Without
 * its key an entry cannot be read any more, in whatever copy of the journal its bytes still are.
 */
export interface Vault {
  /** The same text of the same run has one entry. The blob must be stored with whatever names the entry. */
  seal(run: RunId, text: string): Promise<JournalResult<SealedText>>;
  /** Undefined: it was erased, or it was sealed in another home or for another run. */
  open(run: RunId, id: string): Promise<string | undefined>;
  /** What was sealed for a run here and is not erased. */
  entries(run: RunId): Promise<readonly VaultEntry[]>;
  /** Takes the keys of entries away, for good. */
  erase(run: RunId, ids: readonly string[]): Promise<JournalResult<void>>;
  /** The same for everything of a run. */
  eraseRun(run: RunId): Promise<JournalResult<void>>;
}

export interface SealedText {
  readonly id: string;
  readonly blob: Uint8Array;
}

export interface VaultEntry {
  readonly id: string;
  /** The name of the blob with the sealed bytes. */
  readonly blob: string;
}

/** One append as the store keeps it. */
export interface StoredCommit {
  readonly run: RunId;
  /** `lastSeq + 1` of the commit before. Greater than `lastSeq` for a command without events. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly position: number;
  readonly at: number;
  readonly command: string;
  readonly target: string;
  readonly answer: JsonValue;
  readonly events: readonly StoredEvent[];
  readonly projections: readonly ProjectionRecord[];
  /** Names, in the order they were given. */
  readonly blobs: readonly string[];
  /** The run's head after this commit. */
  readonly hash: string;
}

/** A projection change as the chain covers it: the value by its hash. */
export interface ProjectionRecord {
  readonly name: string;
  readonly key: string;
  /** `sha256:` of the canonical JSON; `null`: removed. */
  readonly hash: string | null;
}

/**
 * A run from elsewhere. It is taken in only if its chain is whole, its blobs are there or recorded as deleted,
 * and its projections are what the chain says. Positions are given anew; everything else stays, hashes included.
 */
export interface Adoption {
  readonly run: RunId;
  readonly commits: readonly StoredCommit[];
  readonly blobs: readonly Uint8Array[];
  /** Blobs whose content was deleted where the run comes from. */
  readonly deleted?: readonly { readonly hash: string; readonly size: number }[];
  /** The run's projections as they stand. */
  readonly projections?: readonly ProjectionChange[];
}

export interface Adopted {
  readonly lastSeq: number;
  /** The very same run was there already: nothing was written. */
  readonly repeated: boolean;
}

/** What is left of a removed run. */
export interface RunTombstone extends RunSummary {
  readonly hash: string;
  readonly removedAt: number;
}

/** Where a run stands. */
export interface RunStand {
  readonly seq: number;
  readonly position: number;
  readonly hash: string;
  readonly removedAt?: number;
}

/** Something that is not as it was written. */
export interface AuditProblem {
  readonly kind: 'run' | 'commit' | 'command' | 'projection' | 'blob' | 'file';
  readonly run?: RunId;
  /** The first and last seq of the commit that it is about. */
  readonly firstSeq?: number;
  readonly lastSeq?: number;
  readonly position?: number;
  readonly command?: string;
  readonly projection?: { readonly name: string; readonly key: string };
  readonly blob?: string;
  /** The turn, where damaged content itself still names one. */
  readonly turn?: string;
  readonly message: string;
}

export interface SubscribeOptions {
  readonly run?: RunId;
  /** A seq of the run, or a position when no run is named. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export interface RunSummary {
  readonly run: RunId;
  readonly seq: number;
  readonly startedAt: number;
  readonly lastAt: number;
}

/** Where a store fails on purpose in tests. No-op by default. */
export type StoreFaultPoint = 'append' | 'project' | 'blob' | 'receipt' | 'commit';

/** `before` runs before the step, `after` when it is done: throwing there is "done, then failed". */
export interface StoreFault {
  before?(point: StoreFaultPoint): void | Promise<void>;
  after?(point: StoreFaultPoint): void | Promise<void>;
}

export type { JournalError };
