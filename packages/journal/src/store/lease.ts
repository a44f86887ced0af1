import type { Lease } from '../contract.js';
import { JournalFailure } from '../error.js';
import { guard } from '../guard.js';
import { checkName } from './bounds.js';
import type { Driver } from './port/driver.js';

/** Takes the lease if nobody else holds it. Every taking has a greater token. */
export async function acquireLease(
  driver: Driver,
  { scope, owner, ttlMs }: { readonly scope: string; readonly owner: string; readonly ttlMs: number },
): Promise<Lease | undefined> {
  for (const checked of [checkName('the scope', scope), checkName('the owner', owner)]) {
    if (!checked.ok) throw new JournalFailure(checked.error);
  }
  return driver.write<Lease | undefined>(async (session) => {
    const [[row], now] = await Promise.all([session.rows(SELECT, [scope]), driver.now(session)]);
    const isHeld = row !== undefined && String(row[1]) !== owner && Number(row[2]) > now;
    if (guard('lease.held', isHeld)) return { keep: false, value: undefined };
    const lease = { scope, owner, token: Number(row?.[0] ?? 0) + 1, expiresAt: Math.trunc(now + ttlMs) };
    await session.rows(UPSERT, [scope, lease.token, owner, lease.expiresAt]);
    return { keep: true, value: lease };
  });
}

/** Holds it for longer, if it is still this one. An expired lease that nobody took is renewed. */
export function renewLease(driver: Driver, { scope, token }: Lease, ttlMs: number): Promise<boolean> {
  return driver.write<boolean>(async (session) => {
    const [[row], now] = await Promise.all([session.rows(SELECT, [scope]), driver.now(session)]);
    const isOther = row === undefined || Number(row[0]) !== token || Number(row[2]) === RELEASED;
    if (guard('lease.token', isOther) || row === undefined) return { keep: false, value: false };
    await session.rows(UPSERT, [scope, token, String(row[1]), Math.trunc(now + ttlMs)]);
    return { keep: true, value: true };
  });
}

/** Gives it back, if it is still this one. The row stays: tokens of a scope only grow. */
export async function releaseLease(driver: Driver, { scope, token }: Lease): Promise<void> {
  await driver.write(async (session) => {
    await session.rows(RELEASE, [RELEASED, scope, token]);
    return { keep: true, value: undefined };
  });
}

/** The lease of a scope, if somebody holds it now. */
export async function findLease(driver: Driver, scope: string): Promise<Lease | undefined> {
  const [row] = await driver.rows(SELECT, [scope]);
  if (row === undefined) return undefined;
  const [token, owner, expiresAt] = row;
  const now = await driver.now(driver);
  return Number(expiresAt) > now
    ? { scope, token: Number(token), owner: String(owner), expiresAt: Number(expiresAt) }
    : undefined;
}

/** The expiry of a lease that was given back. */
const RELEASED = 0;

const SELECT = 'SELECT token, owner, expires_at FROM cuebook_leases WHERE scope = ?';
const RELEASE = 'UPDATE cuebook_leases SET expires_at = ? WHERE scope = ? AND token = ?';
const UPSERT = `INSERT INTO cuebook_leases (scope, token, owner, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (scope) DO UPDATE SET token = excluded.token, owner = excluded.owner,
  expires_at = excluded.expires_at`;
