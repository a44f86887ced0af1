import type { JsonValue } from '@cuebook/prompt';
import type { Wait } from './wait.js';

/** How a run of any kind stands: the one shape of `run --json`. Plain JSON. */
export interface RunReport extends KindView {
  readonly run: string;
  readonly kind: string;
  /** The last event that this report knows. */
  readonly seq: number;
  /** What waits for a person, and how it is answered. */
  readonly waits: readonly Wait[];
}

/** What a kind says of the state of one of its runs. */
export interface KindView {
  /** What is run, such as `agent:counter`. */
  readonly target: string | null;
  readonly status: RunStatus;
  /** Why it stands so, in one word where the kind has one: `answered`, `budget`, `stall`. */
  readonly reason: string | null;
  /** What was said last, or what became of it. */
  readonly text: string;
  /** Only of a failed run. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly turns: number;
  /** A script has answered, not a model: whoever shows the run says so. */
  readonly rehearsal: boolean;
  /** What was spent; null before anything was. `usd` is 0 where no price is known. */
  readonly usage: { readonly turns: number; readonly tokens: number; readonly usd: number } | null;
  /** What only this kind has: the messages of a thread, the node of a workflow. */
  readonly detail: { readonly [name: string]: JsonValue };
}

/** `running`: work is open, whether or not a process does it just now. `waiting`: it goes on only with a person. */
export type RunStatus = 'new' | 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped';
