import type { KeyQueue } from './queue/key-queue.js';

/** What came of looking at one object. */
export type Reconciled =
  /** It is as it should be; looked at again after a time where one is named. */
  | { readonly type: 'done'; readonly againMs?: number }
  /** It may go well later, without anybody changing anything: tried again, less and less often. */
  | { readonly type: 'transient'; readonly message: string; readonly againMs?: number }
  /** Somebody has to change something: tried again when that happens. */
  | { readonly type: 'terminal'; readonly message: string };

export interface ControllerOptions {
  readonly queue: KeyQueue;
  /** Brings the world to what the object of a key says, from whatever it is now. What it throws counts as transient. */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<Reconciled>;
  /** Keys at work at the same time. */
  readonly workers: number;
  /** When it is called off nothing new is begun; what is at work is told, and waited for. */
  readonly signal: AbortSignal;
  readonly onReconciled?: (key: string, outcome: Reconciled, ms: number) => void;
}

/** Works on the keys of a queue until it is called off and what was begun has ended. Never rejects. */
export async function runController(options: ControllerOptions): Promise<void> {
  const { queue, reconcile, workers, signal, onReconciled } = options;
  const stop = (): void => queue.close();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const work = async (): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      const begun = performance.now();
      const outcome = await attempt(key);
      settle(key, outcome);
      onReconciled?.(key, outcome, performance.now() - begun);
      queue.done(key);
    }
  };
  const attempt = async (key: string): Promise<Reconciled> => {
    try {
      return await reconcile(key, signal);
    } catch (error) {
      return { type: 'transient', message: error instanceof Error ? error.message : String(error) };
    }
  };
  const settle = (key: string, outcome: Reconciled): void => {
    if (outcome.type !== 'transient') queue.forget(key);
    if (outcome.type === 'terminal') return;
    if (outcome.againMs !== undefined) queue.addAfter(key, outcome.againMs);
    else if (outcome.type === 'transient') queue.retry(key);
  };
  await Promise.all(Array.from({ length: workers }, work));
  signal.removeEventListener('abort', stop);
}
