import { findStanding, listStandings } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import { minus, NOTHING, type Reservation } from './account.js';
import { dayOf } from './limits.js';
import type { Quotas } from './quotas.js';
import { readSpending } from './spending.js';

export interface SettlePlace {
  readonly store: Pick<Store, 'read' | 'head' | 'projection' | 'projections'>;
  readonly quotas: Quotas;
  readonly now: () => number;
  /** Runs that are not over, beside those that the standings name. */
  readonly active: () => Promise<ReadonlySet<string>>;
  /** Whether the budget of a run is that of a day. */
  readonly isDaily: (run: RunId) => Promise<boolean>;
}

/** Replaces the reservations of runs that are at rest by what they spent, and takes back those of runs that never began. */
export async function settleQuotas(settling: SettlePlace): Promise<void> {
  const { store, quotas, active } = settling;
  const { open } = await quotas.read();
  if (open.size === 0) return;
  const standings = await listStandings(store, { active: true });
  const others = await active();
  for (const entry of open.values()) {
    const isAtWork = AT_WORK.has(standings.get(entry.run)?.status ?? '') || others.has(entry.run);
    if (!isAtWork) await settleOne(settling, entry);
  }
}

async function settleOne(settling: SettlePlace, entry: Reservation): Promise<void> {
  const { store, quotas, now, isDaily } = settling;
  const run = entry.run as RunId;
  const head = await store.head(run);
  const isOld = now() - entry.at > GRACE_MS;
  // A run that has not moved on is about to: who reserved for it may be dead only after a while.
  if ((head?.seq ?? 0) <= entry.seq && !isOld) return;
  if (head === undefined) await quotas.release(entry);
  else if (await isDaily(run)) await settleDaily(settling, entry);
  else await quotas.settle(entry, minus((await readSpending(store, run)).spent, entry.base));
}

/** A life has its budget anew each day, until it is stopped. Each day counts in full. */
async function settleDaily({ store, quotas, now }: SettlePlace, entry: Reservation): Promise<void> {
  const { run, person, day, tokens, usd, seq } = entry;
  const isOver = (await findStanding(store, run))?.status === 'stopped';
  const isToday = day === dayOf(now());
  if (isToday && !isOver) return;
  await quotas.settle(entry, { tokens, usd });
  if (isOver) return;
  const rest = { tokens, usd };
  await quotas.reserve({ run, person, base: NOTHING, seq, begins: false, asked: {}, rest });
}

export const AT_WORK: ReadonlySet<string> = new Set(['running', 'waiting']);

/** How long somebody may take to begin what was reserved for. */
const GRACE_MS = 10 * 60_000;
