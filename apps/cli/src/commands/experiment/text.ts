import type { RolloutPlan, RolloutStep } from '@cuebook/platform';
import { count } from '../../output/style.js';

type Length = RolloutStep['length'];
type Comparisons = RolloutStep['comparisons'];

/** How long a plan takes, in words; each promise with its number. */
export function lengthText(plan: RolloutPlan, length: Length): string {
  const { effect = 0.05, power = 0.8, alpha = 0.05, metric } = plan;
  const wanted = `  plan: a difference of ${effect} in ${metric} is to be found with power ${power}, alpha ${alpha} over all looks\n`;
  if (length === null) return `${wanted}  length: nothing can be computed for this share\n`;
  const { days, outcomes, haltDays, agentsNeeded } = length;
  const found =
    days === null || outcomes === null
      ? `  length: not within two years; ${agentsNeeded === null ? 'no number of agents is enough' : `about ${agentsNeeded} agents are needed`}\n`
      : `  length: ${count(days, 'day')}, ${outcomes.control} outcomes of control and ${outcomes.candidate} of the candidate; computed power ${length.power.toFixed(2)}\n`;
  const halted =
    haltDays === null
      ? '  harm: too few agents to promise a halt\n'
      : `  harm: halted within ${count(haltDays, 'day')}, in 95 of 100\n`;
  return wanted + found + halted;
}

/** What was counted, a line for each metric. */
export const evidenceText = (comparisons: Comparisons): string =>
  comparisons
    .map(({ metric, arms, difference, verdict }) => {
      const arm = ({ count: n, mean }: (typeof arms)['control']) =>
        `${n}${mean === null ? '' : ` (${mean.toFixed(3)})`}`;
      const range = `${signed(difference.low)} to ${signed(difference.high)}`;
      return `  ${metric}: control ${arm(arms.control)}, candidate ${arm(arms.candidate)}, difference ${range}, ${verdict}\n`;
    })
    .join('');

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(3)}`;
