import { describe, expect, it } from 'vitest';
import { roundsOf, share } from '../../../test/runs.js';
import { differenceInterval, tuningFor } from '../../platform/src/experiment/interval.js';
import { comparisonDocument } from '../src/comparison/document.js';
import { compareMetric, pairedDifference } from '../src/comparison/metric.js';
import { type ScoredCase, scoredOf } from '../src/comparison/score.js';
import { judgeDifference } from '../src/comparison/verdict.js';
import { planEval } from '../src/design/plan.js';
import { seededDraws } from '../src/statistics/draws.js';
import { clusteredMean, type Estimate, meanOf, tInterval, varianceOf } from '../src/statistics/estimate.js';
import { anytimeInterval, lookSizes } from '../src/statistics/looks.js';
import { measuredSpread } from '../src/statistics/power.js';
import { tQuantile } from '../src/statistics/student.js';
import { drawWorld, normal, rateOf, sigmoid, truthOf, type World } from './world.js';

const ONE_LOOK = { look: 1, planned: 1 };
const GATE = { margin: 0.05, look: ONE_LOOK };
const differences = (cases: readonly ScoredCase[]): readonly number[] =>
  cases.map(({ base, candidate }) => meanOf(scoredOf(candidate)) - meanOf(scoredOf(base)));
const covers = (estimate: Estimate | undefined, truth: number): boolean => {
  const { low, high } = tInterval(estimate as Estimate);
  return low <= truth && truth <= high;
};
const naive = (cases: readonly ScoredCase[]): Estimate | undefined => clusteredMean(differences(cases));
const paired = (cases: readonly ScoredCase[]): Estimate => pairedDifference(cases) as Estimate;
const isFound = (estimate: Estimate): boolean => !covers(estimate, 0);

describe('intervals', () => {
  it('1: the interval covers the truth, and the naive one does not', () => {
    const world: World = {
      cases: 200,
      takes: 1,
      base: 0.4,
      effect: 0,
      spread: 1,
      clusters: 40,
      clusterSpread: 1,
      effectSpread: 2,
    };
    const truth = truthOf(world);
    const rounds = roundsOf('row 1', { quick: 400, full: 1000, inSoak: 5000 });
    const covered = rateOf(rounds, (seed) => covers(paired(drawWorld(seed, world)), truth));
    expect(covered).toBeGreaterThan(0.92);
    expect(covered).toBeLessThan(0.97);
    expect(rateOf(rounds, (seed) => covers(naive(drawWorld(seed, world)), truth))).toBeLessThan(0.9);
  });

  it('2: few clusters; with four the verdict is open', () => {
    const world: World = {
      cases: 200,
      takes: 1,
      base: 0.4,
      effect: 0,
      spread: 1,
      clusters: 10,
      clusterSpread: 1,
      effectSpread: 2,
    };
    const truth = truthOf(world);
    const rounds = roundsOf('row 2', { quick: 400, full: 1000, inSoak: 5000 });
    const covered = rateOf(rounds, (seed) => covers(paired(drawWorld(seed, world)), truth));
    expect(covered).toBeGreaterThan(0.92);
    expect(covered).toBeLessThan(0.97);
    expect(rateOf(rounds, (seed) => covers(naive(drawWorld(seed, world)), truth))).toBeLessThan(0.75);
    for (let seed = 0; seed < 50; seed += 1) {
      const cases = drawWorld(seed, { ...world, clusters: 4, effect: 3 });
      const metric = compareMetric({ name: 'm', role: 'primary', cases }, GATE);
      expect(metric.verdict).toBe('open');
      expect(metric.why).toContain('4 clusters are too few');
      expect(metric.difference?.interval).not.toBeNull();
    }
  });

  it.each([1, 5])('3: no false alarms with %i takes', (takes) => {
    const alarm = rateOf(roundsOf('row 3', { quick: 700, full: 2000, inSoak: 4000 }), (seed) =>
      isFound(paired(drawWorld(seed, { cases: 100, takes, base: 0.4, effect: 0 }))),
    );
    expect(alarm).toBeLessThanOrEqual(0.065);
  });

  it('4: pairs find what is there; arms apart find less, and the interval of the field nothing', () => {
    const world: World = { cases: 200, takes: 1, base: 0.4, effect: 0.8 };
    const rounds = roundsOf('row 4', { quick: 300, full: 1000, inSoak: 2000 });
    const found = rateOf(rounds, (seed) => isFound(paired(drawWorld(seed, world))));
    const apart = rateOf(rounds, (seed) => {
      const cases = drawWorld(seed, world);
      const [a, b] = [
        cases.flatMap(({ base }) => scoredOf(base)),
        cases.flatMap(({ candidate }) => scoredOf(candidate)),
      ];
      const error = Math.sqrt(varianceOf(a) / a.length + varianceOf(b) / b.length);
      return Math.abs(meanOf(b) - meanOf(a)) > 1.96 * error;
    });
    const field = rateOf(rounds, (seed) => {
      const cases = drawWorld(seed, world);
      const tally = (scores: readonly number[]) => ({
        count: scores.length,
        sum: scores.reduce((s, x) => s + x, 0),
      });
      const { low, high } = differenceInterval(
        tally(cases.flatMap(({ base }) => scoredOf(base))),
        tally(cases.flatMap(({ candidate }) => scoredOf(candidate))),
        tuningFor(0.05, 0.8, 0.05),
      );
      return low > 0 || high < 0;
    });
    expect(found).toBeGreaterThanOrEqual(0.87);
    expect(apart).toBeLessThanOrEqual(found - 0.04);

    expect(field).toBeLessThanOrEqual(0.1);
  });
});

