import { normalQuantile } from '@cuebook/eval/statistics';
import { guard } from '@cuebook/guard';
import { halfWidth, ratioVariance, type Tuning, tuningFor } from './interval.js';

/** What an experiment is expected to meet. */
export interface Expectation {
  /** The mean of the metric as it is now. */
  readonly baseline: number;
  /** The smallest difference that is worth finding. */
  readonly effect: number;
  /** The chance with which it is to be found. */
  readonly power: number;
  /** A loss that must be stopped soon. */
  readonly harm: number;
  /** How far agents lie apart by themselves: the standard deviation of their own means. */
  readonly spread: number;
  /** Outcomes of one agent a day. */
  readonly perDay: number;
  /** Agents that have the scenario, and the share of them that gets the candidate. */
  readonly agents: number;
  readonly share: number;
  /** For one metric. */
  readonly alpha: number;
}

/** How long an experiment takes. Computed before it begins, and shown. */
export interface PlanLength {
  /** Days after which an effect of the planned size is found with the planned power. Null: not within two years. */
  readonly days: number | null;
  /** Outcomes of each arm by then. */
  readonly outcomes: { readonly control: number; readonly candidate: number } | null;
  /** The chance that it is found by then, as computed. */
  readonly power: number;
  /** Days after which a loss of the size of `harm` was halted with a chance of 95%. */
  readonly haltDays: number | null;
  /** How many agents would be enough, where they are not. */
  readonly agentsNeeded: number | null;
  readonly tuning: Tuning;
}

/**
 * The length of an experiment, by playing it: the difference of the means walks like Brownian motion in the time of its
 * information, and is looked at every evening. The same numbers give the same answer.
 */
export function planLength(expected: Expectation): PlanLength {
  const tuning = tuningFor(expected.effect, expected.power, expected.alpha);
  const found = crossings(daysOf(expected, tuning, expected.effect), expected.effect);
  const day = dayOf(found, expected.power);
  // A loss walks the other way, and is told as soon.
  const halt = dayOf(crossings(daysOf(expected, tuning, -expected.harm), expected.harm), HALT_CHANCE);
  const arms = armsOf(expected);
  return {
    days: day,
    outcomes:
      day === null
        ? null
        : {
            control: Math.round(arms.control * expected.perDay * day),
            candidate: Math.round(arms.candidate * expected.perDay * day),
          },
    power: (found[(day ?? HORIZON) - 1] ?? 0) / PATHS,
    haltDays: halt,
    agentsNeeded: day === null ? agentsNeeded(expected, tuning) : null,
    tuning,
  };
}

/** Whether it can be planned with at all. */
export function isExpectation(given: Expectation): boolean {
  const { baseline, effect, power, harm, spread, perDay, agents, share, alpha } = given;
  const isShare = (value: number) => value > 0 && value < 1;
  const variance = (mean: number) => mean * (1 - mean);
  const least = Math.min(variance(baseline), variance(baseline + effect), variance(baseline - harm));
  return !guard(
    'plan.expectation',
    ![baseline, effect, power, harm, share, alpha].every(isShare) ||
      power > 0.99 ||
      !(spread >= 0 && spread * spread < least) ||
      !(perDay > 0 && perDay <= 1) ||
      !(agents >= 0 && agents <= 10_000_000),
  );
}

interface Day {
  /** One divided by the variance of the difference. */
  readonly information: number;
  /** How far from zero the difference must be to be told. */
  readonly half: number;
}

/** What each evening of the experiment can tell. */
function daysOf(expected: Expectation, tuning: Tuning, effect: number): readonly Day[] {
  const { control, candidate } = armsOf(expected);
  if (Math.min(control, candidate) < 2) return [];
  return Array.from({ length: HORIZON }, (_, at) => dayAt(expected, tuning, effect, at + 1));
}

function dayAt(expected: Expectation, tuning: Tuning, effect: number, day: number): Day {
  const { baseline, spread, perDay } = expected;
  const arms = armsOf(expected);
  const control = armVariance(arms.control, perDay * day, baseline, spread);
  const candidate = armVariance(arms.candidate, perDay * day, baseline + effect, spread);
  const seen = control.seen + candidate.seen;
  const part = ({ seen: of }: typeof control, agents: number) => (of * of) / (agents - 1);
  const degrees = seen ** 2 / (part(control, arms.control) + part(candidate, arms.candidate));
  return { information: 1 / (control.truth + candidate.truth), half: halfWidth(seen, degrees, tuning) };
}

/** The variance of an arm's mean, and what is seen of it. An agent with less than one outcome is missing by chance. */
function armVariance(agents: number, size: number, mean: number, spread: number) {
  const present = agents * (size < 1 ? size : 1);
  const each = Math.max(size, 1);
  const own = spread * spread + (mean * (1 - mean) - spread * spread) / each;
  const truth = own / present;
  const sums = { ss: present * each * each * (own + mean * mean), sn: present * each * each * mean };
  const nn = present * each * each;
  const count = present * each;
  const seen = ratioVariance({ ...sums, nn, count, sum: count * mean, agents: present });
  return { truth, seen };
}

/** By day, how many of so many experiments have told a difference of this size by then, in its own direction. */
function crossings(days: readonly Day[], effect: number): readonly number[] {
  const found = new Array<number>(days.length).fill(0);
  const random = drawer();
  for (let path = 0; path < PATHS; path += 1) {
    let score = 0;
    let before = 0;
    for (let at = 0; at < days.length; at += 1) {
      const { information, half } = days[at] as Day;
      const more = Math.max(0, information - before);
      score += effect * more + Math.sqrt(more) * normalQuantile(random());
      before = information;
      const difference = score / information;
      if (Math.abs(difference) < half) continue;
      if (difference > 0) found[at] = (found[at] ?? 0) + 1;
      break;
    }
  }
  let sum = 0;
  return found.map((count) => (sum += count));
}

const dayOf = (found: readonly number[], chance: number): number | null => {
  const at = found.findIndex((count) => count >= chance * PATHS);
  return at === -1 ? null : at + 1;
};

/** The least number of agents, in steps of a tenth, with which the effect is found within the horizon. */
function agentsNeeded(expected: Expectation, tuning: Tuning): number | null {
  const { effect, power, share } = expected;
  const least = Math.ceil(3 / Math.min(share, 1 - share));
  for (let agents = Math.max(least, expected.agents); agents < 1e7; agents = Math.ceil(agents * 1.1)) {
    const last = dayAt({ ...expected, agents }, tuning, effect, HORIZON);
    // At the end alone, which is a little less than over all days: never too few.
    if ((last.half - effect) * Math.sqrt(last.information) <= -normalQuantile(power)) return agents;
  }
  return null;
}

const armsOf = ({ agents, share }: Expectation) => ({
  control: agents * (1 - share),
  candidate: agents * share,
});

/** Numbers from 0 to 1 that are always the same: a plan is no gamble. */
function drawer(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

const PATHS = 4000;
const HORIZON = 730;
const HALT_CHANCE = 0.95;
