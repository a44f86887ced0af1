import type { RunId, Store } from '@cuebook/journal';
import type { RunState } from '../../loop/run-state.js';

/** Waits for states of runs. However many wait for one run, it is followed and read once for all of them. */
export interface RunWaits<State> {
  /** The first thing that `look` finds in the state, now or later; undefined once the signal has fired. */
  until<Found>(
    run: RunId,
    look: (state: State) => Found | undefined,
    signal: AbortSignal,
  ): Promise<Found | undefined>;
}

export function createRunWaits<State>(
  read: (run: RunId) => Promise<RunState<State>>,
  { subscribe }: Pick<Store, 'subscribe'>,
): RunWaits<State> {
  const followed = new Map<RunId, Followed<State>>();

  const follow = async (run: RunId, group: Followed<State>): Promise<void> => {
    const { waiters, over } = group;
    try {
      for await (const event of subscribe({ run, after: group.known.seq, signal: over.signal })) {
        // A state that was read behind it has shown it already.
        if (event.seq <= group.known.seq) continue;
        const known = await read(run);
        if (known.seq < event.seq) continue;
        group.known = known;
        for (const waiter of [...waiters]) waiter.look(known.state);
      }
      for (const waiter of [...waiters]) waiter.end();
    } catch (error) {
      for (const waiter of [...waiters]) waiter.fail(error);
    } finally {
      if (followed.get(run) === group) followed.delete(run);
    }
  };
  const groupOf = (run: RunId, known: RunState<State>): Followed<State> => {
    const found = followed.get(run);
    if (found) return found;
    const group = { known, waiters: new Set<Waiter<State>>(), over: new AbortController() };
    followed.set(run, group);
    void follow(run, group);
    return group;
  };

  return {
    async until(run, look, signal) {
      const known = await read(run);
      const now = look(known.state);
      if (now !== undefined || signal.aborted) return now;
      return new Promise((resolve, reject) => {
        const group = groupOf(run, known);
        const leave = (): void => {
          group.waiters.delete(waiter);
          signal.removeEventListener('abort', waiter.end);
          if (group.waiters.size > 0) return;
          if (followed.get(run) === group) followed.delete(run);
          group.over.abort();
        };
        const waiter: Waiter<State> = {
          look(state) {
            try {
              const found = look(state);
              if (found === undefined) return;
              leave();
              resolve(found);
            } catch (error) {
              waiter.fail(error);
            }
          },
          end() {
            leave();
            resolve(undefined);
          },
          fail(error) {
            leave();
            reject(error);
          },
        };
        group.waiters.add(waiter);
        signal.addEventListener('abort', waiter.end);
        // The others may have been shown more than was there when this one looked.
        if (group.known.seq > known.seq) waiter.look(group.known.state);
      });
    },
  };
}

/** A run that somebody waits for. */
interface Followed<State> {
  /** The newest state that all who wait have been shown. */
  known: RunState<State>;
  readonly waiters: Set<Waiter<State>>;
  /** Nobody waits any more. */
  readonly over: AbortController;
}

interface Waiter<State> {
  look(state: State): void;
  end(): void;
  fail(error: unknown): void;
}
