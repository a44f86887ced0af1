import { describe, expect, it } from 'vitest';
import { itInTurn, roundsOf } from '../../../test/runs.js';
import type { ScoredCase } from '../src/comparison/score.js';
import {
  jointRemoval,
  leaveOneOut,
  redundantPairs,
  removableTogether,
  subsetDesign,
  type UnitScores,
} from '../src/design/ablation.js';
import { edgeShares, shapleyShares } from '../src/design/attribution.js';
import { seededDraws } from '../src/statistics/draws.js';
import { meanOf } from '../src/statistics/estimate.js';
import { unitEffects } from '../src/statistics/linear.js';
import { normal, sigmoid } from './world.js';

/** Twelve spans: three strong, one weak, one harmful, a redundant pair, a pair that works together, three dead. */
const UNITS = 12;
const WEIGHTS = [1.2, 0.9, 0.8, 0.4, -0.7, 0, 0, 0, 0, 0, 0, 0];
const FULL = (1 << UNITS) - 1;
const has = (mask: number, unit: number): boolean => ((mask >> unit) & 1) === 1;
function odds(mask: number): number {
  let sum = -1.2;
  for (let unit = 0; unit < UNITS; unit += 1) if (has(mask, unit)) sum += WEIGHTS[unit] as number;
  if (has(mask, 5) || has(mask, 6)) sum += 1;
  if (has(mask, 7) && has(mask, 8)) sum += 1;
  return sum;
}

interface Suite {
  readonly take: (mask: number) => readonly (readonly number[])[];
}

function suite(seed: number, cases: number, takes: number): Suite {
  const draw = seededDraws(seed);
  const difficulty = Array.from({ length: cases }, () => 1.2 * normal(draw));
  return {
    take: (mask) =>
      difficulty.map((harder) => {
        const chance = sigmoid(odds(mask) + harder);
        return Array.from({ length: takes }, () => Number(draw() < chance));
      }),
  };
}

const scored = (
  without: readonly (readonly number[])[],
  whole: readonly (readonly number[])[],
): readonly ScoredCase[] =>
  without.map((base, at) => ({
    id: `c${at}`,
    cluster: `c${at}`,
    base,
    candidate: whole[at] as readonly number[],
  }));

function looked({ take }: Suite): readonly UnitScores[] {
  const whole = take(FULL);
  return Array.from({ length: UNITS }, (_, unit) => ({
    unit: `u${unit}`,
    exercised: true,
    cases: scored(take(FULL & ~(1 << unit)), whole),
  }));
}

