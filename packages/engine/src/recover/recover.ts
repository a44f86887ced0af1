import { guard } from '@cuebook/guard';
import { EMPTY_LEDGER, foldLedger, type OpenEffect } from '../loop/ledger.js';
import type { EffectIntent, EventShape, Outcome } from '../machine.js';

/** What the world says about an effect that was begun. */
export type Observation =
  | { readonly state: 'done'; readonly outcome: Outcome }
  | { readonly state: 'not-done' }
  | { readonly state: 'unknown' };

/** What to do about one open intent or one open timer. */
export type RecoveryAction =
  /** Do it: nobody has begun it, or doing it again is safe, or the world says that it was not done. */
  | { readonly type: 'perform'; readonly effect: EffectIntent; readonly attempt: number }
  /** Look into the world, then ask again with what was seen. */
  | { readonly type: 'observe'; readonly effect: EffectIntent }
  /** The world says that it was done. */
  | { readonly type: 'settle'; readonly effect: EffectIntent; readonly outcome: Outcome }
  /** Nobody can know but a person. */
  | { readonly type: 'ask'; readonly effect: EffectIntent }
  /** A person was asked and has not answered. */
  | { readonly type: 'wait'; readonly effect: EffectIntent }
  | { readonly type: 'arm'; readonly timer: string; readonly at: number };

/**
 * Settles every open intent of a log by its declared policy, in the order of the intents, and never by
 * guessing; then the timers. `observed` holds what the world said, by the id of the effect. Pure: the same log
 * and the same world give the same actions.
 */
export function recover(
  log: readonly EventShape[],
  observed: ReadonlyMap<string, Observation> = new Map(),
): readonly RecoveryAction[] {
  const { effects, timers } = foldLedger(EMPTY_LEDGER, log, 1);
  const bySeq = [...effects.values()].sort((a, b) => a.seq - b.seq);
  return [
    ...bySeq.map((open) => nextAction(open, observed.get(open.intent.id))),
    ...[...timers.values()].map(({ id, at }): RecoveryAction => ({ type: 'arm', timer: id, at })),
  ];
}

/** The same for one effect. Only who alone may work on its lane acts on the answer. */
export function nextAction(open: OpenEffect, observed: Observation | undefined): EffectAction {
  const effect = open.intent;
  if (guard('recover.asked', open.asked)) return { type: 'wait', effect };
  const again: EffectAction = { type: 'perform', effect, attempt: open.attempts + 1 };
  if (!guard('recover.begun', open.begun)) return again;
  if (effect.onCrash === 'repeat') return again;
  if (guard('recover.person', effect.onCrash === 'ask-person')) return { type: 'ask', effect };
  if (observed === undefined) return { type: 'observe', effect };
  if (guard('recover.done', observed.state === 'done')) {
    return { type: 'settle', effect, outcome: (observed as { outcome: Outcome }).outcome };
  }
  if (guard('recover.unknown', observed.state === 'unknown')) return { type: 'ask', effect };
  return again;
}

export type EffectAction = Exclude<RecoveryAction, { type: 'arm' }>;
