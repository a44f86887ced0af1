import { guard } from '@cuebook/guard';
import type { Host } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import { badField, type HttpError } from '../http/error.js';
import { type Channel, openChannel } from './channel.js';
import { DEFAULT_STREAM_LIMITS, type StreamLimits, subscribe } from './subscriber.js';

/** The events of runs as streams of bytes. */
export interface EventStream {
  open(
    run: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): Promise<Result<ReadableStream<Uint8Array>, HttpError>>;
  /** How many follow something now. */
  size(): number;
  /** Ends every stream; followers come back with their cursor. */
  close(): void;
}

/** What streams are made from. */
export interface EventStreamParts {
  readonly host: Pick<Host, 'events' | 'watch'> & {
    /** How far the log of a run goes. */
    head(run: RunId): Promise<Result<{ readonly seq: number }, HttpError>>;
  };
  readonly store: Store;
  readonly limits?: Partial<StreamLimits>;
  readonly onProblem: (error: unknown, about: string) => void;
}

/** Streams with one channel for each run that somebody follows. */
export function createEventStream({ host, store, onProblem, ...parts }: EventStreamParts): EventStream {
  const limits = { ...DEFAULT_STREAM_LIMITS, ...parts.limits };
  const channels = new Map<string, Promise<Channel>>();
  const over = new AbortController();

  const channelOf = (run: RunId, head: number): Promise<Channel> => {
    const known = channels.get(run);
    if (known) return known;
    const opening = openChannel({ host, store, run, head, onProblem });
    channels.set(run, opening);
    opening.catch(() => channels.delete(run));
    return opening;
  };
  const leave = (run: string, channel: Channel) => {
    if (channel.size > 0) return;
    channels.delete(run);
    channel.close();
  };

  return {
    async open(name, { after, signal }) {
      const run = name as RunId;
      const head = await host.head(run);
      if (!head.ok) return head;
      const { seq } = head.value;
      if (guard('stream.cursor', after > seq)) return fail(badField('after', `the run has ${seq} events`));
      const channel = await channelOf(run, seq);
      const ending = AbortSignal.any([signal, over.signal]);
      return ok(
        subscribe(channel, { after, head: seq, limits, signal: ending, left: () => leave(run, channel) }),
      );
    },
    size: () => channels.size,
    close: () => over.abort(),
  };
}
