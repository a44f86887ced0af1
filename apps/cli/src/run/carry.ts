import type { RunId } from '@cuebook/journal';
import { type Call, isOn } from '../command.js';
import { isAtTerminal } from '../io.js';
import type { Journal } from '../record/journal.js';
import { type Door, isStill, type RunFollowing } from './door.js';

export interface Carrying extends Pick<RunFollowing, 'show' | 'event'> {
  readonly call: Pick<Call, 'flags' | 'io'>;
  readonly journal: Pick<Journal, 'store'>;
  /** The last event that is known: what was shown is not shown again. */
  readonly cursor: { seq: number };
  /** Words that the run waits for are asked at a terminal, too. */
  readonly words: boolean;
  /** What an interrupt does: it stops the run between two turns, or leaves it as it is. */
  readonly interrupted: 'stop' | 'leave';
}

/** Shows a run until it stands still; at a terminal the person goes on with it. */
export async function carry(door: Door, run: RunId, carrying: Carrying): Promise<void> {
  const { call, journal, words, interrupted, show, event } = carrying;
  const { io, flags } = call;
  const isStop = interrupted === 'stop';
  // From here on an interrupt ends the run, and the process by itself.
  io.wait?.();
  let stopping: Promise<void> | undefined;
  const leaving = new AbortController();
  // A run that is over meanwhile is not stopped any more. Where the word cannot be kept, the run is left as it is.
  const unsaid = async (): Promise<void> => {
    if (!isStill(await door.report(run))) leaving.abort();
  };
  const stop = (): void => {
    stopping ??= door.submit(run, { type: 'stop' }).catch(unsaid);
  };
  if (isStop) {
    if (io.stop.aborted) stop();
    io.stop.addEventListener('abort', stop, { once: true });
  }
  try {
    const { cursor } = carrying;
    const follow = async (): Promise<void> => {
      await stopping;
      await door.follow(run, {
        ...{ after: cursor.seq, show: isOn(flags, 'json') ? undefined : show },
        signal: isStop ? leaving.signal : io.stop,
        event: (each) => {
          cursor.seq = Math.max(cursor.seq, each.seq);
          event?.(each);
        },
      });
    };
    await follow();
    const isAsked = isAtTerminal(io) && !isOn(flags, 'json');
    while (isAsked && !io.stop.aborted) {
      const { askWaits } = await import('./ask-waits.js');
      const asking = { store: journal.store, words, stop: io.stop };
      if (!(await askWaits(door, await door.report(run), asking))) break;
      await follow();
    }
  } finally {
    io.stop.removeEventListener('abort', stop);
    await stopping;
  }
}
