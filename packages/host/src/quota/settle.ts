import { findStanding, listStandings } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { RunId, Store } from '@cuebook/journal';
import { minus, type Reservation } from './account.js';
import { AT_WORK, type CoverPlace, isAtWork, isCovered, restOfRun } from './cover.js';
import { dayOf } from './limits.js';
import type { Quotas } from './quotas.js';
import { readSpending } from './spending.js';

export interface SettlePlace extends CoverPlace {
  readonly store: Pick<Store, 'read' | 'head' | 'projection' | 'projections'>;
  readonly quotas: Quotas;
  readonly now: () => number;
  /** Ends a run for whose next day the limits have no room; left out, or for a run of another process: that one does. */
  readonly stop?: ((run: RunId) => Promise<unknown>) | undefined;
}

/** Replaces the reservations of runs that are at rest by what they spent, and takes back those of runs that never began. */
export async function settleQuotas(settling: SettlePlace): Promise<void> {
  const { store, quotas, active, now } = settling;
  const { open } = await quotas.read();
  if (open.size === 0) return;
  const standings = await listStandings(store, { active: true });
  const others = await active();
  for (const entry of open.values()) {
    const isBusy = AT_WORK.has(standings.get(entry.run)?.status ?? '') || others.has(entry.run);
    if (!isBusy) await settleOne(settling, entry);
    // The day of a life is over, whatever it is at.
    else if (entry.day < dayOf(now()) && (await settling.isDaily(entry.run as RunId)))
      await settleDaily(settling, entry);
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
  // It may have begun, or gone on, since the standings were read.
  else if (!(await isAtWork(settling, run))) {
    await quotas.settle(entry, minus((await readSpending(store, run)).spent, entry.base));
    await reserveAgain(settling, entry);
  }
}

/** For a run that somebody told to go on while its reservation was settled: all of what it may spend, or it ends. */
async function reserveAgain(settling: SettlePlace, entry: Reservation): Promise<void> {
  const { store, quotas, isDaily, stop } = settling;
  const run = entry.run as RunId;
  for (let tries = 0; tries < MAX_TRIES && !(await isCovered(settling, run)); tries += 1) {
    const spending = await readSpending(store, run);
    const rest = restOfRun(spending, await isDaily(run)) ?? { tokens: entry.tokens, usd: entry.usd };
    const { spent } = spending;
    const seq = (await store.head(run))?.seq ?? 0;
    const asking = { run, person: entry.person, base: spent, seq, spent, begins: false, asked: rest, rest };
    const next = await quotas.reserve(asking);
    if (!next.ok && next.error.code === 'E_QUOTA_REACHED') await stop?.(run);
    if (!next.ok) return;
  }
}

/** A life has its budget anew each day, until it is stopped: a day for which the limits have no room ends it. */
async function settleDaily({ store, quotas, now, stop }: SettlePlace, entry: Reservation): Promise<void> {
  const { run, person, day, tokens, usd, seq, base } = entry;
  const isOver = (await findStanding(store, run))?.status === 'stopped';
  if (day === dayOf(now()) && !isOver) return;
  const total = (await readSpending(store, run as RunId)).spent;
  if (isOver) {
    await quotas.settle(entry, minus(total, base));
    return;
  }
  const rest = { tokens, usd };
  const next = await quotas.reserve({
    run,
    person,
    base: total,
    seq,
    spent: total,
    begins: false,
    asked: rest,
    rest,
  });
  if (guard('quota.day', !next.ok)) await stop?.(run as RunId);
}

/** Each try that fails is one in which somebody else went on with the run. */
export const MAX_TRIES = 20;

/** How long somebody may take to begin what was reserved for. */
const GRACE_MS = 10 * 60_000;
