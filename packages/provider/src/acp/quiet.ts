/** Notices when an agent has stopped telling. */
export interface Quiet {
  /** Something came. */
  touch(): void;
  /** Resolves once nothing has come for a while; after `MAX_MS` in any case, and when the signal fires. */
  wait(signal: AbortSignal): Promise<void>;
}

const QUIET_MS = 250;
const MAX_MS = 10_000;

/**
 * An agent that loads a session tells all of it once more, and some go on telling after they have answered
 * that it is loaded. Nothing marks the end of it, so the next prompt waits for silence.
 */
export function createQuiet(quietMs = QUIET_MS): Quiet {
  let wake = () => {};
  return {
    touch: () => wake(),
    wait: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(silence);
          clearTimeout(limit);
          signal.removeEventListener('abort', done);
          wake = () => {};
          resolve();
        };
        const silence = setTimeout(done, quietMs);
        const limit = setTimeout(done, MAX_MS);
        wake = () => void silence.refresh();
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted) done();
      }),
  };
}
