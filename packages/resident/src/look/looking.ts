import type { Accepted, ObjectError, Objects } from '@cuebook/bundle';
import type { Result } from '@cuebook/prompt';

export interface LookOptions {
  readonly objects: Objects;
  readonly accepted: Accepted;
  readonly now: number;
  /** A heartbeat that is older counts as offline. */
  readonly onlineMs: number;
  /** The last feedback that was taken. */
  readonly heard: string;
  /** Shows that the agent is awake. */
  readonly beat: () => Promise<Result<void, ObjectError>>;
}

/** What a look is made with, and how much was passed over on the way. */
export interface Looking extends LookOptions {
  readonly agent: string;
  skipped: number;
}
