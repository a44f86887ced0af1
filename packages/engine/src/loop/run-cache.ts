import type { RunId } from '@cuebook/journal';
import type { EngineStore } from './engine-store.js';
import { type AnyMachine, advanceRun, projectRun, type RunState } from './run-state.js';

/**
 * The states of the runs that were used last, rebuilt from the log when they are not here. What is here may lag
 * behind the log, never run ahead of it.
 */
export interface RunCache<State> {
  /** As known here; read from the log if it is not known. */
  load(run: RunId): Promise<RunState<State>>;
  /** As the log has it now. */
  refresh(run: RunId): Promise<RunState<State>>;
  /** What was written behind `before`, from seq `firstSeq` on, and the state behind it. */
  written(run: RunId, firstSeq: number, states: Advanced<State>): void;
}

interface Advanced<State> {
  readonly before: RunState<State>;
  readonly after: RunState<State>;
}

export function createRunCache<State>(
  store: EngineStore,
  machine: AnyMachine<State>,
  size = DEFAULT_SIZE,
): RunCache<State> {
  const known = new Map<RunId, RunState<State>>();
  const keep = (run: RunId, state: RunState<State>) => {
    const now = known.get(run);
    known.delete(run);
    known.set(run, now !== undefined && now.seq > state.seq ? now : state);
    for (const oldest of known.keys()) {
      if (known.size <= size) break;
      known.delete(oldest);
    }
    return known.get(run) ?? state;
  };
  /** As known here, with what others of this process have appended since: receipts stand between the events. */
  const recall = (run: RunId): RunState<State> | undefined => {
    const state = known.get(run);
    const own = (state && store.ownAfter?.(run, state.seq)) ?? [];
    return state && own.length > 0 ? keep(run, advanceRun(machine, state, own)) : state;
  };
  const readOn = async (run: RunId, from: RunState<State>) => {
    let state = from;
    for (;;) {
      const events = await store.read(run, { after: state.seq, limit: PAGE });
      state = advanceRun(machine, state, events);
      if (events.length < PAGE) return keep(run, state);
      // A store that answers at once would keep everybody else waiting until the whole log is read.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    load: async (run) => recall(run) ?? readOn(run, projectRun(machine, [])),
    refresh: (run) => readOn(run, recall(run) ?? projectRun(machine, [])),
    written(run, firstSeq, { before, after }) {
      if (firstSeq === before.seq + 1) keep(run, after);
    },
  };
}

const DEFAULT_SIZE = 256;
const PAGE = 250;
