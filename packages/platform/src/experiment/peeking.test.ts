import { describe, expect, test } from 'vitest';
import { itInTurn, SEED, share } from '../../../../test/runs.js';
import { seeded } from '../../test/random.js';
import { type OutcomeMetric, type Tallies, tallyOutcomes } from './compare.js';
import { planLength } from './plan-length.js';
import { decideRollout, planTuning, type RolloutPlan } from './rollout.js';

// Experiments that are looked at every evening, by what the commands decide with: outcomes of agents are tallied, and
// the rollout decides. A failure prints its seed: CUEBOOK_SEED=… plays it again.

const EXPERIMENTS = share(60, 2000);
/** Of a share in a sample of this size: four times its standard error, which one seed of ten thousand exceeds. */
const slack = (chance: number): number => 4 * Math.sqrt((chance * (1 - chance)) / EXPERIMENTS);

type Random = () => number;
/** What one agent's day comes to; undefined when it did nothing. */
type Agent = (random: Random) => number | undefined;
type Draw = (random: Random) => Agent;

const coin =
  (rate: number): Agent =>
  (random) =>
    random() < rate ? 1 : 0;
/** Agents that are alike. */
const alike =
  (rate: number): Draw =>
  () =>
    coin(rate);
/** Agents that differ by themselves: half of them so much above, half of them so much below. */
const apart =
  (rate: number, spread: number): Draw =>
  (random) =>
    coin(rate + (random() < 0.5 ? spread : -spread));

interface Trial {
  readonly plan: RolloutPlan;
  readonly agents: number;
  readonly days: number;
  readonly control: Draw;
  readonly candidate: Draw;
}

interface Ending {
  /** The first evening on which the metric was told to be better or worse. */
  readonly told: 'better' | 'worse' | undefined;
  readonly isRolledBack: boolean;
}

/** One experiment, evening by evening, until something is told. */
function play({ plan, agents, days, control, candidate }: Trial, seed: number): Ending {
  const random = seeded(seed);
  const half = Math.round(agents / 2);
  const people = Array.from({ length: 2 * half }, (_, n) => ({
    agent: `agent_${n}`,
    arm: n < half ? ('control' as const) : ('candidate' as const),
    act: (n < half ? control : candidate)(random),
  }));
  let tallies: Tallies = {};
  for (let day = 0; day < days; day += 1) {
    const outcomes = people.flatMap(({ agent, arm, act }): OutcomeMetric[] => {
      const value = act(random);
      return value === undefined ? [] : [{ experiment: 'x', arm, agent, metric: plan.metric, value }];
    });
    tallies = tallyOutcomes('x', outcomes, tallies);
    const { type, comparisons } = decideRollout(plan, { stage: 0, status: 'running' }, tallies);
    const verdict = comparisons.find(({ metric }) => metric === plan.metric)?.verdict ?? 'open';
    if (verdict !== 'open') return { told: verdict, isRolledBack: type === 'roll-back' };
  }
  return { told: undefined, isRolledBack: false };
}

function shareOf(trial: Trial, is: (ending: Ending) => boolean): number {
  let found = 0;
  for (let n = 0; n < EXPERIMENTS; n += 1) if (is(play(trial, SEED + 7919 * n))) found += 1;
  return found / EXPERIMENTS;
}

const PLAN: RolloutPlan = {
  ...{ stages: [0.5, 1], outcomes: 200, metric: 'liked', guards: [], margin: 0.05 },
  ...{ effect: 0.1, power: 0.8, baseline: 0.3 },
};

