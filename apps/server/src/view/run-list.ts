import type { RunSummaryView } from '@cuebook/api';
import { listStandings } from '@cuebook/engine';
import type { Host, RunReport } from '@cuebook/host';
import type { RunId, RunSummary, Store } from '@cuebook/journal';
import type { TeamHost } from '@cuebook/team';
import type { Immutable } from '../http/group.js';
import { runSummary } from './run-view.js';

/** What is listed. */
export interface RunQuery {
  readonly limit: number;
  readonly kind?: string;
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
  readonly runs: Pick<Host, 'report'>;
  readonly store: Pick<Store, 'runs' | 'projections'>;
  readonly isRehearsal: (provider: string) => boolean;
}

/**
 * Lists runs of every kind, the newest first. What a run said of itself is remembered for as long as it has not moved, so
 * that a list over many finished runs reads none of them again.
 */
export function createRunList({ host, runs: all, store, isRehearsal }: RunListParts) {
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
    if (reading.ok) return runSummary(run, reading.value, { startedAt, lastAt }, isRehearsal);
    const report = await all.report(run);
    return report.ok ? reportSummary(report.value, { startedAt, lastAt }) : undefined;
  };
  /** Undefined: there is no run to begin before. */
  return async ({ limit, status, kind, before }: RunQuery): Promise<RunPage | undefined> => {
    const kinds = new Map<string, string>((await host.runs()).map(({ run }) => [run, 'team']));
    for (const [run, standing] of await listStandings(store)) kinds.set(run, standing.kind);
    const isWanted = ({ run }: RunSummary): boolean =>
      kinds.has(run) && (kind === undefined || kinds.get(run) === kind);
    const listed = (await store.runs()).filter(isWanted).reverse();
    const first = before === undefined ? 0 : listed.findIndex(({ run }) => run === before) + 1;
    if (before !== undefined && first === 0) return undefined;
    const runs: Immutable<RunSummaryView>[] = [];
    for (const each of listed.slice(first)) {
      if (runs.length === limit) return { runs, next: runs.at(-1)?.run ?? null };
      const summary = await summaryOf(each);
      if (summary !== undefined && (status === undefined || summary.status === status)) runs.push(summary);
    }
    return { runs, next: null };
  };
}

const reportSummary = (
  { run, kind, target, seq, status, turns, waits }: RunReport,
  times: Pick<RunSummary, 'startedAt' | 'lastAt'>,
): Immutable<RunSummaryView> => ({
  ...{ run, kind, target, goal: null, seq, nodes: 0, turns, needs: waits.length, rehearsal: false },
  startedAt: times.startedAt,
  lastAt: times.lastAt,
  status: status === 'done' ? 'completed' : status,
});
