import { ownMark, type ProcessMark } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Lease } from '../contract.js';
import { JournalFailure } from '../error.js';
import { checkName } from './bounds.js';
import {
  endOf,
  isHeld,
  LEASE_COLUMNS,
  type LeaseRow,
  livingHolder,
  RELEASED,
  toLease,
  toLeaseRow,
} from './lease-row.js';
import type { SqlDriver, SqlSession } from './port/driver.js';

/** The leases of one store as this process sees them. */
export interface Leases {
  /** Takes the lease if nobody else holds it. Every taking has a greater token. */
  acquire(scope: string, owner: string, ttlMs: number): Promise<Lease | undefined>;
  /** Holds it for longer, if it is still this one. An expired lease that nobody took is renewed. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Gives it back, if it is still this one. The row stays: tokens of a scope only grow. */
  release(lease: Lease): Promise<void>;
  /** The lease of a scope, if somebody holds it now. */
  find(scope: string): Promise<Lease | undefined>;
  /** Whether somebody holds what a row says. */
  isHeld(row: LeaseRow, now: number): boolean;
}

/** `ticks` is a clock that only goes forward, in milliseconds. */
export function createLeases(driver: SqlDriver, ticks: () => number, own: ProcessMark = ownMark()): Leases {
  /** Since when this process has seen a lease without a renewal, by scope. */
  const seen = new Map<string, { readonly token: number; readonly beat: number; readonly since: number }>();
  const mark = JSON.stringify(own);

  const stillMs = ({ scope, token, beat }: LeaseRow): number => {
    const before = seen.get(scope);
    const isSame = before?.token === token && before.beat === beat;
    if (!isSame) seen.set(scope, { token, beat, since: ticks() });
    return isSame ? ticks() - before.since : 0;
  };
  const held = (row: LeaseRow, now: number): boolean =>
    isHeld(row, { now, stillMs: stillMs(row), living: livingHolder(driver.kind, row, own) });
  const look = async (session: SqlSession, scope: string) => {
    const [[cells], now] = await Promise.all([session.rows(SELECT, [scope]), driver.now(session)]);
    return { row: cells && toLeaseRow(cells), now };
  };
  /** Writes the row if it is still the one that was looked at, or if there was none. False: somebody was faster. */
  const save = async (row: LeaseRow, seenRow: LeaseRow | undefined): Promise<boolean> => {
    const saved = await driver.change(UPSERT, [
      row.scope,
      row.token,
      row.owner,
      row.expiresAt,
      row.length ?? null,
      row.holder === own ? mark : row.holder ? JSON.stringify(row.holder) : null,
      row.beat,
      ...[seenRow?.token ?? -1, seenRow?.expiresAt ?? -1, seenRow?.beat ?? -1],
    ]);
    return saved.length > 0;
  };
  const tryToAcquire = async (scope: string, owner: string, ttlMs: number) => {
    const { row, now } = await look(driver, scope);
    if (row && guard('lease.held', row.owner !== owner && held(row, now))) {
      // For those who look only once: from this look on the lease ends within its own length. The time is asked once more,
      // behind the row: one that was slow on its way would take a renewal for a leap of the clock.
      const end = endOf(row, now) < row.expiresAt ? endOf(row, await driver.now(driver)) : row.expiresAt;
      if (guard('lease.length', end < row.expiresAt)) await save({ ...row, expiresAt: end }, row);
      return { isSettled: true };
    }
    const taken: LeaseRow = {
      ...{ scope, owner, token: (row?.token ?? 0) + 1, beat: 0, holder: own },
      ...{ expiresAt: Math.trunc(now + ttlMs), length: Math.trunc(ttlMs) },
    };
    return (await save(taken, row))
      ? { isSettled: true, lease: toLease(taken, now, own) }
      : { isSettled: false };
  };

  return {
    isHeld: held,
    async acquire(scope, owner, ttlMs) {
      for (const checked of [checkName('the scope', scope), checkName('the owner', owner)]) {
        if (!checked.ok) throw new JournalFailure(checked.error);
      }
      for (;;) {
        const { isSettled, lease } = await tryToAcquire(scope, owner, ttlMs);
        if (isSettled) return lease;
      }
    },
    async renew({ scope, token }, ttlMs) {
      const length = Math.trunc(ttlMs);
      // A server adds its own time, so that renewing is one round trip.
      const now = driver.kind === 'postgres' ? [] : [Math.trunc(await driver.now(driver))];
      const rows = await driver.change(RENEW[driver.kind], [...now, length, length, mark, scope, token]);
      return !guard('lease.token', rows.length === 0);
    },
    async release({ scope, token }) {
      await driver.change(RELEASE, [RELEASED, scope, token]);
    },
    async find(scope) {
      const { row, now } = await look(driver, scope);
      return row && held(row, now) ? toLease(row, now, own) : undefined;
    },
  };
}

const SELECT = `SELECT ${LEASE_COLUMNS} FROM cuebook_leases WHERE scope = ?`;
const RELEASE = 'UPDATE cuebook_leases SET expires_at = ? WHERE scope = ? AND token = ?';
const UPSERT = `INSERT INTO cuebook_leases (${LEASE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (scope) DO UPDATE SET token = excluded.token, owner = excluded.owner,
  expires_at = excluded.expires_at, length = excluded.length, holder = excluded.holder, beat = excluded.beat
  WHERE cuebook_leases.token = ? AND cuebook_leases.expires_at = ? AND coalesce(cuebook_leases.beat, 0) = ?
  RETURNING token`;
const renewal = (now: string) => `UPDATE cuebook_leases SET expires_at = ${now} + ?, length = ?, holder = ?,
  beat = coalesce(beat, 0) + 1 WHERE scope = ? AND token = ? AND expires_at <> ${RELEASED} RETURNING token`;
const RENEW = { sqlite: renewal('?'), postgres: renewal('cuebook_now()') } as const;
