import type { ScoredCase } from '../src/comparison/score.js';
import { seededDraws } from '../src/statistics/draws.js';

/** Worlds whose truth is known: cases with a difficulty, variants that shift the log-odds of a pass. */
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
export const normal = (draw: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

export interface World {
  readonly cases: number;
  readonly takes: number;
  /** Log-odds of a pass of a case of middle difficulty. */
  readonly base: number;
  /** What the candidate adds. */
  readonly effect: number;
  /** The standard deviation of the difficulty of cases. */
  readonly spread?: number;
  readonly clusters?: number;
  /** Standard deviations between clusters: of the difficulty and of the effect. */
  readonly clusterSpread?: number;
  readonly effectSpread?: number;
}

export function drawWorld(seed: number, world: World): readonly ScoredCase[] {
  const {
    cases,
    takes,
    base,
    effect,
    spread = 1.5,
    clusters = 0,
    clusterSpread = 0,
    effectSpread = 0,
  } = world;
  const draw = seededDraws(seed);
  const groups = Array.from({ length: clusters }, () => ({
    harder: clusterSpread * normal(draw),
    more: effectSpread * normal(draw),
  }));
  return Array.from({ length: cases }, (_, at) => {
    const group =
      clusters === 0 ? { harder: 0, more: 0 } : (groups[at % clusters] as (typeof groups)[number]);
    const difficulty = base + spread * normal(draw) + group.harder;
    const take = (odds: number): readonly number[] =>
      Array.from({ length: takes }, () => (draw() < sigmoid(odds) ? 1 : 0));
    return {
      id: `case ${at}`,
      cluster: clusters === 0 ? `case ${at}` : `cluster ${at % clusters}`,
      base: take(difficulty),
      candidate: take(difficulty + effect + group.more),
    };
  });
}

/** The mean difference over endlessly many cases of such a world. */
export function truthOf({ base, effect, spread = 1.5, clusterSpread = 0, effectSpread = 0 }: World): number {
  const draw = seededDraws(99);
  let sum = 0;
  const count = 200_000;
  for (let at = 0; at < count; at += 1) {
    const x = base + spread * normal(draw) + (clusterSpread === 0 ? 0 : clusterSpread * normal(draw));
    sum += sigmoid(x + effect + (effectSpread === 0 ? 0 : effectSpread * normal(draw))) - sigmoid(x);
  }
  return sum / count;
}

/** How often something holds over rounds, each with a seed of its own. */
export function rateOf(rounds: number, holds: (seed: number) => boolean): number {
  let count = 0;
  for (let round = 0; round < rounds; round += 1) if (holds(1 + round * 7919)) count += 1;
  return count / rounds;
}
