import type { Accepted, Objects } from '@cuebook/bundle';

export interface LookOptions {
  readonly objects: Objects;
  readonly accepted: Accepted;
  readonly now: number;
  /** A heartbeat that is older counts as offline. */
  readonly onlineMs: number;
  /** The last feedback that was taken. */
  readonly heard: string;
}

/** What a look is made with, and how much was passed over on the way. */
export interface Looking extends LookOptions {
  readonly agent: string;
  skipped: number;
}
