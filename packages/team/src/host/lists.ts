import { listApprovals } from '@cuebook/engine';
import type { ProjectionChange, RunId, Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { AnyTeamEvent } from '../run/event.js';
import type { TeamRunRow } from './contract.js';

/** The read models over all team runs: written with the events, so that no log must be read for them. */
const RUNS = 'team.runs';
const STATUSES = 'team.status';

/** What an event changes in the lists over all runs. */
export function listTeam(run: RunId, event: AnyTeamEvent): readonly ProjectionChange[] {
  switch (event.type) {
    case 'run.started': {
      const { goal, mode, globalMode } = event.data;
      const row: TeamRunRow = {
        run,
        status: 'running',
        goal: goal?.text.slice(0, GOAL) ?? null,
        mode,
        globalMode,
      };
      return [{ name: RUNS, key: run, value: row }];
    }
    case 'run.paused':
      return [{ name: STATUSES, key: run, value: 'paused' }];
    case 'run.resumed':
      return [{ name: STATUSES, key: run, value: 'running' }];
    case 'run.finished':
      return [{ name: STATUSES, key: run, value: event.data.ok ? 'completed' : 'failed' }];
    case 'run.stopped':
      return [{ name: STATUSES, key: run, value: 'stopped' }];
    default:
      return listApprovals({ run, lane: '' }, event as { readonly type: string; readonly data: JsonValue });
  }
}

/** Characters of a goal in the list. */
const GOAL = 500;

/** All runs. One that is listed as paused may run again: a raised budget is no resumption. */
export async function listedRuns(store: Pick<Store, 'projections'>): Promise<readonly TeamRunRow[]> {
  const statuses = await store.projections(STATUSES);
  const rows = [...(await store.projections(RUNS)).values()] as unknown as readonly TeamRunRow[];
  return rows.map((row) => ({
    ...row,
    status: (statuses.get(row.run) ?? row.status) as TeamRunRow['status'],
  }));
}

/** Whether a run is one of ours. */
export const isListed = async (store: Pick<Store, 'projection'>, run: RunId): Promise<boolean> =>
  (await store.projection(RUNS, run)) !== undefined;
