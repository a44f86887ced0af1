import { describe, expect, test } from 'vitest';
import { SEED, share } from '../../../../test/runs.js';
import { seeded } from '../../test/random.js';
import { differenceEvidence, meanInterval, type OutcomeTally } from './interval.js';

// Experiments that are looked at every evening. A failure prints its seed: CUEBOOK_SEED=… plays it again.

const EXPERIMENTS = share(300, 4000);
const DAYS = 45;
const OUTCOMES_A_DAY = 40;
const LIMIT = Math.log(1 / 0.05);
/** By how much the share in a sample of this size may miss the true one: four times its standard error at 5%. */
const SLACK = 4 * Math.sqrt((0.05 * 0.95) / EXPERIMENTS);

type Draw = (random: () => number) => number;
const coin =
  (rate: number): Draw =>
  (random) =>
    random() < rate ? 1 : 0;

const add = ({ count, sum }: OutcomeTally, value: number): OutcomeTally => ({
  count: count + 1,
  sum: sum + value,
});

/** The share of experiments in which some evening's look says that the arms differ. */
function alarms(
  control: Draw,
  candidate: Draw,
  isAlarm: (a: OutcomeTally, b: OutcomeTally) => boolean,
): number {
  let found = 0;
  for (let n = 0; n < EXPERIMENTS; n += 1) {
    const random = seeded(SEED + n);
    let a: OutcomeTally = { count: 0, sum: 0 };
    let b: OutcomeTally = a;
    for (let day = 0; day < DAYS; day += 1) {
      for (let outcome = 0; outcome < OUTCOMES_A_DAY; outcome += 1) {
        a = add(a, control(random));
        b = add(b, candidate(random));
      }
      if (!isAlarm(a, b)) continue;
      found += 1;
      break;
    }
  }
  return found / EXPERIMENTS;
}

const honest = (a: OutcomeTally, b: OutcomeTally): boolean => differenceEvidence(a, b, 0) >= LIMIT;

/** The usual test at the usual level, which is right once and wrong every evening. */
function naive(a: OutcomeTally, b: OutcomeTally): boolean {
  const [p, q] = [a.sum / a.count, b.sum / b.count];
  const spread = Math.sqrt((p * (1 - p)) / a.count + (q * (1 - q)) / b.count);
  return spread > 0 && Math.abs(p - q) / spread > 1.96;
}

describe(`${EXPERIMENTS} experiments over ${DAYS} days, looked at daily (seed ${SEED})`, () => {
  test.each([
    ['a rare yes', coin(0.05)],
    ['yes in three of ten', coin(0.3)],
    ['an even coin', coin(0.5)],
    ['anything between 0 and 1', (random: () => number) => random()],
    ['mostly small, seldom large', (random: () => number) => random() ** 4],
  ] as const)('two arms that are the same (%s) alarm in at most 5%%', (_, draw) => {
    expect(alarms(draw, draw, honest)).toBeLessThanOrEqual(0.05 + SLACK);
  });

  test('the same simulation catches a test that is not made for looking', () => {
    expect(alarms(coin(0.3), coin(0.3), naive)).toBeGreaterThan(0.15);
  });

  test.each([
    ['better', 0.3, 0.4],
    ['worse', 0.4, 0.3],
    ['a rare yes, more than twice as often', 0.05, 0.12],
  ])('a known effect is found: %s', (_, before, after) => {
    expect(alarms(coin(before), coin(after), honest)).toBeGreaterThanOrEqual(0.95 - SLACK);
  });

  test('the interval of one arm leaves out the truth in at most 5%, over all looks', () => {
    for (const rate of [0.05, 0.5]) {
      let missed = 0;
      for (let n = 0; n < EXPERIMENTS; n += 1) {
        const random = seeded(SEED + 7919 * n);
        let tally: OutcomeTally = { count: 0, sum: 0 };
        for (let look = 0; look < DAYS; look += 1) {
          for (let outcome = 0; outcome < OUTCOMES_A_DAY; outcome += 1)
            tally = add(tally, coin(rate)(random));
          const { low, high } = meanInterval(tally, 0.05);
          if (low <= rate && rate <= high) continue;
          missed += 1;
          break;
        }
      }
      expect(missed / EXPERIMENTS).toBeLessThanOrEqual(0.05 + SLACK);
    }
  });
});
