import type { Host } from '@cuebook/host';
import type { RunId, Store, StoredEvent } from '@cuebook/journal';
import { eventLine, eventView, liveLine } from './line.js';
import { createRunMask } from './run-mask.js';

/** The newest events of one run, written once for everybody who follows it. */
export interface Channel {
  /** The last event when the channel was opened. */
  readonly head: number;
  /** Events behind the cursor of a listener, as many as fit; undefined: none yet. They come from memory, or from the journal. */
  take(listener: ChannelListener, maxBytes: number): Promise<TakenEvents | undefined>;
  /** Called when there is something new; live words come along with it. Answers how to stop; that answers true the first time. */
  listen(listener: ChannelListener): () => boolean;
  /** How many listen. */
  readonly size: number;
  close(): void;
}

/** Events as they go over the wire, and the cursor behind them. */
export interface TakenEvents {
  readonly bytes: Buffer;
  readonly cursor: number;
}

/** Hears of a channel. */
export interface ChannelListener {
  /** The last event that it has taken. */
  cursor(): number;
  /** Live words, to be taken with the next news. */
  live(line: Buffer): void;
  /** There is something to take. */
  news(): void;
  /** Nothing more comes. */
  end(): void;
}

/** What a channel reads from. */
export interface ChannelParts {
  readonly host: Pick<Host, 'events' | 'watch'>;
  readonly store: Store;
  readonly run: RunId;
  readonly head: number;
  readonly onProblem: (error: unknown, about: string) => void;
}

/** Opens a channel behind the head of a run. It holds the newest events, within a bound. */
export async function openChannel({ host, store, run, head, onProblem }: ChannelParts): Promise<Channel> {
  const mask = await createRunMask(store, run);
  const stop = new AbortController();
  const listeners = new Set<ChannelListener>();
  const held = createRing(head);
  let isOver = false;

  // What comes at once is told at once: a page of the journal wakes each follower one time.
  let isRinging = false;
  const ring = () => {
    if (isRinging) return;
    isRinging = true;
    setImmediate(() => {
      isRinging = false;
      for (const listener of listeners) listener.news();
    });
  };
  // Followers that keep up read from memory: the newest events wait for them a moment, not for those who do not.
  const late = new Set<ChannelListener>();
  let wake = (): void => undefined;
  const makeRoom = async () => {
    const cursor = held.middle();
    const isBehind = (listener: ChannelListener) => !late.has(listener) && listener.cursor() < cursor;
    const stopWaiting = performance.now() + WAIT_MS;
    while ([...listeners].some(isBehind) && performance.now() < stopWaiting) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, stopWaiting - performance.now());
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    for (const listener of listeners) if (isBehind(listener)) late.add(listener);
    held.dropTo(cursor);
  };
  const lineOf = (event: StoredEvent): Buffer => eventLine(eventView(event, mask.value(event.data)));
  const past = createPast(async (after) => (await store.read(run, { after, limit: PAGE })).map(lineOf));
  const pump = async () => {
    for await (const event of host.events(run, { after: head, signal: stop.signal })) {
      await mask.learn(event);
      if (held.isFull()) await makeRoom();
      held.push(lineOf(event));
      ring();
    }
  };
  const end = () => {
    isOver = true;
    for (const listener of listeners) listener.end();
  };
  pump().then(end, (error: unknown) => {
    if (!stop.signal.aborted) onProblem(error, `the events of ${run}`);
    end();
  });
  const unwatch = host.watch(run, (live) => {
    if (listeners.size === 0 || !mask.showsLive()) return;
    const line = liveLine(live);
    for (const listener of listeners) listener.live(line);
    ring();
  });

  return {
    head,
    async take(listener, maxBytes) {
      const cursor = listener.cursor();
      wake();
      if (cursor >= held.from()) {
        late.delete(listener);
        return held.take(cursor, maxBytes);
      }
      const first = cursor - (cursor % PAGE);
      return fit((await past.page(first)).slice(cursor - first), cursor, maxBytes);
    },
    listen(listener) {
      listeners.add(listener);
      // Who begins with the past is not waited for.
      if (listener.cursor() < held.from()) late.add(listener);
      if (isOver) listener.end();
      return () => {
        late.delete(listener);
        wake();
        return listeners.delete(listener);
      };
    },
    get size() {
      return listeners.size;
    },
    close() {
      unwatch();
      stop.abort();
    },
  };
}

/** The newest lines in order, without gaps; the oldest go when there are too many. */
function createRing(head: number) {
  let lines: Buffer[] = [];
  let from = head;
  let bytes = 0;
  return {
    /** Everything behind this cursor is here. */
    from: () => from,
    isFull: () => lines.length >= MAX_LINES || bytes >= MAX_BYTES,
    /** The cursor behind the older half. */
    middle: () => from + Math.ceil(lines.length / 2),
    push(line: Buffer) {
      lines.push(line);
      bytes += line.length;
    },
    /** Many at once: taking away one at a time would move all of them each time. */
    dropTo(cursor: number) {
      const gone = lines.slice(0, cursor - from);
      lines = lines.slice(gone.length);
      from += gone.length;
      bytes -= gone.reduce((sum, each) => sum + each.length, 0);
    },
    take: (cursor: number, maxBytes: number) => fit(lines.slice(cursor - from), cursor, maxBytes),
  };
}

/** Pages of the past, written once for all who read them at about the same time. */
function createPast(read: (after: number) => Promise<readonly Buffer[]>) {
  const pages = new Map<number, Promise<readonly Buffer[]>>();
  return {
    page(after: number): Promise<readonly Buffer[]> {
      const known = pages.get(after);
      if (known) return known;
      const reading = read(after);
      pages.set(after, reading);
      const forget = () => pages.delete(after);
      // One that is not full may grow.
      reading.then((lines) => lines.length < PAGE && forget(), forget);
      for (const oldest of pages.keys()) {
        if (pages.size <= MAX_PAGES) break;
        pages.delete(oldest);
      }
      return reading;
    },
  };
}

/** As many lines as fit, and one at least. */
function fit(lines: readonly Buffer[], cursor: number, maxBytes: number): TakenEvents | undefined {
  let count = 0;
  let size = 0;
  while (count < lines.length && (count === 0 || size + (lines[count]?.length ?? 0) <= maxBytes)) {
    size += lines[count]?.length ?? 0;
    count += 1;
  }
  return count === 0
    ? undefined
    : { bytes: Buffer.concat(lines.slice(0, count), size), cursor: cursor + count };
}

const PAGE = 256;
/** How long the newest events wait for those who keep up. */
const WAIT_MS = 5_000;
const MAX_PAGES = 32;
const MAX_LINES = 4_096;
const MAX_BYTES = 8 * 1024 * 1024;
