/** Waits for something that others bring about, without asking again and again. */
export interface ClaudeNews {
  /** Something has changed. */
  tell(): void;
  /** Settles when the condition holds, or after `ms`. One waits at a time. */
  until(condition: () => boolean, ms?: number): Promise<void>;
}

export function createNews(): ClaudeNews {
  let wake = () => {};
  return {
    tell: () => wake(),
    until: (condition, ms) =>
      new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(() => finish(), ms);
        const finish = () => {
          clearTimeout(timer);
          wake = () => {};
          resolve();
        };
        wake = () => {
          if (condition()) finish();
        };
        wake();
      }),
  };
}
