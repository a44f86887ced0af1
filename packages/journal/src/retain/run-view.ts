import type { RunId, RunSummary, Store, StoredEvent } from '../contract.js';
import { eventsOf, turnOf } from '../turn/find.js';

/** A run as a list shows it. */
export interface RetainedRun extends RunSummary {
  /** `open`: something in it is still going on or waits; nobody removes it by age or size. */
  readonly status: 'open' | 'ended';
  readonly turns: number;
  /** Turns that were recorded and have no end. */
  readonly openTurns: readonly string[];
}

/**
 * What a run's events say about it. It is open while a turn has no end, an effect no outcome, a timer is set, or
 * it was started and has not been completed, failed, stopped, cancelled or ended.
 */
export async function viewRun(store: Pick<Store, 'read'>, summary: RunSummary): Promise<RetainedRun> {
  const state = emptyProgress();
  for await (const event of eventsOf(store, summary.run)) follow(state, event);
  const isOpen = state.started || state.turns.size > 0 || state.effects.size > 0 || state.timers.size > 0;
  return {
    ...summary,
    status: isOpen ? 'open' : 'ended',
    turns: state.recorded,
    openTurns: [...state.turns],
  };
}

/** All runs of a store, in the order they began. */
export async function viewRuns(store: Pick<Store, 'read' | 'runs'>): Promise<readonly RetainedRun[]> {
  const views: RetainedRun[] = [];
  for (const summary of await store.runs()) views.push(await viewRun(store, summary));
  return views;
}

/** The run's id that a text stands for: itself, or the only one that begins with it. */
export function findRun(
  runs: readonly { readonly run: RunId }[],
  text: string,
): { readonly run: RunId } | { readonly candidates: readonly RunId[] } {
  const ids = runs.map(({ run }) => run);
  const exact = ids.find((id) => id === text);
  if (exact !== undefined) return { run: exact };
  // An empty variable of a shell names no run, not even the only one.
  if (text === '') return { candidates: [] };
  const starting = ids.filter((id) => id.startsWith(text) || id.startsWith(`run_${text}`));
  const [only, ...others] = starting;
  return only !== undefined && others.length === 0 ? { run: only } : { candidates: starting };
}

interface Progress {
  started: boolean;
  recorded: number;
  readonly turns: Set<string>;
  readonly effects: Set<string>;
  readonly timers: Set<string>;
}

const emptyProgress = (): Progress => ({
  started: false,
  recorded: 0,
  turns: new Set(),
  effects: new Set(),
  timers: new Set(),
});

function follow(state: Progress, event: StoredEvent): void {
  const { type } = event;
  const id = idOf(event);
  if (type === 'run.started') state.started = true;
  else if (OVER.has(type)) state.started = false;
  else if (type === 'turn.recorded') {
    state.recorded += 1;
    state.turns.add(turnOf(event) ?? '');
  } else if (type === 'turn.ended') state.turns.delete(turnOf(event) ?? '');
  else if (type === 'effect.intended') state.effects.add(id);
  else if (type === 'effect.settled') state.effects.delete(id);
  else if (type === 'timer.set') state.timers.add(id);
  else if (type === 'timer.fired' || type === 'timer.cleared') state.timers.delete(id);
}

const OVER: ReadonlySet<string> = new Set([
  'run.completed',
  'run.failed',
  'run.stopped',
  'run.cancelled',
  'run.ended',
  'run.finished',
]);

function idOf({ data }: StoredEvent): string {
  return typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : '';
}
