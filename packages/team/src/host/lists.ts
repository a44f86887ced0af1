import { listApprovals } from '@cuebook/engine';
import { listUpdate } from '@cuebook/host';
import type { ProjectionChange, ProjectionQuery, RunId, Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { AnyTeamEvent } from '../run/event.js';
import type { RunSettings, TeamState } from '../run/state.js';
import type { TeamRunRow } from './contract.js';

/** The read models over all team runs: written with the events, so that no log must be read for them. */
const RUNS = 'team.runs';
const STATUSES = 'team.status';

/** What an event changes in the lists over all runs. */
export function listTeam(run: RunId, event: AnyTeamEvent, state: TeamState): readonly ProjectionChange[] {
  switch (event.type) {
    case 'run.started':
      return [runRow(run, event.data)];
    case 'run.paused':
      return [{ name: STATUSES, key: run, value: 'paused' }];
    case 'run.resumed':
      return [{ name: STATUSES, key: run, value: 'running' }];
    case 'run.finished':
      return over(run, state, event.data.ok ? 'completed' : 'failed');
    case 'run.stopped':
      return over(run, state, 'stopped');
    case 'run.updated':
      return listUpdate(run, event);
    default:
      return listApprovals({ run, lane: '' }, event as { readonly type: string; readonly data: JsonValue });
  }
}

/** One that is over is at rest: lists of open runs do not have it. */
const over = (run: RunId, { settings }: TeamState, status: string): readonly ProjectionChange[] => [
  { name: STATUSES, key: run, value: status, isAtRest: true },
  { ...runRow(run, settings), isAtRest: true },
];

const runRow = (
  run: RunId,
  { goal, mode, globalMode }: Pick<RunSettings, 'goal' | 'mode' | 'globalMode'>,
): ProjectionChange => {
  const text = goal?.text.slice(0, GOAL) ?? null;
  const row: TeamRunRow = { run, status: 'running', goal: text, mode, globalMode };
  return { name: RUNS, key: run, value: row };
};

/** Characters of a goal in the list. */
const GOAL = 500;

/**
 * All runs, or those that are not over. One that is listed as paused may run again: a raised budget is no resumption.
 */
export async function listedRuns(
  store: Pick<Store, 'projections'>,
  query: ProjectionQuery = {},
): Promise<readonly TeamRunRow[]> {
  const statuses = await store.projections(STATUSES, query);
  const rows = [...(await store.projections(RUNS, query)).values()] as unknown as readonly TeamRunRow[];
  return rows.map((row) => ({
    ...row,
    status: (statuses.get(row.run) ?? row.status) as TeamRunRow['status'],
  }));
}

/** Whether a run is one of ours. */
export const isListed = async (store: Pick<Store, 'projection'>, run: RunId): Promise<boolean> =>
  (await store.projection(RUNS, run)) !== undefined;
