import type { JournalError } from '../../error.js';
import type { Cell } from '../row/sum.js';
import type { KeptClock } from '../shared-clock.js';
import type { Broadcast } from './broadcast.js';

/** A row as its columns, in the order of the statement. */
export type SqlRow = readonly (Cell | Buffer)[];

/**
 * Something that runs statements. They are written once for both databases: `?` for a value, rows as arrays.
 * Statements handed over without waiting run in the order they were handed over.
 */
export interface SqlSession {
  rows(sql: string, values?: readonly Cell[]): Promise<readonly SqlRow[]>;
}

/** What a transaction ends with: a value, and whether there is something to keep. */
export interface TransactionEnding<Value> {
  readonly keep: boolean;
  readonly value: Value;
  /** The only run whose log changes; `null`: none does. Left out: any may. */
  readonly run?: string | null;
  /** Called once it is kept, before anybody is told of it. */
  readonly kept?: () => void;
  /** Statements that were handed over and not waited for: the transaction is kept only if all of them worked. */
  readonly pending?: Promise<unknown>;
}

/** Called around the commit itself, when there is something to keep. */
export interface CommitSteps {
  readonly before: () => void | Promise<void>;
  readonly after: () => void | Promise<void>;
}

/** Numbers of rows that are about to be written. */
export interface RowNumbers {
  readonly run: number;
  readonly blobs: readonly number[];
}

/** The highest numbers of rows in use. */
export interface LastNumbers {
  readonly run: number;
  readonly blob: number;
}

/** Reading without a lock, and then one call that compares, writes and commits: no lock waits for the network. */
export interface RoundTrip {
  /** Reads on one connection. Statements that do not wait for each other go out together. */
  read<Value>(use: (session: SqlSession) => Promise<Value>): Promise<Value>;
  /** Calls a function of the database that takes the lock of the store itself. Calls that wait share one commit. */
  call(
    sql: string,
    values: readonly (Cell | readonly Cell[])[],
    /** The run that changes. */
    run?: string,
  ): Promise<SqlRow | undefined>;
}

/** The port that a database implements. Everything above it is the same for all. */
export interface SqlDriver extends SqlSession {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * One transaction, and no other writer of this store in any process until it ended. It keeps what was done if
   * `use` says so, and nothing if `use` or the commit throws.
   */
  write<Value>(
    use: (session: SqlSession) => Promise<TransactionEnding<Value>>,
    steps?: CommitSteps,
  ): Promise<Value>;
  /**
   * One statement by itself, kept when it answers. It waits for nobody but who changes the same rows, so it works also
   * while large transactions are under way.
   */
  change(sql: string, values: readonly Cell[]): Promise<readonly SqlRow[]>;
  /**
   * Numbers for new rows that nobody else gets: one for a run, and as many for blobs as are asked for. `last` is what
   * the transaction has read already, and saves reading it again.
   */
  numbers(session: SqlSession, blobs: number, last?: LastNumbers): Promise<RowNumbers>;
  /** Where the database is far away: how to write in one round trip. */
  readonly trip?: RoundTrip;
  /** Reads that all see the same moment, while writers go on. */
  snapshot<Value>(use: (session: SqlSession) => Promise<Value>): Promise<Value>;
  /** Milliseconds by which leases expire. */
  now(session: SqlSession): Promise<number>;
  /** The time of a server, for all of its processes; left out where the clock of the machine is the one. */
  readonly clock?: KeptClock;
  /**
   * Resolves soon after something was committed since `seen` was taken, by whatever process, or with the signal. With a
   * run: something of that run, as far as the database tells; reading shows.
   */
  changed(seen: number, signal: AbortSignal, run?: string): Promise<void>;
  /** A number that differs when this process knows of a newer commit. Taken before reading. */
  seen(): number;
  /**
   * Asks the database itself for a number that differs when a log may have changed by anything but a transaction of this
   * driver that named its run. Left out where asking costs as much as reading.
   */
  others?(): number;
  /** Words between processes that nobody keeps; left out where there is one process. */
  readonly broadcast?: Broadcast;
  size(): Promise<number>;
  /** What the database itself finds wrong with its storage. */
  problems(): Promise<readonly string[]>;
  /** Makes sure that deleted content is on the disk no more. */
  scrub(): Promise<void>;
  /** Why something that was thrown failed. */
  explain(thrown: unknown): JournalError;
  close(): Promise<void>;
}
