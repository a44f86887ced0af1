import { guard, guarded } from '@cuebook/guard';
import type { Channel, ChannelListener } from './channel.js';
import { HEARTBEAT, noteLine } from './line.js';

/** What bounds a follower. */
export interface StreamLimits {
  /** Something is sent at least this often. */
  readonly heartbeatMs: number;
  /** A follower that takes nothing for so long is cut; it comes back with its cursor. */
  readonly slowMs: number;
  /** Bytes that are sent at once. */
  readonly chunkBytes: number;
  /** Bytes of live words that wait for one follower; more are left out, and it is told how many. */
  readonly liveBytes: number;
}

/** The bounds of a follower when nobody says otherwise. */
export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  slowMs: 30_000,
  chunkBytes: 64 * 1024,
  liveBytes: 256 * 1024,
};

/** Where and how somebody follows. */
export interface Subscription {
  readonly after: number;
  /** Up to here it is history. */
  readonly head: number;
  readonly limits: StreamLimits;
  readonly signal: AbortSignal;
  /** Called once, when the follower is gone. */
  readonly left: () => void;
}

/**
 * One follower's stream: events behind its cursor, each once and in order, and live words between them. It holds one
 * chunk and the live words within their bound, however slow the follower is.
 */
export function subscribe(channel: Channel, subscription: Subscription): ReadableStream<Uint8Array> {
  const { after, head, limits, signal } = subscription;
  const live = createLiveQueue(limits.liveBytes);
  const bell = createBell();
  let cursor = after;
  let isReady = false;
  let isOver = signal.aborted;
  let slow: NodeJS.Timeout | undefined;

  const listener: ChannelListener = {
    cursor: () => cursor,
    live: live.push,
    news: bell.ring,
    end() {
      isOver = true;
      bell.ring();
    },
  };
  const unlisten = channel.listen(listener);
  const leave = () => {
    clearTimeout(slow);
    signal.removeEventListener('abort', listener.end);
    isOver = true;
    if (unlisten()) subscription.left();
  };
  signal.addEventListener('abort', listener.end, { once: true });

  const next = async (): Promise<Buffer | undefined> => {
    for (;;) {
      if (isOver) return undefined;
      const words = live.take();
      if (words) return words;
      const taken = await channel.take(listener, limits.chunkBytes);
      if (taken) {
        cursor = taken.cursor;
        return taken.bytes;
      }
      if (!isReady) {
        isReady = true;
        return noteLine('ready', { seq: Math.max(cursor, head) });
      }
      if (!(await bell.wait(limits.heartbeatMs))) return HEARTBEAT;
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(slow);
        const chunk = await next().catch(() => undefined);
        if (chunk === undefined) {
          leave();
          controller.close();
          return;
        }
        controller.enqueue(chunk);
        const drop = (): void => {
          leave();
          controller.error(new Error('The follower takes nothing.'));
        };
        slow = setTimeout(() => guarded('stream.slow', drop), limits.slowMs);
      },
      cancel: leave,
    },
    { highWaterMark: 1 },
  );
}

/** Live words that wait, within a bound; those that do not fit are counted. */
function createLiveQueue(maxBytes: number) {
  let lines: Buffer[] = [];
  let bytes = 0;
  let missed = 0;
  return {
    push(line: Buffer) {
      if (guard('stream.live', bytes + line.length > maxBytes)) {
        missed += 1;
        return;
      }
      lines.push(line);
      bytes += line.length;
    },
    take(): Buffer | undefined {
      if (lines.length === 0 && missed === 0) return undefined;
      if (missed > 0) lines.push(noteLine('missed', { count: missed }));
      const all = Buffer.concat(lines);
      lines = [];
      bytes = 0;
      missed = 0;
      return all;
    },
  };
}

/** Somebody waits for it to ring. One that rang before is heard at once. */
export function createBell() {
  let rang = false;
  let wake: ((rang: boolean) => void) | undefined;
  return {
    ring: () => {
      rang = true;
      wake?.(true);
    },
    /** False: it did not ring in time. */
    wait: (ms: number): Promise<boolean> =>
      new Promise((resolve) => {
        if (rang) {
          rang = false;
          resolve(true);
          return;
        }
        const timer = setTimeout(() => done(false), ms);
        const done = (didRing: boolean) => {
          clearTimeout(timer);
          wake = undefined;
          rang = false;
          resolve(didRing);
        };
        wake = done;
      }),
  };
}
