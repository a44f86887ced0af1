import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { incompleteBeta, logGamma } from '../src/statistics/beta.js';
import { fisherExact, mcNemar, passAll, passAt, wilsonInterval } from '../src/statistics/counts.js';
import { clusteredMean, meanOf, tInterval, varianceOf } from '../src/statistics/estimate.js';
import { agreementOf, correctedRate, markedMean } from '../src/statistics/judged.js';
import { unitEffects } from '../src/statistics/linear.js';
import { lookBound, pairEvidence } from '../src/statistics/looks.js';
import { normalQuantile } from '../src/statistics/normal.js';
import { casesToSee, smallestVisible } from '../src/statistics/power.js';
import { falseDiscovery, holm } from '../src/statistics/several.js';
import { tChance, tQuantile } from '../src/statistics/student.js';

describe('distributions', () => {
  // R: qt(.975, df)
  it.each([
    [1, 12.7062047362],
    [4, 2.7764451052],
    [9, 2.2621571628],
    [60, 2.0002978221],
    [1000, 1.9623390808],
  ])('t(.975; %i)', (degrees, value) => {
    expect(tQuantile(0.975, degrees)).toBeCloseTo(value, 9);
    expect(tQuantile(0.025, degrees)).toBeCloseTo(-value, 9);
    expect(tChance(value, degrees)).toBeCloseTo(0.975, 10);
  });

  it('log gamma is that of factorials', () => {
    let product = 1;
    for (let n = 1; n < 60; n += 1) {
      expect(logGamma(n)).toBeCloseTo(Math.log(product), 10);
      product *= n;
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12);
  });

  it('the incomplete beta function is the tail of a binomial', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (k, more, p) => {
          const n = k + more;
          let tail = 0;
          for (let i = k; i <= n; i += 1) tail += choose(n, i) * p ** i * (1 - p) ** (n - i);
          expect(incompleteBeta(k, n - k + 1, p)).toBeCloseTo(tail, 9);
        },
      ),
      runs(500, 5000),
    );
  });

  it('asks no quantile of nonsense', () => {
    for (const [p, df] of [
      [0, 3],
      [1, 3],
      [0.5, 0],
      [Number.NaN, 3],
      [2, 3],
    ] as const)
      expect(tQuantile(p, df)).toBeNaN();
  });
});

