import { findWorker } from '@cuebook/engine';
import { eventsOf, type RunId, type Store } from '@cuebook/journal';

/** How the run of a team stands, as its events say. */
export interface TeamStanding {
  readonly status: 'running' | 'paused' | 'completed' | 'failed' | 'stopped';
  /** Which process does its work, where, and until when it has the right to. */
  readonly worker?: string;
  /** Approvals that nobody has answered. */
  readonly waiting: number;
  /** The first line of it. */
  readonly goal: string | null;
}

/** Undefined when it is not the run of a team: that is known from its first event. */
export async function teamStanding(store: Store, run: RunId): Promise<TeamStanding | undefined> {
  const [first] = await store.read(run, { limit: 1 });
  if (first?.type !== 'run.started') return undefined;
  const { goal } = first.data as { readonly goal?: { readonly text: string } | null };
  let status: TeamStanding['status'] = 'running';
  const waiting = new Set<string>();
  for await (const { type, data } of eventsOf(store, run)) {
    const { id = '', ok } = data as { readonly id?: string; readonly ok?: boolean };
    if (type === 'approval.requested') waiting.add(id);
    else if (type === 'approval.resolved') waiting.delete(id);
    else if (type === 'run.paused') status = 'paused';
    else if (type === 'run.resumed') status = 'running';
    else if (type === 'run.stopped') status = 'stopped';
    else if (type === 'run.finished') status = ok === true ? 'completed' : 'failed';
  }
  const isOver = status === 'completed' || status === 'failed' || status === 'stopped';
  const worker = status === 'running' ? await findWorker(store, run) : undefined;
  return {
    status,
    ...(worker === undefined ? {} : { worker }),
    waiting: isOver ? 0 : waiting.size,
    goal: goal?.text.split('\n')[0]?.slice(0, 80) ?? null,
  };
}
