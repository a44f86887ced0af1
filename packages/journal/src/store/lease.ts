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
  const save = (session: SqlSession, row: LeaseRow): Promise<unknown> =>
    session.rows(UPSERT, [
      row.scope,
      row.token,
      row.owner,
      row.expiresAt,
      row.length ?? null,
      row.holder === own ? mark : row.holder ? JSON.stringify(row.holder) : null,
      row.beat,
    ]);

  return {
    isHeld: held,
    async acquire(scope, owner, ttlMs) {
      for (const checked of [checkName('the scope', scope), checkName('the owner', owner)]) {
        if (!checked.ok) throw new JournalFailure(checked.error);
      }
      return driver.write<Lease | undefined>(async (session) => {
        const { row, now } = await look(session, scope);
        if (row && guard('lease.held', row.owner !== owner && held(row, now))) {
          const end = endOf(row, now);
          const isTooFar = guard('lease.length', end < row.expiresAt);
          // For those who look only once: from this look on the lease ends within its own length.
          if (isTooFar) await save(session, { ...row, expiresAt: end });
          return { keep: isTooFar, value: undefined };
        }
        const taken: LeaseRow = {
          ...{ scope, owner, token: (row?.token ?? 0) + 1, beat: 0, holder: own },
          ...{ expiresAt: Math.trunc(now + ttlMs), length: Math.trunc(ttlMs) },
        };
        await save(session, taken);
        return { keep: true, value: toLease(taken, now, own) };
      });
    },
    renew: ({ scope, token }, ttlMs) =>
      driver.write<boolean>(async (session) => {
        const { row, now } = await look(session, scope);
        const isOther = row === undefined || row.token !== token || row.expiresAt === RELEASED;
        if (guard('lease.token', isOther) || row === undefined) return { keep: false, value: false };
        const times = { expiresAt: Math.trunc(now + ttlMs), length: Math.trunc(ttlMs) };
        await save(session, { ...row, ...times, beat: row.beat + 1, holder: own });
        return { keep: true, value: true };
      }),
    async release({ scope, token }) {
      await driver.write(async (session) => {
        await session.rows(RELEASE, [RELEASED, scope, token]);
        return { keep: true, value: undefined };
      });
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
  expires_at = excluded.expires_at, length = excluded.length, holder = excluded.holder, beat = excluded.beat`;
