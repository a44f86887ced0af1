import { listStandings, readApprovals } from '@cuebook/engine';
import type { Host } from '@cuebook/host';
import type { Store } from '@cuebook/journal';

/** What is open in a project, in numbers. */
export interface WorkLook {
  /** Runs of which work is open, by kind. */
  readonly running: readonly { readonly kind: string; readonly count: number }[];
  /** Runs that are due and that no process has taken, by kind and label. */
  readonly queued: readonly {
    readonly kind: string;
    readonly label?: string | undefined;
    readonly count: number;
    readonly oldestMs: number;
  }[];
  /** What waits for a person, by what is waited for. */
  readonly waits: readonly { readonly for: string; readonly count: number }[];
  /** How long the oldest approval or question has waited, in milliseconds; 0: there is none. */
  readonly oldestApprovalMs: number;
}

/** Counts from the lists that the journal keeps up to date; no run is read. */
export async function lookAtWork(
  { runs, store }: { readonly runs: Pick<Host, 'share'>; readonly store: Pick<Store, 'projections'> },
  now: number,
): Promise<WorkLook> {
  const [standings, approvals, queued] = await Promise.all([
    listStandings(store, { active: true }),
    readApprovals(store),
    runs.share()?.queued() ?? [],
  ]);
  const running = new Map<string, number>();
  const waits = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { kind, status, wait } of standings.values()) {
    if (status === 'running') add(running, kind);
    if (status === 'failed') add(waits, 'failed');
    else if (wait !== undefined && wait.for !== 'approval') add(waits, wait.for);
  }
  for (const { question } of approvals) add(waits, question === undefined ? 'approval' : 'question');
  return {
    running: [...running].map(([kind, count]) => ({ kind, count })),
    queued,
    waits: [...waits].map(([each, count]) => ({ for: each, count })),
    oldestApprovalMs: approvals.reduce((oldest, { askedAt }) => Math.max(oldest, now - askedAt), 0),
  };
}