describe('ablation', () => {
  itInTurn(
    '19, 21: the strong are found, the dead are within the margin, the harmful leans down, a pair that works together helps',
    () => {
      const rounds = roundsOf('row 19, 21', { quick: 12, full: 100, inSoak: 100 });
      const count = new Map<string, number>();
      const add = (key: string): void => void count.set(key, (count.get(key) ?? 0) + 1);
      for (let round = 0; round < rounds; round += 1) {
        const findings = leaveOneOut(looked(suite(1 + round * 997, 200, 5)), 0.05);
        for (const [unit, { verdict, adds }] of findings.entries()) {
          add(`${unit} ${verdict}`);
          if (unit === 4 && (verdict === 'harms' || (adds ?? 0) < 0)) add('4 down');
        }
      }
      const rate = (key: string): number => (count.get(key) ?? 0) / rounds;
      for (const unit of [0, 1, 2]) expect(rate(`${unit} helps`)).toBeGreaterThanOrEqual(0.85);
      for (const unit of [9, 10, 11])
        expect(rate(`${unit} within`)).toBeGreaterThanOrEqual(rounds < 50 ? 0.9 : 0.95);
      expect(rate('4 harms')).toBeGreaterThanOrEqual(0.3);
      expect(rate('4 down')).toBeGreaterThanOrEqual(0.95);
      for (const unit of [7, 8]) expect(rate(`${unit} helps`)).toBeGreaterThanOrEqual(0.95);
      // Left out one at a time, each of a redundant pair looks as if it did nothing: the next test is about that.
      for (const unit of [5, 6]) expect(rate(`${unit} within`)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it('20: a redundant pair does not go: the joint step stops it and names the pair', () => {
    const rounds = roundsOf('row 20', { quick: 8, full: 100, inSoak: 100 });
    let [both, stopped, named, wrong] = [0, 0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const world = suite(1 + round * 313, 300, 5);
      const units = looked(world);
      const removable = removableTogether(leaveOneOut(units, 0.05), units);
      const ids = removable.map((name) => Number(name.slice(1)));
      if (!ids.includes(5) || !ids.includes(6)) continue;
      both += 1;
      const fresh = world.take(FULL);
      const without = (gone: readonly number[]) => gone.reduce((mask, unit) => mask & ~(1 << unit), FULL);
      if (jointRemoval(scored(world.take(without(ids)), fresh), 0.05).isSafe) continue;
      stopped += 1;
      const pairs = ids.flatMap((a, at) => ids.slice(at + 1).map((b) => [a, b] as const));
      const found = redundantPairs(
        pairs.map(([a, b]) => ({
          units: [`u${a}`, `u${b}`] as const,
          cases: scored(world.take(without([a, b])), fresh),
        })),
      ).map(({ units: [a, b] }) => `${a} ${b}`);
      if (found.includes('u5 u6')) named += 1;
      if (found.some((pair) => /^u(?:9|10|11) u(?:9|10|11)$/.test(pair))) wrong += 1;
    }
    expect(both).toBeGreaterThan(rounds / 2);
    expect(stopped / both).toBeGreaterThanOrEqual(0.9);
    expect(named).toBeGreaterThanOrEqual(stopped * 0.99 - 1e-9);
    expect(wrong).toBeLessThanOrEqual(rounds * 0.01);
  });

  it('22: a rule that no case concerns is not exercised; with cases that do, they are its sensors', () => {
    const cases = (rare: number): readonly ScoredCase[] =>
      Array.from({ length: 60 }, (_, at) => ({
        id: `c${at}`,
        cluster: `c${at}`,
        base: at < rare ? [0, 0, 0] : [1, 1, 1],
        candidate: [1, 1, 1],
      }));
    const [without] = leaveOneOut([{ unit: 'delete', exercised: false, cases: cases(0) }], 0.1);
    expect(without?.verdict).toBe('not exercised');
    const [five] = leaveOneOut([{ unit: 'delete', exercised: true, cases: cases(5) }], 0.1);
    expect(five?.sensors.map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    expect(five?.verdict).not.toBe('not exercised');
  });

  it('23: random subsets are nearer to the fair shares than permutations at the same budget', () => {
    const values = new Map<number, number>();
    const grid = Array.from({ length: 81 }, (_, at) => -4 + at * 0.1);
    const weights = grid.map((x) => Math.exp((-x * x) / 2));
    const total = weights.reduce((sum, each) => sum + each, 0);
    const value = (mask: number): number => {
      const known = values.get(mask);
      if (known !== undefined) return known;
      const told = odds(mask);
      const mean =
        grid.reduce((sum, x, at) => sum + (weights[at] as number) * sigmoid(told + 1.2 * x), 0) / total;
      values.set(mask, mean);
      return mean;
    };
    const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
    const bits = (mask: number): number => mask.toString(2).replaceAll('0', '').length;
    const truth = Array.from({ length: UNITS }, (_, unit) => {
      let sum = 0;
      for (let mask = 0; mask <= FULL; mask += 1) {
        if (has(mask, unit)) continue;
        const k = bits(mask);
        sum +=
          ((factorial(k) * factorial(UNITS - k - 1)) / factorial(UNITS)) *
          (value(mask | (1 << unit)) - value(mask));
      }
      return sum;
    });
    const budget = 1300;
    const rounds = roundsOf('row 23', { quick: 12, full: 100, inSoak: 100 });
    let [subsets, permutations] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const draw = seededDraws(1 + round * 101);
      const take = (mask: number, harder: number): number => Number(draw() < sigmoid(odds(mask) + harder));
      const rows = subsetDesign(UNITS, { takes: budget, keep: 0.5, seed: round }).map((kept, at) => ({
        kept,
        score: take(
          kept.reduce((mask, isKept, unit) => (isKept ? mask | (1 << unit) : mask), 0),
          1.2 * normal(draw),
        ),
        cluster: `c${at}`,
      }));
      const fitted = unitEffects(rows) ?? [];
      subsets += meanOf(fitted.map(({ mean }, unit) => (mean - (truth[unit] as number)) ** 2));
      const shares = new Array<number>(UNITS).fill(0);
      const walks = Math.floor(budget / (UNITS + 1));
      for (let walk = 0; walk < walks; walk += 1) {
        const harder = 1.2 * normal(draw);
        const order = Array.from({ length: UNITS }, (_, at) => ({ at, key: draw() })).sort(
          (a, b) => a.key - b.key,
        );
        let [mask, before] = [0, take(0, harder)];
        for (const { at } of order) {
          mask |= 1 << at;
          const now = take(mask, harder);
          shares[at] = (shares[at] as number) + (now - before) / walks;
          before = now;
        }
      }
      permutations += meanOf(shares.map((each, unit) => (each - (truth[unit] as number)) ** 2));
    }
    expect(Math.sqrt(subsets / rounds)).toBeLessThanOrEqual(0.6 * Math.sqrt(permutations / rounds));
  });
});

describe('attribution', () => {
  const EFFECTS = [-0.62, 0, 0.28];
  const share3 = (values: readonly number[]): readonly number[] =>
    shapleyShares(
      ['a', 'b', 'c'],
      [
        { cluster: 'x', values },
        { cluster: 'y', values },
      ],
    ).map(({ share: each }) => each);

  function truths(): readonly number[] {
    const draw = seededDraws(5);
    const sums = new Array<number>(8).fill(0);
    for (let at = 0; at < 40_000; at += 1) {
      const x = 0.8 + 1.2 * normal(draw);
      for (let mask = 0; mask < 8; mask += 1)
        sums[mask] =
          (sums[mask] as number) +
          sigmoid(EFFECTS.reduce((sum, effect, j) => (has(mask, j) ? sum + effect : sum), x));
    }
    return share3(sums.map((sum) => sum / 40_000));
  }

  it('18: three changed origins: the culprit is found, the innocent is not accused, the shares are near the truth', () => {
    const truth = truths();
    for (const [at, meant] of [-0.11, 0, 0.05].entries())
      expect(Math.abs((truth[at] as number) - meant)).toBeLessThan(0.015);
    const rounds = roundsOf('row 18', { quick: 100, full: 300, inSoak: 300 });
    let [near, lowest, found, accused] = [0, 0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const draw = seededDraws(1 + round * 77);
      const cases = Array.from({ length: 100 }, (_, at) => {
        const x = 0.8 + 1.2 * normal(draw);
        const values = Array.from({ length: 8 }, (_mask, mask) => {
          const chance = sigmoid(EFFECTS.reduce((sum, effect, j) => (has(mask, j) ? sum + effect : sum), x));
          return meanOf([0, 0, 0].map(() => Number(draw() < chance)));
        });
        return { cluster: `c${at}`, values };
      });
      const shares = shapleyShares(['culprit', 'innocent', 'helper'], cases);
      near += Number(shares.every(({ share: each }, at) => Math.abs(each - (truth[at] as number)) <= 0.04));
      lowest += Number(shares.every(({ share: each }) => each >= (shares[0]?.share ?? 0)));
      found += Number(shares[0]?.found === true && shares[0].interval.high < 0);
      accused += Number(shares[1]?.found === true);
    }
    expect(near / rounds).toBeGreaterThanOrEqual(0.82);
    expect(lowest / rounds).toBeGreaterThanOrEqual(0.98);
    expect(found / rounds).toBeGreaterThanOrEqual(0.97);
    expect(accused / rounds).toBeLessThanOrEqual(0.05);
  });

  it('the shares add up to the whole difference, for all scores', () => {
    const draw = seededDraws(8);
    for (let round = 0; round < 200; round += 1) {
      const cases = Array.from({ length: 6 }, (_, at) => ({
        cluster: `c${at}`,
        values: Array.from({ length: 8 }, draw),
      }));
      const whole = meanOf(cases.map(({ values }) => (values[7] as number) - (values[0] as number)));
      const sum = shapleyShares(['a', 'b', 'c'], cases).reduce((total, { share: each }) => total + each, 0);
      expect(sum).toBeCloseTo(whole, 10);
    }
  });

  it('many origins: what each does last and first, and how far that depends on the others', () => {
    const draw = seededDraws(3);
    const cases = Array.from({ length: 40 }, (_, at) => {
      const noise = draw() * 0.1;
      // a adds .2 whatever else changes; b and c add .3 together and nothing alone.
      return {
        cluster: `c${at}`,
        base: 0.1 + noise,
        candidate: 0.6 + noise,
        allBut: [0.4 + noise, 0.3 + noise, 0.3 + noise, 0.6 + noise],
        alone: [0.3 + noise, 0.1 + noise, 0.1 + noise, 0.1 + noise],
      };
    });
    const shares = edgeShares(['a', 'b', 'c', 'd'], cases);
    expect(shares.map(({ share: each }) => Math.round(each * 100) / 100)).toEqual([0.2, 0.15, 0.15, 0]);
    expect(shares.map(({ interaction = 0 }) => Math.round(interaction * 100) / 100 + 0)).toEqual([
      0, 0.3, 0.3, 0,
    ]);
  });
});