describe('looks', () => {
  const CASES = 200;
  const sizes = lookSizes(CASES, 4);
  /** The look at which the plan stops, and the answer then. */
  const planned = (cases: readonly ScoredCase[]): { readonly at: number; readonly found: boolean } => {
    for (const [at, size] of sizes.entries()) {
      const { verdict } = judgeDifference(paired(cases.slice(0, size)), {
        margin: 0,
        look: { look: at + 1, planned: 4 },
      });
      if (verdict === 'better' || verdict === 'worse') return { at: size, found: true };
    }
    return { at: CASES, found: false };
  };

  it('5: planned looks and any-time intervals keep their word, and looking without a plan does not', () => {
    const rounds = roundsOf('row 5', { quick: 400, full: 2000, inSoak: 4000 });
    const world: World = { cases: CASES, takes: 1, base: 0.4, effect: 0 };
    expect(rateOf(rounds, (seed) => planned(drawWorld(seed, world)).found)).toBeLessThanOrEqual(0.067);
    let [peeked, anytime] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const values = differences(drawWorld(1 + round * 7919, world));
      let [sum, squares, isPeeked, isSeen] = [0, 0, false, false];
      for (const [at, value] of values.entries()) {
        sum += value;
        squares += value * value;
        const count = at + 1;
        const mean = sum / count;
        const error = Math.sqrt(Math.max(0, squares - count * mean * mean) / Math.max(1, count - 1) / count);
        if (count >= 20 && count % 10 === 0 && Math.abs(mean) > tQuantile(0.975, at) * error) isPeeked = true;
        const interval = anytimeInterval({ mean, error, degrees: at, count, clusters: count });
        if (interval !== undefined && (interval.low > 0 || interval.high < 0)) isSeen = true;
      }
      if (isPeeked) peeked += 1;
      if (isSeen) anytime += 1;
    }
    expect(peeked / rounds).toBeGreaterThanOrEqual(0.18);
    expect(anytime / rounds).toBeLessThanOrEqual(0.05);
  });

  it('6: a plan with four looks finds as much and stops early', () => {
    const world: World = { cases: CASES, takes: 1, base: 0.4, effect: 0.8 };
    const rounds = roundsOf('row 6', { quick: 500, full: 1000, inSoak: 2000 });
    let [found, used] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const told = planned(drawWorld(1 + round * 7919, world));
      found += Number(told.found);
      used += told.at;
    }
    expect(found / rounds).toBeGreaterThanOrEqual(0.87);
    expect(used / rounds).toBeLessThanOrEqual(160);
  });

  it('beyond the plan only the interval for any look counts, and it needs fifty clusters', () => {
    const beyond = { margin: 0.05, look: { look: 5, planned: 4 } };
    const few = drawWorld(3, { cases: 40, takes: 5, base: 0, effect: 3 });
    expect(judgeDifference(paired(few), beyond)).toMatchObject({ verdict: 'open' });
    const many = drawWorld(3, { cases: 200, takes: 5, base: 0, effect: 3 });
    expect(judgeDifference(paired(many), beyond)).toMatchObject({ verdict: 'better' });
    const weak = { mean: 0.08, error: 0.035, degrees: 199, count: 200, clusters: 200 };
    const last = judgeDifference(weak, { margin: 0.05, look: { look: 4, planned: 4 } });
    expect(last.verdict).toBe('better');
    expect(judgeDifference(weak, beyond).verdict).toBe('no-worse');
  });
});

