import type { RunId, Store, StoredEvent } from '@cuebook/journal';
import type { TeamHost } from '@cuebook/team';
import { eventLine, eventView, liveLine } from './line.js';
import { createRunMask } from './run-mask.js';

/** The newest events of one run, written once for everybody who follows it. */
export interface Channel {
  /** The last event when the channel was opened. */
  readonly head: number;
  /** Events behind a cursor, as many as fit; undefined: none yet. They come from memory, or from the journal. */
  take(cursor: number, maxBytes: number): Promise<Taken | undefined>;
  /** Called when there is something new; live words come along with it. Answers how to stop; that answers true the first time. */
  listen(listener: Listener): () => boolean;
  /** How many listen. */
  readonly size: number;
  close(): void;
}

/** Events as they go over the wire, and the cursor behind them. */
export interface Taken {
  readonly bytes: Buffer;
  readonly cursor: number;
}

/** Hears of a channel. */
export interface Listener {
  event(): void;
  live(line: Buffer): void;
  /** Nothing more comes. */
  end(): void;
}

/** What a channel reads from. */
export interface ChannelParts {
  readonly host: Pick<TeamHost, 'events' | 'watch'>;
  readonly store: Store;
  readonly run: RunId;
  readonly head: number;
  readonly onProblem: (error: unknown, about: string) => void;
}

/** Opens a channel behind the head of a run. It holds the newest events, within a bound. */
export async function openChannel({ host, store, run, head, onProblem }: ChannelParts): Promise<Channel> {
  const mask = await createRunMask(store, run);
  const stop = new AbortController();
  const listeners = new Set<Listener>();
  const held = createRing(head);
  let isOver = false;

  const lineOf = (event: StoredEvent): Buffer => eventLine(eventView(event, mask.value(event.data)));
  const pump = async () => {
    for await (const event of host.events(run, { after: head, signal: stop.signal })) {
      await mask.learn(event);
      held.push(lineOf(event));
      for (const listener of listeners) listener.event();
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
  });

  return {
    head,
    async take(cursor, maxBytes) {
      if (cursor >= held.from()) return held.take(cursor, maxBytes);
      const events = await store.read(run, { after: cursor, limit: PAGE });
      const lines: Buffer[] = [];
      let size = 0;
      for (const event of events) {
        const line = lineOf(event);
        if (lines.length > 0 && size + line.length > maxBytes) break;
        lines.push(line);
        size += line.length;
      }
      return lines.length === 0
        ? undefined
        : { bytes: Buffer.concat(lines, size), cursor: cursor + lines.length };
    },
    listen(listener) {
      listeners.add(listener);
      if (isOver) listener.end();
      return () => listeners.delete(listener);
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
    push(line: Buffer) {
      lines.push(line);
      bytes += line.length;
      if (lines.length <= MAX_LINES && bytes <= MAX_BYTES) return;
      // Half at once: taking away one at a time would move all of them each time.
      const gone = lines.slice(0, Math.ceil(lines.length / 2));
      lines = lines.slice(gone.length);
      from += gone.length;
      bytes -= gone.reduce((sum, each) => sum + each.length, 0);
    },
    take(cursor: number, maxBytes: number): Taken | undefined {
      const first = cursor - from;
      let last = first;
      let size = 0;
      while (last < lines.length && (size === 0 || size + (lines[last]?.length ?? 0) <= maxBytes)) {
        size += lines[last]?.length ?? 0;
        last += 1;
      }
      if (last === first) return undefined;
      return { bytes: Buffer.concat(lines.slice(first, last), size), cursor: cursor + (last - first) };
    },
  };
}

const PAGE = 256;
const MAX_LINES = 4_096;
const MAX_BYTES = 8 * 1024 * 1024;
