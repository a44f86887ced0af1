import type { RunSummaryView } from '@cuebook/api';
import type { RunId, RunSummary, Store } from '@cuebook/journal';
import type { TeamHost } from '@cuebook/team';
import type { Immutable } from '../http/group.js';
import { runSummary } from './run-view.js';

/** What is listed. */
export interface RunQuery {
  readonly limit: number;
  readonly status?: RunSummaryView['status'];
  /** A run: those that began before it. */
  readonly before?: string;
}

/** A page of runs, and the run to ask on from. */
export interface RunPage {
  readonly runs: readonly Immutable<RunSummaryView>[];
  readonly next: string | null;
}

/** What a list is made from. */
export interface RunListParts {
  readonly host: Pick<TeamHost, 'read' | 'runs'>;
  readonly store: Pick<Store, 'runs'>;
  readonly isRehearsal: (provider: string) => boolean;
}

/**
 * Lists team runs, the newest first. What a run said of itself is remembered for as long as it has not moved, so
 * that a list over many finished runs reads none of them again.
 */
export function createRunList({ host, store, isRehearsal }: RunListParts) {
  const known = new Map<RunId, Immutable<RunSummaryView>>();
  const summaryOf = async (each: RunSummary): Promise<Immutable<RunSummaryView> | undefined> => {
    const before = known.get(each.run);
    if (before?.seq === each.seq) return before;
    const summary = await read(each);
    if (summary !== undefined) known.set(each.run, summary);
    return summary;
  };
  const read = async ({ run, startedAt, lastAt }: RunSummary) => {
    const reading = await host.read(run);
    return reading.ok ? runSummary(run, reading.value, { startedAt, lastAt }, isRehearsal) : undefined;
  };
  /** Undefined: there is no run to begin before. */
  return async ({ limit, status, before }: RunQuery): Promise<RunPage | undefined> => {
    const ours = new Set<string>((await host.runs()).map(({ run }) => run));
    const all = (await store.runs()).filter(({ run }) => ours.has(run)).reverse();
    const first = before === undefined ? 0 : all.findIndex(({ run }) => run === before) + 1;
    if (before !== undefined && first === 0) return undefined;
    const runs: Immutable<RunSummaryView>[] = [];
    for (const each of all.slice(first)) {
      if (runs.length === limit) return { runs, next: runs.at(-1)?.run ?? null };
      const summary = await summaryOf(each);
      if (summary !== undefined && (status === undefined || summary.status === status)) runs.push(summary);
    }
    return { runs, next: null };
  };
}