describe('gates', () => {
  const gate = (effect: number, verdict: string): number =>
    rateOf(roundsOf('row 7', { quick: 250, full: 1000, inSoak: 1000 }), (seed) => {
      const cases = drawWorld(seed, { cases: 200, takes: 3, base: 2.6, effect });
      return judgeDifference(paired(cases), GATE).verdict === verdict;
    });

  it('7: a gate answers', () => {
    // The worlds are those that are meant: a base of .87, and losses of .05 and .11.
    const world: World = { cases: 200, takes: 3, base: 2.6, effect: 0 };
    expect(Math.abs(truthOf({ ...world, effect: -0.5 }) + 0.05)).toBeLessThan(0.005);
    expect(Math.abs(truthOf({ ...world, effect: -1 }) + 0.11)).toBeLessThan(0.005);
    expect(gate(0, 'no-worse') + gate(0, 'better')).toBeGreaterThanOrEqual(0.87);
    expect(gate(-0.5, 'no-worse')).toBeLessThanOrEqual(0.085);
    expect(gate(-1, 'worse')).toBeGreaterThanOrEqual(0.98);
  });

  it('8: the plan says what it can see, and what would be enough', () => {
    const plan = planEval({
      cases: 50,
      clusters: 50,
      takes: 1,
      variants: 2,
      onRecord: 0,
      margin: 0.05,
      tokens: 0,
      usd: 0,
    });
    expect(plan.canSee).toBeGreaterThanOrEqual(0.1);
    expect(plan.enough).not.toBeNull();
    const { cases = 0, takes = 0 } = plan.enough ?? {};
    const better = planEval({ ...plan, cases, clusters: cases, takes, margin: 0.05 });
    expect(better.canSee).toBeLessThanOrEqual(0.05);
    expect(better.enough).toBeNull();
    const drawn = drawWorld(5, { cases: 50, takes: 2, base: 0.4, effect: 0.3 });
    const error = paired(drawn).error;
    const told = compareMetric({ name: 'm', role: 'primary', cases: drawn }, GATE).difference?.canSee ?? 0;
    expect(Math.abs(told / (2.8 * error) - 1)).toBeLessThan(0.2);
    // The next plan uses what was measured.
    const spread = measuredSpread(
      drawn.map(({ base, candidate }) => ({ base: scoredOf(base), candidate: scoredOf(candidate) })),
    );
    const next = planEval({
      cases: 50,
      clusters: 50,
      takes: 2,
      variants: 2,
      onRecord: 0,
      margin: 0.05,
      spread,
      tokens: 0,
      usd: 0,
    });
    expect(Math.abs(next.canSee / told - 1)).toBeLessThan(0.25);
    expect(next.isMeasured).toBe(true);
  });

  it('10: what is missing is not zero: the verdict is open and names it, and the mean stays', () => {
    const whole = drawWorld(11, { cases: 200, takes: 3, base: 0.4, effect: 0.8 });
    const draw = seededDraws(4);
    const cut = whole.map((each) => ({
      ...each,
      candidate: each.candidate.map((score) => (draw() < 0.1 ? { missing: 'E_PROVIDER_DOWN' } : score)),
    }));
    const [before, after] = [whole, cut].map((cases) =>
      compareMetric({ name: 'm', role: 'primary', cases }, GATE),
    );
    expect(before?.verdict).toBe('better');
    expect(after?.verdict).toBe('open');
    expect(after?.why).toContain('E_PROVIDER_DOWN');
    expect(Math.abs((after?.candidate?.mean ?? 0) - (before?.candidate?.mean ?? 1))).toBeLessThan(0.01);
  });

  it('nothing, all missing and one cluster are open, never a pass', () => {
    const lost = { missing: 'judge' };
    for (const cases of [
      [],
      [{ id: 'a', cluster: 'a', base: [], candidate: [] }],
      Array.from({ length: 60 }, (_, at) => ({
        id: `${at}`,
        cluster: `${at}`,
        base: [lost],
        candidate: [lost],
      })),
      Array.from({ length: 60 }, (_, at) => ({ id: `${at}`, cluster: 'one', base: [1], candidate: [1] })),
    ])
      expect(compareMetric({ name: 'm', role: 'primary', cases }, GATE).verdict).toBe('open');
  });

  it('several guards are tested together, and one that is worse stops', () => {
    const fine = drawWorld(1, { cases: 100, takes: 3, base: 2, effect: 0 });
    const bad = drawWorld(2, { cases: 100, takes: 3, base: 1, effect: -1.5 });
    const document = (guards: readonly (readonly ScoredCase[])[]) =>
      comparisonDocument({
        id: 'run_x',
        seed: 1,
        base: { target: 'a', edits: [], hash: '', tokens: 1 },
        candidate: { target: 'b', edits: [], hash: '', tokens: 1 },
        diff: null,
        gate: GATE,
        takes: 3,
        metrics: [
          { name: 'p', role: 'primary', cases: fine },
          ...guards.map((cases, at) => ({ name: `g${at}`, role: 'guard' as const, cases })),
        ],
        turns: {},
      });
    expect(document([bad])).toMatchObject({ verdict: 'worse', why: 'guard g0 is worse' });
    const alarms = rateOf(share(80, 1000), (seed) => {
      const guards = [0, 1, 2, 3].map((at) =>
        drawWorld(seed + at, { cases: 60, takes: 1, base: 1, effect: 0 }),
      );
      return document(guards).why.startsWith('guard');
    });
    expect(alarms).toBeLessThanOrEqual(0.1);
  });
});

