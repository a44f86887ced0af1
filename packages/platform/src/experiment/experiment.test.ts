import { SCENARIOS, type Scenario } from '@cuebook/bundle';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import { type Arm, armOf, assignCohorts, type Experiment } from './cohort.js';
import { compareArms, type OutcomeMetric, tallyOutcomes } from './compare.js';
import { differenceInterval, meanInterval, tuningFor } from './interval.js';
import { decideRollout, type RolloutPlan } from './rollout.js';

const active = [...SCENARIOS.values()];
const greeting = SCENARIOS.get('greeting') as Scenario;
const library: readonly Scenario[] = [
  ...active,
  { ...greeting, version: 2, template: `${greeting.template}\n` },
];
const trial = (more: Partial<Experiment> = {}): Experiment => ({
  id: 'warmer',
  scenario: 'greeting',
  control: 1,
  candidate: 2,
  share: 0.5,
  ...more,
});
const agents = Array.from({ length: 2000 }, (_, n) => `agent_${n}`);

describe('cohorts', () => {
  test('give each agent a version of the scenario and say which', () => {
    const given = agents
      .slice(0, 50)
      .map((agent) => must(assignCohorts(agent, [trial()], { active, library })));
    for (const { scenarios, cohorts } of given) {
      const version = scenarios.find(({ id }) => id === 'greeting')?.version;
      expect(cohorts).toEqual({ greeting: `warmer/${version === 2 ? 'candidate' : 'control'}` });
      expect(scenarios).toHaveLength(active.length);
    }
    expect(new Set(given.map(({ cohorts }) => cohorts.greeting)).size).toBe(2);
  });

  test('follow the share, do not change, and are independent between experiments', () => {
    const taken = (id: string, share: number) =>
      agents.filter((agent) => armOf({ id, share }, agent) === 'candidate');
    expect(taken('warmer', 0.2).length / agents.length).toBeCloseTo(0.2, 1);
    expect(taken('warmer', 0.2)).toEqual(taken('warmer', 0.2));
    const both = taken('warmer', 0.5).filter(
      (agent) => armOf({ id: 'other', share: 0.5 }, agent) === 'candidate',
    );
    expect(both.length / agents.length).toBeCloseTo(0.25, 1);
  });

  test('never take a candidate back when the share grows', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(),
        (id, share, n) => {
          const agent = `agent_${n}`;
          const isIn = (at: number) => armOf({ id, share: at }, agent) === 'candidate';
          expect(!isIn(share) || isIn(Math.min(1, share * 1.5))).toBe(true);
          expect([isIn(0), isIn(1)]).toEqual([false, true]);
        },
      ),
      runs(200, 5000),
    );
  });

  test.each([
    ['two on one scenario', [trial(), trial({ id: 'other' })], 'same-scenario'],
    ['a share above 1', [trial({ share: 1.1 })], 'bad-share'],
    ['a share that is no number', [trial({ share: Number.NaN })], 'bad-share'],
    ['a version that is not in the library', [trial({ candidate: 9, share: 1 })], 'no-version'],
  ])('are refused: %s', (_, experiments, reason) => {
    expect(reasonOf(assignCohorts('ada', experiments, { active, library }))).toBe(`E_EXPERIMENT ${reason}`);
  });
});

const TUNING = tuningFor(0.05, 0.8, 0.05);

describe('intervals', () => {
  const tally = fc
    .tuple(fc.nat(5000), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([count, mean]) => ({ count, sum: count * mean }));

  test('hold the mean that was seen, stay between 0 and 1, and never invent certainty', () => {
    fc.assert(
      fc.property(tally, tally, (a, b) => {
        const { low, high } = meanInterval(a, TUNING);
        const seen = a.count === 0 ? 0.5 : a.sum / a.count;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low - 1e-9).toBeLessThanOrEqual(seen);
        expect(high + 1e-9).toBeGreaterThanOrEqual(seen);
        expect(high).toBeLessThanOrEqual(1);
        const difference = differenceInterval(a, b, TUNING);
        expect(difference.low).toBeLessThanOrEqual(difference.high);
        const turned = differenceInterval(b, a, TUNING);
        expect(turned.low).toBeCloseTo(-difference.high, 4);
      }),
      runs(150, 5000),
    );
  });

  test('say nothing before anything was seen, and get smaller', () => {
    expect(meanInterval({ count: 0, sum: 0 }, TUNING)).toEqual({ low: 0, high: 1 });
    expect(differenceInterval({ count: 0, sum: 0 }, { count: 0, sum: 0 }, TUNING)).toEqual({
      low: -1,
      high: 1,
    });
    const width = (count: number) => {
      const { low, high } = meanInterval({ count, sum: count * 0.3 }, TUNING);
      return high - low;
    };
    expect([100, 1000, 10_000].map(width)).toEqual([100, 1000, 10_000].map(width).sort((a, b) => b - a));
    expect(width(10_000)).toBeLessThan(0.05);
    // Next to a fixed look at 10,000 outcomes (0.018) the price of looking at any time is less than threefold.
    expect(width(10_000)).toBeGreaterThan(0.018);
  });
});

