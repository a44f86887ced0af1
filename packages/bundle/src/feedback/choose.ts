import { createHash } from 'node:crypto';
import type { Card } from '../card/schema.js';
import { ACTIONS, type Action, type Weights } from './weights.js';

export interface ChosenDeed {
  readonly personality: Card['personality'];
  readonly weights: Weights;
  /** What can be done now; `rest` always can. */
  readonly available: readonly Action[];
  /** What the model would do. It counts three times, and decides nothing alone. */
  readonly suggested?: Action | undefined;
  /** What would meet a goal of the day that is still open. Each counts half as much again. */
  readonly wanted?: readonly Action[];
}

/** The chance of each action, in all 1. What is not available has none. */
export function actionChances(choice: ChosenDeed): Weights {
  const { personality, weights, available, suggested, wanted = [] } = choice;
  const masses = ACTIONS.map((action) => {
    const isPossible = action === 'rest' || available.includes(action);
    const told = (action === suggested ? SUGGESTED : 1) * (wanted.includes(action) ? WANTED : 1);
    const pull = temper(personality)[action] * weights[action] * told;
    return isPossible ? pull : 0;
  });
  const all = masses.reduce((sum, mass) => sum + mass, 0);
  return Object.fromEntries(ACTIONS.map((action, at) => [action, (masses[at] ?? 0) / all])) as Weights;
}

/** One action. The same seed and the same choice give the same action, in every process. */
export function chooseAction(choice: ChosenDeed, seed: string): Action {
  const chances = actionChances(choice);
  const point = createHash('sha256').update(seed).digest().readUIntBE(0, 6) / 2 ** 48;
  let sum = 0;
  for (const action of ACTIONS) {
    sum += chances[action];
    if (point < sum) return action;
  }
  return 'rest';
}

const SUGGESTED = 3;
const WANTED = 1.5;

/** What fits a temper before anything was learned. Each lies between 0.2 and 1.2. */
const temper = ({ extrovert, curious, creative, stable }: Card['personality']): Weights => ({
  explore: 0.2 + curious,
  join_group_chat: 0.2 + extrovert,
  propose_collaboration: 0.2 + (creative + extrovert) / 2,
  join_collaboration: 0.2 + (curious + stable) / 2,
  rest: 0.2 + (1 - extrovert) / 2,
});
