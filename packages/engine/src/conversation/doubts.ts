import type { EngineEvent } from '../machine.js';

/** Folds what a person is asked about after a crash: effects of which nobody knows whether they were done. */
export function projectDoubts(
  doubts: readonly string[],
  event: EngineEvent | { readonly type: string },
): readonly string[] {
  if (!isOfEffect(event)) return doubts;
  const { id } = event.data;
  if (event.type === 'effect.asked') return [...doubts, id];
  return doubts.includes(id) ? doubts.filter((each) => each !== id) : doubts;
}

type OfEffect = Extract<
  EngineEvent,
  { readonly type: 'effect.asked' | 'effect.reopened' | 'effect.settled' }
>;

const isOfEffect = (event: { readonly type: string }): event is OfEffect =>
  event.type === 'effect.asked' || event.type === 'effect.reopened' || event.type === 'effect.settled';
