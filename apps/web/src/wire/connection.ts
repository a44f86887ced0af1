import { useSyncExternalStore } from 'react';

/** Whether the server answers. `since` is when that was first seen, in milliseconds since the epoch. */
export interface Liveness {
  readonly state: 'unknown' | 'live' | 'lost' | 'refused';
  readonly since: number;
}

let now: Liveness = { state: 'unknown', since: Date.now() };
const listeners = new Set<() => void>();

/** Notes what an answer, or its absence, says about the connection. */
export function noteConnection(state: 'live' | 'lost' | 'refused'): void {
  if (now.state === state) return;
  now = { state, since: Date.now() };
  for (const listener of listeners) listener();
}

/** The connection as it is now. */
export const useConnection = (): Liveness =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