const outcomes = (arm: Arm, yes: number, no: number, metric = 'liked'): readonly OutcomeMetric[] => [
  ...Array.from({ length: yes }, () => ({ experiment: 'warmer', arm, metric, value: 1 })),
  ...Array.from({ length: no }, () => ({ experiment: 'warmer', arm, metric, value: 0 })),
];

describe('outcomes', () => {
  test('are counted by metric and arm; those of others, and what is no outcome, are not', () => {
    const strays = [
      { experiment: 'other', arm: 'control', metric: 'liked', value: 1 },
      { experiment: 'warmer', arm: 'control', metric: 'liked', value: 1.5 },
      { experiment: 'warmer', arm: 'control', metric: 'liked', value: Number.NaN },
    ] as const;
    const tallies = tallyOutcomes('warmer', [
      ...outcomes('control', 2, 3),
      ...outcomes('candidate', 1, 0),
      ...strays,
    ]);
    expect(tallies).toEqual({ liked: { control: { count: 5, sum: 2 }, candidate: { count: 1, sum: 1 } } });
    expect(tallyOutcomes('warmer', outcomes('control', 1, 0), tallies).liked?.control).toEqual({
      count: 6,
      sum: 3,
    });
  });

  test('compare with counts, means and intervals', () => {
    const { liked } = tallyOutcomes('warmer', [
      ...outcomes('control', 300, 700),
      ...outcomes('candidate', 450, 550),
    ]);
    if (liked === undefined) throw new Error();
    const comparison = compareArms('liked', liked);
    expect(comparison).toMatchObject({
      metric: 'liked',
      verdict: 'better',
      arms: { control: { count: 1000, mean: 0.3 }, candidate: { count: 1000, mean: 0.45 } },
    });
    expect(comparison.difference.low).toBeGreaterThan(0);
    expect(comparison.difference.high).toBeLessThan(0.3);
  });
});

const PLAN: RolloutPlan = {
  stages: [0.05, 0.25, 1],
  outcomes: 200,
  metric: 'liked',
  guards: ['taken'],
  margin: 0.05,
};
const START = { stage: 0, status: 'running' } as const;
const counted = (liked: readonly [number, number], taken: readonly [number, number], of: number) =>
  tallyOutcomes('warmer', [
    ...outcomes('control', liked[0], of - liked[0]),
    ...outcomes('candidate', liked[1], of - liked[1]),
    ...outcomes('control', taken[0], of - taken[0], 'taken'),
    ...outcomes('candidate', taken[1], of - taken[1], 'taken'),
  ]);

describe('a rollout', () => {
  test.each([
    ['nothing was counted', counted([0, 0], [0, 0], 0), 'hold', 0.05],
    ['too little was counted', counted([50, 80], [99, 99], 100), 'hold', 0.05],
    ['it is no worse beyond doubt', counted([600, 900], [1900, 1930], 2000), 'advance', 0.25],
    ['it is worse at what it is for', counted([900, 600], [1900, 1900], 2000), 'roll-back', 0],
    [
      'it is better, and worse at what it must not break',
      counted([600, 900], [1900, 1500], 2000),
      'roll-back',
      0,
    ],
    ['the doubt is wider than the margin', counted([100, 100], [190, 190], 200), 'hold', 0.05],
  ] as const)('when %s', (_, tallies, type, share) => {
    expect(decideRollout(PLAN, START, tallies)).toMatchObject({ type, share });
  });

  test('goes stage by stage to everybody, and stays back once it went back', () => {
    const good = counted([600, 900], [1900, 1930], 2000);
    const second = decideRollout(PLAN, START, good).rollout;
    // What led to a stage does not count for leaving it.
    expect(decideRollout(PLAN, second, good)).toMatchObject({ type: 'hold', share: 0.25 });
    const more = counted([1200, 1800], [3800, 3860], 4000);
    // Everybody is for a person to say.
    expect(decideRollout(PLAN, second, more)).toMatchObject({ type: 'ready', share: 0.25 });
    const said = decideRollout(PLAN, second, more, { promote: true });
    expect(said).toMatchObject({ type: 'finish', share: 1 });
    const back = decideRollout(PLAN, START, counted([900, 600], [1900, 1900], 2000)).rollout;
    expect(back.status).toBe('rolled-back');
    expect(decideRollout(PLAN, back, good)).toMatchObject({ type: 'hold', share: 0 });
  });
});
