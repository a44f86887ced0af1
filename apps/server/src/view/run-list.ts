import type { RunSummaryView } from '@cuebook/api';
import { findStanding } from '@cuebook/engine';
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
  readonly host: Pick<TeamHost, 'read'>;
  readonly runs: Pick<Host, 'report'>;
  readonly store: Pick<Store, 'recentRuns' | 'projection'>;
  readonly isRehearsal: (provider: string) => boolean;
}

/**
 * Lists runs of every kind, the newest first, page by page: what a page costs does not depend on how many runs there
 * are. What a run said of itself is remembered for as long as it has not moved.
 */
export function createRunList({ host, runs: all, store, isRehearsal }: RunListParts) {
  const known = new Map<RunId, Remembered>();
  const summaryOf = async (each: RunSummary): Promise<Immutable<RunSummaryView> | undefined> => {
    const before = known.get(each.run);
    if (before?.seq === each.seq) return before.summary;
    const summary = await read(each);
    known.delete(each.run);
    known.set(each.run, { seq: summary?.seq ?? each.seq, summary });
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break;
      known.delete(oldest);
    }
    return summary;
  };
  /** By the list of standings, which teams are not in: no log is read. */
  const mayBe = async (kind: string, run: RunId): Promise<boolean> =>
    ((await findStanding(store, run))?.kind ?? 'team') === kind;
  const read = async ({ run, startedAt, lastAt }: RunSummary) => {
    const reading = await host.read(run);
    if (reading.ok) return runSummary(run, reading.value, { startedAt, lastAt }, isRehearsal);
    const report = await all.report(run);
    return report.ok ? reportSummary(report.value, { startedAt, lastAt }) : undefined;
  };
  /** Undefined: there is no run to begin before. */
  return async ({ limit, status, kind, before }: RunQuery): Promise<RunPage | undefined> => {
    const runs: Immutable<RunSummaryView>[] = [];
    for (let last = before as RunId | undefined; ; ) {
      const page = await store.recentRuns({ limit: PAGE, ...(last === undefined ? {} : { before: last }) });
      if (page === undefined) return undefined;
      for (const each of page) {
        if (kind !== undefined && !(await mayBe(kind, each.run))) continue;
        const summary = await summaryOf(each);
        const isWanted = summary && (status === undefined || summary.status === status);
        if (!isWanted || (kind !== undefined && summary.kind !== kind)) continue;
        // One more than asked for shows that there are more.
        if (runs.length === limit) return { runs, next: runs.at(-1)?.run ?? null };
        runs.push(summary);
      }
      if (page.length < PAGE) return { runs, next: null };
      last = page.at(-1)?.run;
    }
  };
}

/** What a run said of itself when it stood there; undefined: it is none that is listed. */
interface Remembered {
  readonly seq: number;
  readonly summary: Immutable<RunSummaryView> | undefined;
}

const PAGE = 50;
const REMEMBERED = 5_000;

const reportSummary = (
  { run, kind, target, seq, status, text, turns, waits, rehearsal }: RunReport,
  times: Pick<RunSummary, 'startedAt' | 'lastAt'>,
): Immutable<RunSummaryView> => ({
  // An eval is known by its verdict.
  goal: kind === 'eval' && text !== '' ? text : null,
  ...{ run, kind, target, seq, nodes: 0, turns, needs: waits.length, rehearsal },
  startedAt: times.startedAt,
  lastAt: times.lastAt,
  status: status === 'done' ? 'completed' : status,
});