describe('tables', () => {
  // Fisher: all pass against all fail with K takes each; R: fisher.test
  it.each([
    [3, 0.1],
    [5, 0.007936508],
    [6, 0.002164502],
    [8, 0.0001554002],
    [10, 0.00001082509],
  ])('Fisher, %i takes all pass and all fail', (takes, chance) => {
    expect(fisherExact({ yes: [takes, 0], no: [0, takes] })).toBeCloseTo(chance, 8);
  });

  it('Fisher is symmetric, and counts every table when nothing differs', () => {
    expect(fisherExact({ yes: [3, 3], no: [5, 5] })).toBeCloseTo(1, 12);
    expect(fisherExact({ yes: [1, 9], no: [11, 3] })).toBeCloseTo(0.002759456, 8); // the tea example of R's page
    expect(fisherExact({ yes: [9, 1], no: [3, 11] })).toBeCloseTo(0.002759456, 8);
  });

  it('McNemar: exact and mid-p against the binomial', () => {
    expect(mcNemar(0, 0)).toEqual({ exact: 1, midP: 1 });
    expect(mcNemar(6, 0).exact).toBeCloseTo(2 / 64, 12);
    expect(mcNemar(6, 0).midP).toBeCloseTo(1 / 64, 12);
    expect(mcNemar(2, 10).exact).toBeCloseTo(0.03857422, 7);
  });

  it('Wilson never collapses', () => {
    expect(wilsonInterval(0, 30).high).toBeCloseTo(0.1135, 3);
    expect(wilsonInterval(30, 30).low).toBeCloseTo(1 - 0.1135, 3);
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it('pass@k and pass^k are what drawing without replacement gives', () => {
    for (let n = 1; n <= 7; n += 1)
      for (let c = 0; c <= n; c += 1)
        for (let k = 1; k <= n; k += 1) {
          expect(passAt(k, c, n)).toBeCloseTo(1 - choose(n - c, k) / choose(n, k), 10);
          expect(passAll(k, c, n)).toBeCloseTo(choose(c, k) / choose(n, k), 10);
        }
    expect(passAt(5, 1, 3)).toBeUndefined();
    expect(passAll(5, 1, 3)).toBeUndefined();
  });
});

describe('looks', () => {
  // The chance that a walk with independent steps crosses the bounds at one of the looks, by integrating its density
  // from look to look (Armitage, McPherson and Rowe): a second way to the constants.
  it.each([0.05, 0.1] as const)("O'Brien and Fleming's bounds spend exactly alpha %f", (alpha) => {
    for (let planned = 1; planned <= 5; planned += 1) expect(crossing(planned, alpha)).toBeCloseTo(alpha, 3);
  });

  it('there is no look beyond the plan', () => {
    expect(lookBound({ look: 5, planned: 4 }, 0.05)).toBeUndefined();
    expect(lookBound({ look: 1, planned: 6 }, 0.05)).toBeUndefined();
    expect(lookBound({ look: 4, planned: 4 }, 0.05)).toBeCloseTo(2.024, 3);
    expect(lookBound({ look: 1, planned: 4 }, 0.05)).toBeCloseTo(4.049, 2);
  });

  it('the evidence of pairs is a mean of likelihood ratios: its expectation without a difference is 1', () => {
    for (const n of [1, 5, 12]) {
      let sum = 0;
      for (let gains = 0; gains <= n; gains += 1)
        sum += choose(n, gains) * 2 ** -n * Math.exp(pairEvidence(gains, n - gains));
      expect(sum).toBeCloseTo(1, 10);
    }
  });
});

describe('several tests', () => {
  it('Holm and Benjamini-Hochberg, by their definitions', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([true, false, false, true]);
    expect(falseDiscovery([0.01, 0.04, 0.03, 0.005, 0.9])).toEqual([true, true, true, true, false]);
    expect(holm([])).toEqual([]);
    expect(falseDiscovery([Number.NaN, 1])).toEqual([false, false]);
  });

  it('for all chances: Holm finds what Bonferroni finds, and no more than each alone', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (chances) => {
        const found = holm(chances);
        for (const [at, chance] of chances.entries()) {
          if (chance <= 0.05 / chances.length) expect(found[at]).toBe(true);
          if (chance > 0.05) expect(found[at]).toBe(false);
        }
      }),
      runs(1000, 10_000),
    );
  });
});

describe('means', () => {
  it('with clusters of one it is the t interval of a sample', () => {
    const values = [0.2, 0.5, 0.9, 0.4, 1];
    const estimate = clusteredMean(values);
    expect(estimate?.error).toBeCloseTo(Math.sqrt(varianceOf(values) / 5), 12);
    const interval = tInterval(estimate as NonNullable<typeof estimate>);
    expect(interval.high - meanOf(values)).toBeCloseTo(2.7764451052 * (estimate?.error ?? 0), 9);
  });

  it('equal values are no certainty, and one cluster tells nothing', () => {
    expect(clusteredMean([])).toBeUndefined();
    expect(clusteredMean([1])).toBeUndefined();
    expect(clusteredMean([1, 0, 1], ['a', 'a', 'a'])).toBeUndefined();
    expect(clusteredMean(new Array(30).fill(0))?.error).toBeCloseTo(Math.SQRT2 / 32, 12);
  });

  it('the sample sizes are those of the table', () => {
    for (const [share, difference, n] of [
      [0.1, 0.03, 865],
      [0.2, 0.05, 621],
      [0.35, 0.1, 267],
    ] as const) {
      const spread = { between: 0, within: share - difference ** 2 };
      expect(Math.abs(casesToSee(difference, 1, spread) - n)).toBeLessThanOrEqual(2);
      expect(smallestVisible(n, 1, spread)).toBeCloseTo(difference, 3);
    }
  });
});

