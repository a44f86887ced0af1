import { DEFAULT_PLAN, type RolloutPlan } from '@cuebook/platform';
import { type Flags, flagValue, flagValues } from '../../command.js';
import { usage } from '../../failure.js';

/** The plan that the flags name; undefined without any: the one on record goes on, or the usual one begins. */
export function planOf(flags: Flags): RolloutPlan | undefined {
  const guards = flagValues(flags, 'guard');
  const stages = flagValue(flags, 'stages');
  const metric = flagValue(flags, 'metric');
  const numbers = numbersOf(flags);
  const given = Object.keys(numbers).length > 0 || stages !== undefined || metric !== undefined;
  if (!given && guards.length === 0) return undefined;
  return {
    ...DEFAULT_PLAN,
    ...(stages === undefined ? {} : { stages: stages.split(',').map(Number) }),
    ...(metric === undefined ? {} : { metric }),
    ...(guards.length === 0 ? {} : { guards }),
    ...numbers,
  };
}

const NUMBERS = {
  outcomes: 'outcomes',
  margin: 'margin',
  effect: 'effect',
  power: 'power',
  alpha: 'alpha',
  harm: 'harm',
  baseline: 'baseline',
  spread: 'spread',
  'per-day': 'perDay',
} as const;

function numbersOf(flags: Flags): Partial<RolloutPlan> {
  return Object.fromEntries(
    Object.entries(NUMBERS).flatMap(([flag, member]) => {
      const value = numberFlag(flags, flag);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

/** A flag that is a number that is not negative. */
export function numberFlag(flags: Flags, flag: string): number | undefined {
  const text = flagValue(flags, flag);
  if (text === undefined) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw usage(`--${flag} is a number, such as 0.05`);
  return Number(text);
}
