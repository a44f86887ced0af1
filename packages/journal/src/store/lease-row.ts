import { livingState, type ProcessMark, readMark } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Lease } from '../contract.js';
import type { SqlDriver, SqlRow } from './port/driver.js';

/** The columns of a lease, in the order that `toLeaseRow` reads. */
export const LEASE_COLUMNS = 'scope, token, owner, expires_at, length, holder, beat';

/** A lease as it is stored. */
export interface LeaseRow {
  readonly scope: string;
  readonly token: number;
  readonly owner: string;
  /** By the store's clock; `RELEASED` once it was given back. */
  readonly expiresAt: number;
  /** How long it was taken for; undefined for one of an older version. */
  readonly length: number | undefined;
  readonly holder: ProcessMark | undefined;
  /** How often its holder has renewed it. */
  readonly beat: number;
}

/** The expiry of a lease that was given back. */
export const RELEASED = 0;

export const toLeaseRow = ([scope, token, owner, expiresAt, length, holder, beat]: SqlRow): LeaseRow => ({
  scope: String(scope),
  token: Number(token),
  owner: String(owner),
  expiresAt: Number(expiresAt),
  length: typeof length === 'number' ? length : undefined,
  holder: typeof holder === 'string' ? readMark(holder) : undefined,
  beat: Number(beat ?? 0),
});

/** What one look at a lease is judged by. */
export interface Look {
  /** The store's clock. */
  readonly now: number;
  /** How long its holder has shown no sign of life, on a clock that never leaps. */
  readonly stillMs: number;
  /** Whether its holder's process runs. */
  readonly living: 'alive' | 'ended' | 'unknown';
}

/**
 * Whether somebody holds a lease. It is over when its time has come; when its process has ended; and when its
 * holder has not renewed it for as long as it was taken, also where the clock was set back and its time is far away.
 */
export function isHeld({ expiresAt, length }: LeaseRow, { now, stillMs, living }: Look): boolean {
  if (expiresAt <= now) return false;
  if (guard('lease.dead', living === 'ended')) return false;
  return !guard('lease.still', length !== undefined && stillMs >= length);
}

/** The latest moment at which the lease is over unless it is renewed: a time beyond its length is a clock's mistake. */
export const endOf = ({ expiresAt, length }: LeaseRow, now: number): number =>
  length === undefined ? expiresAt : Math.min(expiresAt, now + Math.max(0, length));

/**
 * Whether the process of a mark runs. A file is used on one machine, so a process of an earlier start of it has
 * ended. Machines that share a database may have one name, and of another start of a machine nobody can say.
 */
export function livingHolder(
  kind: SqlDriver['kind'],
  { holder }: LeaseRow,
  own: ProcessMark,
): Look['living'] {
  if (holder === undefined) return 'unknown';
  if (kind === 'postgres' && (own.boot === '' || holder.boot !== own.boot)) return 'unknown';
  return livingState(holder);
}

export const toLease = (row: LeaseRow, now: number, own: ProcessMark): Lease => ({
  scope: row.scope,
  token: row.token,
  owner: row.owner,
  expiresAt: endOf(row, now),
  ...(row.holder && { process: { pid: row.holder.pid, isHere: row.holder.host === own.host } }),
});