describe('judges', () => {
  it('agreement: a known table', () => {
    const told = agreementOf({ bothYes: 20, missed: 5, invented: 10, bothNo: 15 });
    expect(told?.kappa).toBeCloseTo(0.4, 12); // the example of every page about Cohen's kappa
    expect(told?.sensitivity).toBeCloseTo(0.8, 12);
    expect(told?.specificity).toBeCloseTo(0.6, 12);
    expect(agreementOf({ bothYes: 5, missed: 0, invented: 0, bothNo: 0 })).toBeUndefined();
  });

  it('a judge that is no better than chance corrects nothing', () => {
    const counts = { bothYes: 5, missed: 15, invented: 15, bothNo: 5 };
    expect(correctedRate({ passed: 50, count: 100 }, counts)).toBeUndefined();
  });

  it('a perfect judge: the corrected rate is the rate', () => {
    const counts = { bothYes: 5000, missed: 0, invented: 0, bothNo: 5000 };
    expect(correctedRate({ passed: 700, count: 1000 }, counts)?.rate).toBeCloseTo(0.7, 2);
  });

  it('marks alone decide where the judge tells nothing', () => {
    const values = Array.from({ length: 100 }, (_, at) => ({
      judged: 1,
      cluster: `c${at}`,
      ...(at < 60 ? { mark: at % 2 } : {}),
    }));
    expect(markedMean(values)).toMatchObject({ power: 0, mean: 0.5 });
    expect(markedMean(values.slice(60))).toBeUndefined();
  });
});

it('least squares find an exact plane', () => {
  const kept = Array.from({ length: 64 }, (_, z) => [0, 1, 2].map((j) => ((z >> j) & 1) === 1));
  const rows = kept.map((each, at) => ({
    kept: each,
    score: 0.2 + 0.3 * Number(each[0]) - 0.1 * Number(each[2]),
    cluster: `c${at}`,
  }));
  const [a, b, c] = unitEffects(rows) ?? [];
  expect(a?.mean).toBeCloseTo(0.3, 6);
  expect(b?.mean).toBeCloseTo(0, 6);
  expect(c?.mean).toBeCloseTo(-0.1, 6);
  expect(unitEffects(rows.slice(0, 3))).toBeUndefined();
  expect(unitEffects([])).toBeUndefined();
});

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let value = 1;
  for (let at = 0; at < k; at += 1) value = (value * (n - at)) / (at + 1);
  return value;
}

function crossing(planned: number, alpha: 0.05 | 0.1): number {
  const steps = 601;
  const bounds = Array.from(
    { length: planned },
    (_, at) => (lookBound({ look: at + 1, planned }, alpha) ?? 0) * Math.sqrt(at + 1),
  );
  const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const grid = (limit: number) =>
    Array.from({ length: steps }, (_, at) => -limit + (2 * limit * at) / (steps - 1));
  const weigh = (limit: number) => (2 * limit) / (steps - 1);
  let points = grid(bounds[0] as number);
  let mass = points.map(density);
  let width = weigh(bounds[0] as number);
  for (let look = 1; look < planned; look += 1) {
    const limit = bounds[look] as number;
    const next = grid(limit);
    const edge = (at: number): number => (at === 0 || at === steps - 1 ? 0.5 : 1);
    mass = next.map((y) =>
      points.reduce((sum, x, at) => sum + edge(at) * (mass[at] as number) * density(y - x) * width, 0),
    );
    points = next;
    width = weigh(limit);
  }
  const inside = mass.reduce(
    (sum, each, at) => sum + each * width * (at === 0 || at === steps - 1 ? 0.5 : 1),
    0,
  );
  return 1 - inside;
}

it('the normal quantile is exact where it is used', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963985, 8);
  expect(normalQuantile(0.8)).toBeCloseTo(0.841621234, 8);
});
