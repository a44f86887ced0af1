import type { Sent, TurnEnd, TurnEvent, TurnInput, TurnLimits } from '../turn.js';

/**
 * A turn while it runs, as a provider sees it. The provider emits what happens and answers how it ended;
 * `runTurn` adds the frame: `turn.start`, limits, cancellation, exactly one `turn.end`.
 */
export interface LiveTurn {
  readonly input: TurnInput;
  readonly limits: TurnLimits;
  /** Fires on the caller's abort, on a timeout, and when the reader has gone away. */
  readonly signal: AbortSignal;
  /** Everything but `turn.start` and `turn.end`. Events after the end are dropped. */
  emit(event: Exclude<TurnEvent, { readonly type: 'turn.start' | 'turn.end' }>): void;
  /** Told once, before the first event or send; without it `turn.start` has the session's own values. */
  started(details: { readonly model?: string; readonly sessionId?: string }): void;
  /**
   * The choke point: the last look at bytes on their way out. It refuses what still leaks (the turn ends with
   * `refused`), waits for `beforeSend`, and only then resolves; the caller writes exactly these bytes after it.
   */
  pass(channel: Sent['channel'], bytes: Uint8Array | string): Promise<void>;
  /** Text for the provider or for an event, cleaned: error texts, tool results, answers in mid-turn. */
  clean(text: string): string;
  /** Counts output against `limits.outputBytes`; past it the turn ends with `error`. Also feeds the idle clock. */
  received(bytes: number): void;
}

/** How the provider says a turn ended. A throw counts as `error`. */
export type Speak = (turn: LiveTurn) => Promise<Omit<TurnEnd, 'type'>>;
