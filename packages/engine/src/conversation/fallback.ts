import { guard } from '@cuebook/guard';
import type { TurnOutcome } from './outcome.js';

/** Which of the models of a conversation a turn was asked of, and how many there are. */
export interface Models {
  /** 0 is its own, all others are fallbacks in order. */
  readonly model: number;
  readonly models: number;
}

/**
 * The model that the same turn is asked of when one has failed; undefined where none is left, where nobody was asked,
 * and where somebody ended the turn.
 */
export function nextModel(
  { end, final }: Pick<TurnOutcome, 'end' | 'final'>,
  { model, models }: Models,
): number | undefined {
  const isFailed = end.reason !== 'done' && end.reason !== 'aborted';
  const isLeft = model + 1 < models;
  return guard('model.fallback', isFailed && final !== true && isLeft) ? model + 1 : undefined;
}
