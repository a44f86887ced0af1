import type { Fence } from '@cuebook/journal';
import type { EffectIntent, Outcome } from '../machine.js';
import type { Observation } from '../recover/recover.js';
import type { EffectWrites } from './beside.js';

/** Does effects of one kind in the world. */
export interface Driver {
  /**
   * Does it and says what came of it. An error that is thrown, and an outcome that is not JSON, become a failing
   * outcome; only a journal that is away is none: the effect stays open, as after a crash. The signal says: stop now,
   * nobody waits for more than the grace.
   */
  perform(effect: EffectIntent, context: PerformContext): Promise<Outcome>;
  /**
   * Whether an effect that was begun was done. It changes nothing. Left out, or thrown: unknown. `done` and
   * `not-done` are promises: the engine acts on them.
   */
  observe?(effect: EffectIntent, context: ObserveContext): Promise<Observation>;
  /**
   * What it does before `begin` of its context leaves no trace, or may be done again. So an effect that may be repeated
   * is marked as begun there, in the commit of the first receipt, and not before. Left out: each is marked before.
   */
  readonly beginsLate?: true;
  /** After so many milliseconds the effect is ended and fails with a timeout; left out: half an hour. */
  readonly timeoutMs?: number;
}

export type Drivers = Readonly<Record<string, Driver>>;

export interface ObserveContext {
  readonly run: string;
  readonly signal: AbortSignal;
  /**
   * Grows with each holder of the lane. A world that remembers the greatest one it was shown refuses what a holder
   * does that was paused and has lost the lane: `not-done` is final only there, or where the holder is dead.
   */
  readonly fence: Fence;
}

export interface PerformContext extends ObserveContext, EffectWrites {
  /** 1 for the first try of this effect. */
  readonly attempt: number;
  now(): number;
  /**
   * Whether whoever performs this still holds the lane. A lease that ran out while the process stood still, and that
   * nobody took, is renewed by asking. Left out: nobody knows, and what was fenced off stays so.
   */
  stands?(): Promise<boolean>;
  /** Waits before what could not be written is tried again; false: it is given up. Left out: it is given up at once. */
  tryAgain?(tries: number): Promise<boolean>;
}