describe(`${EXPERIMENTS} experiments, looked at daily (seed ${SEED})`, () => {
  test.each<[string, number, Draw]>([
    ['a rare yes', 40, alike(0.05)],
    ['yes in three of ten', 60, alike(0.3)],
    ['agents far apart', 40, apart(0.5, 0.3)],
    ['four agents in each arm, far apart', 8, apart(0.5, 0.4)],
    ['anything between 0 and 1', 40, () => (random) => random()],
    ['mostly small, seldom large', 40, () => (random) => random() ** 4],
    [
      'agents that speak seldom, and some that speak always',
      40,
      (of) => {
        const [busy, rate] = [of() ** 2, of()];
        return (random) => (random() < busy ? coin(rate)(random) : undefined);
      },
    ],
  ])('two arms that are the same (%s) alarm in at most 5%%', (_, agents, draw) => {
    const trial = { plan: PLAN, agents, days: 45, control: draw, candidate: draw };
    const alarms = shareOf(trial, ({ told }) => told !== undefined);
    expect(alarms).toBeLessThanOrEqual(0.05 + slack(0.05));
  });

  test('the same simulation catches a look that takes every outcome for one of its own', () => {
    let found = 0;
    const draw = apart(0.5, 0.3);
    for (let n = 0; n < EXPERIMENTS; n += 1) {
      const random = seeded(SEED + n);
      const arms = [0, 1].map(() => Array.from({ length: 20 }, () => draw(random)));
      const sums = arms.map((agents) =>
        agents.reduce(
          (sum, act) => sum + Array.from({ length: 45 }, () => act(random) ?? 0).reduce((a, b) => a + b, 0),
          0,
        ),
      );
      const [p = 0, q = 0] = sums.map((sum) => sum / 900);
      if (Math.abs(p - q) / Math.sqrt((p * (1 - p) + q * (1 - q)) / 900) > 1.96) found += 1;
    }
    expect(found / EXPERIMENTS).toBeGreaterThan(0.2);
  });

  // 0.30 to 0.35 needs what the plan says, and is then found as often as it says.
  test.each<[string, Partial<RolloutPlan>, number, number]>([
    ['a small effect', { effect: 0.05, power: 0.8, baseline: 0.3 }, 300, 0],
    ['a small effect with high power', { effect: 0.06, power: 0.9, baseline: 0.4 }, 300, 0],
    ['agents that differ by themselves', { effect: 0.1, power: 0.8, baseline: 0.4, spread: 0.15 }, 240, 0.15],
  ])('%s is found with the power that the plan claims, within 3 points', (_, more, agents, spread) => {
    const plan = { ...PLAN, ...more };
    const { baseline = 0, effect = 0, power = 0, harm = effect } = plan;
    const length = planLength({
      ...{ baseline, effect, power, harm, spread, perDay: 1, agents, share: 0.5 },
      alpha: planTuning(plan).alpha,
    });
    const days = length.days ?? 0;
    expect(days).toBeGreaterThan(3);
    const trial = {
      ...{ plan, agents, days },
      control: apart(baseline, spread),
      candidate: apart(baseline + effect, spread),
    };
    const found = shareOf(trial, ({ told }) => told === 'better');
    expect(Math.abs(found - length.power)).toBeLessThanOrEqual(0.03 + slack(length.power));
    expect(length.power).toBeGreaterThanOrEqual(power);
  });

  test.each([
    ['a loss of a fifth', 0.4, 0.2, 0],
    ['a loss of a tenth, agents apart', 0.4, 0.1, 0.1],
  ])('a harmful arm is halted within the bound of the plan: %s', (_, baseline, harm, spread) => {
    const plan = { ...PLAN, baseline, spread, harm, effect: 0.1 };
    const { haltDays } = planLength({
      ...{ baseline, effect: 0.1, power: 0.8, harm, spread, perDay: 1, agents: 240, share: 0.5 },
      alpha: planTuning(plan).alpha,
    });
    const trial = {
      ...{ plan, agents: 240, days: haltDays ?? 0 },
      control: apart(baseline, spread),
      candidate: apart(baseline - harm, spread),
    };
    expect(shareOf(trial, ({ isRolledBack }) => isRolledBack)).toBeGreaterThanOrEqual(
      0.95 - 0.03 - slack(0.95),
    );
  });

  itInTurn('a plan says the same every time, more for less, and how many agents would be enough', () => {
    const expected = {
      ...{
        baseline: 0.3,
        effect: 0.05,
        power: 0.8,
        harm: 0.1,
        spread: 0,
        perDay: 1,
        agents: 200,
        share: 0.5,
      },
      alpha: 0.05,
    };
    const plan = planLength(expected);
    expect(planLength(expected)).toEqual(plan);
    // A look at any time costs less than twice the 1,376 outcomes of a test that is looked at once.
    expect(plan.outcomes?.control).toBeGreaterThan(1376);
    expect(plan.outcomes?.control).toBeLessThan(2 * 1376);
    const days = (more: object) => planLength({ ...expected, ...more }).days ?? Number.POSITIVE_INFINITY;
    expect(days({ effect: 0.1 })).toBeLessThan(days({}));
    expect(days({ power: 0.9 })).toBeGreaterThan(days({}));
    expect(days({ share: 0.1 })).toBeGreaterThan(days({}));
    expect(days({ alpha: 0.01 })).toBeGreaterThan(days({}));
    expect(days({ agents: 400 })).toBeLessThan(days({}));
    const few = planLength({ ...expected, spread: 0.2, agents: 40 });
    expect(few.days).toBeNull();
    expect(planLength({ ...expected, spread: 0.2, agents: few.agentsNeeded ?? 0 }).days).not.toBeNull();
    expect(planLength({ ...expected, agents: 0 })).toMatchObject({ days: null, haltDays: null });
  });
});
