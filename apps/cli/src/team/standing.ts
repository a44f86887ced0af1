import { findWorker } from '@cuebook/engine';
import { eventsOf, type RunId, type Store } from '@cuebook/journal';

/** How the run of a team stands, as its events say. */
export interface TeamStanding {
  /** `waiting`: it goes on with a person alone. `interrupted`: work is open, and no process does it. */
  readonly status: 'running' | 'waiting' | 'interrupted' | 'paused' | 'completed' | 'failed' | 'stopped';
  /** Which process does its work, where, and until when it has the right to. */
  readonly worker?: string;
  /** What a person is waited for: approvals, nodes that hold, what a crash cut off. */
  readonly waiting: number;
  /** The first line of it. */
  readonly goal: string | null;
}

/** Undefined when it is not the run of a team: that is known from its first event. */
export async function teamStanding(store: Store, run: RunId): Promise<TeamStanding | undefined> {
  const [first] = await store.read(run, { limit: 1 });
  if (first?.type !== 'run.started') return undefined;
  const { NEW_TEAM, projectTeam, waitingCount } = await import('@cuebook/team');
  let state = NEW_TEAM;
  for await (const event of eventsOf(store, run)) state = projectTeam(state, event as never);
  const waiting = waitingCount(state);
  const goal = state.settings.goal?.text.split('\n')[0]?.slice(0, 80) ?? null;
  const { status: told } = state;
  if (told !== 'running') return { status: told === 'new' ? 'running' : told, waiting, goal };
  const worker = await findWorker(store, run);
  if (worker !== undefined) return { status: 'running', worker, waiting, goal };
  return { status: waiting > 0 ? 'waiting' : 'interrupted', waiting, goal };
}