describe('judges', () => {
  /** Two variants of equal truth, a judge that is kinder to the candidate, marks of the first cases. */
  function judgedWorld(seed: number, marks: number) {
    const draw = seededDraws(seed);
    const say = (isGood: boolean, [specificity, sensitivity]: readonly [number, number]): number =>
      Number(isGood ? draw() < sensitivity : draw() >= specificity);
    const marked: Record<string, number> = {};
    const cases = Array.from({ length: 300 }, (_, at): ScoredCase => {
      const odds = 1 + 1.2 * normal(draw);
      const [a, b] = [draw() < sigmoid(odds), draw() < sigmoid(odds)];
      if (at < marks) marked[`c${at}`] = Number(b) - Number(a);
      return {
        id: `c${at}`,
        cluster: `c${at}`,
        base: [say(a, [0.85, 0.9])],
        candidate: [say(b, [0.7, 0.93])],
      };
    });
    return { name: 'kind', role: 'primary' as const, cases, judged: { judge: 'sha256:1', marks: marked } };
  }

  it('11: a judge with taste invents differences; without marks it cannot pass, with marks it is put right', () => {
    const rounds = roundsOf('row 11', { quick: 250, full: 500, inSoak: 1000 });
    const raw = rateOf(rounds, (seed) => isFound(paired(judgedWorld(seed, 0).cases)));
    expect(raw).toBeGreaterThanOrEqual(0.4);
    for (let seed = 1; seed < 60; seed += 1) {
      const told = compareMetric(judgedWorld(seed, 0), GATE);
      expect(['open', 'worse']).toContain(told.verdict);
      expect(told.judged).toMatchObject({ corrected: false });
    }
    const alarms = rateOf(rounds, (seed) => {
      const { verdict, difference } = compareMetric(judgedWorld(seed, 60), GATE);
      expect(difference?.method).toBe('paired-ppi-t');
      return verdict === 'better' || verdict === 'worse';
    });
    expect(alarms).toBeLessThanOrEqual(0.08);
  });
});

it('16: cases chosen because they failed pass when simply run again; pairs of fresh takes are not fooled', () => {
  const rounds = roundsOf('row 16', { quick: 60, full: 200, inSoak: 200 });
  let [inside, gains] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const draw = seededDraws(1 + round * 7919);
    const failed: ScoredCase[] = [];
    while (failed.length < 200) {
      const odds = 2.6 + 1.5 * normal(draw);
      if (draw() < sigmoid(odds)) continue;
      const take = (): number => Number(draw() < sigmoid(odds));
      failed.push({
        id: `${failed.length}`,
        cluster: `${failed.length}`,
        base: [take()],
        candidate: [take()],
      });
    }
    inside += Number(covers(paired(failed), 0));
    gains += Number(meanOf(failed.flatMap(({ candidate }) => scoredOf(candidate))) >= 0.35);
  }
  expect(inside / rounds).toBeGreaterThanOrEqual(0.9);
  // The recorded failures as a base would have made this a gain of .35 and more, each time.
  expect(gains).toBe(rounds);
});
