import type { RunId, Store } from '../contract.js';
import { foldEvent, type RecordedRun } from './run-state.js';

/** Moves the state on by what this process knows of the run. False: nothing is known, and it has to be read. */
export function goOn(store: Store, run: RunId, state: RecordedRun): boolean {
  if (state.seq === 0) return false;
  for (const event of store.ownAfter(run, state.seq)) foldEvent(state, event);
  return true;
}

/** Moves the state on by what the store has. */
export async function catchUp(store: Store, run: RunId, state: RecordedRun): Promise<void> {
  for (;;) {
    const events = await store.read(run, { after: state.seq, limit: PAGE });
    for (const event of events) foldEvent(state, event);
    if (events.length < PAGE) return;
  }
}

const PAGE = 500;
