import { guard } from '@cuebook/guard';
import type { RunId, Store } from '../contract.js';
import { type RetainedRun, viewRun, viewRuns } from './run-view.js';

/** Which runs may go. */
export interface Retention {
  /** Runs whose last event is older than this, in milliseconds. */
  readonly olderThanMs?: number;
  /** Then the oldest, until the store is no larger than this, in bytes. */
  readonly maxBytes?: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Pruned {
  /** Whole runs, the one that was quiet longest first. */
  readonly runs: readonly RetainedRun[];
  readonly bytesBefore: number;
  /** Without `dryRun`: what is left. */
  readonly bytesAfter?: number;
  /** Open runs that would have been old enough: they stay. */
  readonly kept: readonly RunId[];
  /** Runs that would have gone, and that the caller holds: they stay. */
  readonly held: readonly RunId[];
}

export interface PruneOptions {
  /** Says what would be removed, and removes nothing. */
  readonly dryRun?: boolean;
  /** Whether a run that may go by its age and its end must stay all the same. */
  readonly isHeld?: (run: RunId) => Promise<boolean>;
}

/**
 * Removes whole runs by age and by size, the one that was quiet longest first. A run that is open stays, however
 * old. With `dryRun` nothing is removed; then `maxBytes` cannot say how many runs it would take, so those that
 * would be tried are answered, all of them.
 */
export async function pruneRuns(
  store: Store,
  { olderThanMs, maxBytes, now }: Retention,
  { dryRun = false, isHeld = async () => false }: PruneOptions = {},
): Promise<Pruned> {
  const bytesBefore = await store.size();
  const views = [...(await viewRuns(store))].sort((a, b) => a.lastAt - b.lastAt);
  const isOld = ({ lastAt }: RetainedRun): boolean => olderThanMs !== undefined && lastAt < now - olderThanMs;
  const mayGo = ({ status }: RetainedRun): boolean => !guard('prune.open', status === 'open');
  const kept = views.filter((view) => !mayGo(view) && isOld(view)).map(({ run }) => run);
  const removed: RetainedRun[] = [];
  const held: RunId[] = [];
  for (const view of views.filter(mayGo)) {
    const isTooMuch = maxBytes !== undefined && (dryRun ? bytesBefore : await store.size()) > maxBytes;
    if (!isOld(view) && !isTooMuch) continue;
    if (guard('prune.held', await isHeld(view.run))) {
      held.push(view.run);
      continue;
    }
    if (!dryRun) {
      // It may have gone on since it was looked at.
      const fresh = await viewRun(store, view);
      if (!mayGo(fresh) || (await store.head(view.run))?.seq !== view.seq) continue;
      await store.removeRun(view.run);
    }
    removed.push(view);
  }
  return { runs: removed, bytesBefore, kept, held, ...(dryRun ? {} : { bytesAfter: await store.size() }) };
}
