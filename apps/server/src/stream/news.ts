import { isRegister, type Store } from '@cuebook/journal';
import { HEARTBEAT, noteLine } from './line.js';
import { createBell, DEFAULT_STREAM_LIMITS, type StreamLimits } from './subscriber.js';

/** What news are made from. */
export interface NewsParts {
  readonly store: Pick<Store, 'subscribe' | 'newest'>;
  readonly limits?: Partial<StreamLimits>;
  readonly onProblem: (error: unknown, about: string) => void;
}

/** Streams that name the runs in which something happened. */
export interface StreamNews {
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Ends every stream; followers come back. */
  close(): void;
}

/**
 * Tells in which runs something happened, whoever wrote it; what happens at once is told at once. A stream holds the
 * names of runs and nothing more, however slow the follower is.
 */
export function createNews({ store, limits, onProblem }: NewsParts): StreamNews {
  const heartbeatMs = limits?.heartbeatMs ?? DEFAULT_STREAM_LIMITS.heartbeatMs;
  const over = new AbortController();
  return {
    async open(signal) {
      const gone = new AbortController();
      const ending = AbortSignal.any([signal, over.signal, gone.signal]);
      const bell = createBell();
      const runs = new Set<string>();
      const after = await store.newest();
      const pump = async () => {
        for await (const { run } of store.subscribe({ after, signal: ending })) {
          if (isRegister(run)) continue;
          runs.add(run);
          bell.ring();
        }
      };
      pump()
        .catch((error: unknown) => onProblem(error, 'the news of all runs'))
        .finally(() => gone.abort());
      ending.addEventListener('abort', bell.ring, { once: true });
      let isReady = false;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (!isReady) {
              isReady = true;
              controller.enqueue(noteLine('ready', {}));
              return;
            }
            const rang = runs.size > 0 || (await bell.wait(heartbeatMs));
            if (ending.aborted) return controller.close();
            controller.enqueue(rang ? noteLine('changed', { runs: [...runs] }) : HEARTBEAT);
            runs.clear();
          },
          cancel: () => gone.abort(),
        },
        { highWaterMark: 1 },
      );
    },
    close: () => over.abort(),
  };
}
