import { findWorker, listStandings, readApprovals, type Standing } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';

/** How the run of a workflow or a thread stands, in a list of runs. */
export interface RunStanding {
  readonly kind: Standing['kind'];
  readonly target: string;
  /** `interrupted`: work is open, and no process does it. */
  readonly status: Standing['status'] | 'interrupted';
  /** Which process does its work, where, and until when it has the right to. */
  readonly worker?: string;
  /** How many things wait for a person. */
  readonly waiting: number;
  /** What for, beside approvals. */
  readonly for?: 'approval' | 'outcome' | 'input' | 'loop' | 'budget';
}

/** By run, from the lists that are written with the events: no log is read. Older runs have none. */
export async function runStandings(store: Store | undefined): Promise<ReadonlyMap<string, RunStanding>> {
  if (store === undefined) return new Map();
  const standings = [...(await listStandings(store))];
  const asked = new Map<string, number>();
  for (const { run } of await readApprovals(store)) asked.set(run, (asked.get(run) ?? 0) + 1);
  const found = new Map<string, RunStanding>();
  for (const [run, { kind, target, status: told, wait }] of standings) {
    const worker = told === 'running' ? await findWorker(store, run as RunId) : undefined;
    const status = told === 'running' && worker === undefined ? 'interrupted' : told;
    const waiting = (asked.get(run) ?? 0) + othersOf(wait);
    found.set(run, {
      ...{ kind, target, status, waiting },
      ...(wait === undefined ? {} : { for: wait.for }),
      ...(worker === undefined ? {} : { worker }),
    });
  }
  return found;
}

/** How many things wait that are no approvals. */
function othersOf(wait: Standing['wait']): number {
  if (wait === undefined || wait.for === 'approval') return 0;
  return wait.for === 'outcome' ? wait.calls.length : 1;
}
