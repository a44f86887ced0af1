import { rounded } from '../comparison/document.js';
import { pairedDifference } from '../comparison/metric.js';
import { answeredLine } from '../comparison/models.js';
import type { ScoredCase } from '../comparison/score.js';
import { counted, shown, shownInterval, signed } from '../comparison/view.js';
import { type Estimate, type Interval, tInterval } from '../statistics/estimate.js';
import { type UnitObservation, unitEffects } from '../statistics/linear.js';
import { VISIBLE, visibleAmong } from '../statistics/power.js';
import { holm } from '../statistics/several.js';
import {
  jointRemoval,
  leaveOneOut,
  type RedundantPair,
  redundantPairs,
  removableTogether,
  type UnitFinding,
  type UnitVerdict,
} from './ablation.js';
import { twoSided } from './attribution.js';
import type { UnitKind } from './units.js';

/** A unit as the record of an ablation keeps it. */
export type UnitFacts = {
  /** The edit that leaves it out: `drop:texts/tone.md:3`. */
  readonly edit: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  /** The mean tokens of a request that its removal saves. */
  readonly tokens: number;
  /** Whether the input or a check of some case has to do with it. */
  readonly exercised: boolean;
};

export interface AblationInput {
  readonly id: string;
  readonly seed: number;
  readonly target: string;
  readonly hash: string;
  readonly tokens: number;
  readonly kind: UnitKind;
  readonly metric: string;
  readonly takes: number;
  readonly margin: number;
  readonly units: readonly UnitFacts[];
  readonly missing: { readonly count: number; readonly reasons: Readonly<Record<string, number>> };
  readonly cost: number | null;
  /** Who answered, in all its steps. */
  readonly models?: readonly string[];
  readonly scores:
    | { readonly design: 'loo'; readonly without: readonly (readonly ScoredCase[])[] }
    | {
        readonly design: 'subsets';
        readonly cases: number;
        readonly observations: readonly UnitObservation[];
      };
  /** The second step, where it was run: the units that could go were left out together. */
  readonly joint?: { readonly units: readonly number[]; readonly cases: readonly ScoredCase[] } | undefined;
  /** The third, where the second found a loss. */
  readonly pairs?:
    | readonly { readonly units: readonly [number, number]; readonly cases: readonly ScoredCase[] }[]
    | undefined;
}

/** What each unit of a prompt does to the answers. The same takes give the same bytes. */
export interface AblationDocument {
  readonly ablation: 1;
  readonly id: string;
  readonly seed: number;
  readonly target: string;
  readonly hash: string;
  readonly tokens: number;
  readonly metric: string;
  readonly design: {
    readonly design: 'loo' | 'subsets';
    readonly kind: UnitKind;
    readonly units: number;
    readonly cases: number;
    readonly clusters: number;
    readonly takes: number;
    readonly margin: number;
    readonly canSee: number | null;
  };
  readonly units: readonly AblatedUnit[];
  readonly joint: {
    readonly units: readonly string[];
    readonly isSafe: boolean;
    readonly adds: number | null;
    readonly interval: Interval | null;
  } | null;
  readonly pairs: readonly RedundantPair[];
  /** Units that some case notices, of all. */
  readonly coverage: { readonly units: number; readonly sensed: number };
  readonly missing: AblationInput['missing'];
  readonly models: readonly string[];
  readonly cost: number | null;
}

export interface AblatedUnit extends Omit<UnitFacts, 'exercised'> {
  readonly verdict: UnitVerdict;
  readonly adds: number | null;
  readonly interval: Interval | null;
  /** The cases whose score falls without it. */
  readonly sensors: readonly string[];
}

/** The units that are left out together next, by their numbers: none where fewer than two could go. */
export function jointUnits({
  units,
  scores,
  margin,
}: Pick<AblationInput, 'units' | 'scores' | 'margin'>): readonly number[] {
  if (scores.design !== 'loo') return [];
  const told = scoresByUnit(units, scores.without);
  const named = removableTogether(leaveOneOut(told, margin), told).map(Number);
  return named.length < 2 ? [] : named;
}

/** The document of an ablation. */
export function ablationDocument(input: AblationInput): AblationDocument {
  const { id, seed, target, hash, tokens, kind, metric, takes, margin, units, scores, missing, cost } = input;
  const { models = [] } = input;
  const findings =
    scores.design === 'loo' ? leaveOneOut(scoresByUnit(units, scores.without), margin) : fitted(input);
  const edits = (at: number | string): string => units[Number(at)]?.edit ?? '';
  const first = scores.design === 'loo' ? (scores.without[0] ?? []) : [];
  const clusters =
    scores.design === 'loo'
      ? new Set(first.map(({ cluster }) => cluster)).size
      : new Set(scores.observations.map(({ cluster }) => cluster)).size;
  const joint = input.joint && {
    units: input.joint.units.map(edits),
    ...jointRemoval(input.joint.cases, margin),
  };
  return rounded({
    ablation: 1,
    ...{ id, seed, target, hash, tokens, metric },
    design: {
      ...{ design: scores.design, kind, units: units.length },
      cases: scores.design === 'loo' ? first.length : scores.cases,
      ...{ clusters, takes, margin, canSee: canSeeOf(input) },
    },
    units: units.map(({ exercised: _, ...facts }, at) => {
      const { verdict, adds, interval, sensors } = findings[at] as UnitFinding;
      return { ...facts, verdict, adds, interval, sensors: sensors.map((each) => each.id) };
    }),
    joint: joint ?? null,
    pairs: redundantPairs(
      (input.pairs ?? []).map(({ units: [one, other], cases }) => ({
        units: [edits(one), edits(other)],
        cases,
      })),
    ),
    coverage: {
      units: units.length,
      sensed: findings.filter(({ verdict, sensors }) => verdict === 'helps' || sensors.length > 0).length,
    },
    missing,
    models,
    cost,
  });
}

const scoresByUnit = (units: readonly UnitFacts[], without: readonly (readonly ScoredCase[])[]) =>
  units.map(({ exercised }, at) => ({ unit: String(at), exercised, cases: without[at] ?? [] }));

/** By least squares over random subsets. Single cases say nothing here, so there are no sensors. */
function fitted({ units, scores, margin }: AblationInput): readonly UnitFinding[] {
  const effects = scores.design === 'subsets' ? unitEffects(scores.observations) : undefined;
  const found = holm(
    units.map((_, at) => (effects?.[at] === undefined ? 1 : twoSided(effects[at] as Estimate))),
  );
  return units.map(({ exercised }, at) => {
    const estimate = effects?.[at];
    const told = { unit: String(at), adds: estimate?.mean ?? null, sensors: [] };
    if (estimate === undefined) return { ...told, verdict: 'open', interval: null };
    const interval = tInterval(estimate);
    if (found[at] === true) return { ...told, verdict: estimate.mean > 0 ? 'helps' : 'harms', interval };
    if (!exercised) return { ...told, verdict: 'not exercised', interval };
    const { low, high } = tInterval(estimate, 0.1);
    return { ...told, verdict: low > -margin && high < margin ? 'within' : 'open', interval };
  });
}

function canSeeOf({ scores, units }: AblationInput): number | null {
  const errors =
    scores.design === 'loo'
      ? scores.without.flatMap((cases) => pairedDifference(cases)?.error ?? [])
      : (unitEffects(scores.observations) ?? []).map(({ error }) => error);
  if (errors.length === 0) return null;
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return visibleAmong(VISIBLE * mean, units.length);
}

/** Pairs among units that could go, those first that share words or a file; at most as many as are worth their takes. */
export function pairsToTry(
  units: readonly UnitFacts[],
  among: readonly number[],
  isRelated: (one: UnitFacts, other: UnitFacts) => boolean,
): readonly (readonly [number, number])[] {
  const all = among.flatMap((one, at) => among.slice(at + 1).map((other) => [one, other] as const));
  const related = all.filter(([one, other]) => isRelated(units[one] as UnitFacts, units[other] as UnitFacts));
  return [...related, ...all.filter((pair) => !related.includes(pair))].slice(0, MOST_PAIRS);
}

const MOST_PAIRS = 15;

/** An ablation as a terminal shows it. */
export function ablationText({
  target,
  metric,
  design,
  tokens,
  units,
  joint,
  pairs,
  coverage,
  missing,
  models,
  cost,
}: AblationDocument): string {
  const grouped = design.clusters === design.cases ? '' : ` in ${counted(design.clusters, 'cluster')}`;
  const width = Math.min(60, Math.max(0, ...units.map(({ edit }) => edit.length)));
  const lines = [
    `${target}: ${metric}, ${counted(Math.round(tokens), 'token')}`,
    `${counted(design.units, 'unit')} (${design.kind}), ${counted(design.cases, 'case')}${grouped}, ${counted(design.takes, 'take')}, margin ${shown(design.margin)}${design.canSee === null ? '' : `, can see ${shown(design.canSee)}`}`,
    ...units.map((unit) => `${unit.edit.padEnd(width)}  ${unitLine(unit, design.margin, design.cases)}`),
  ];
  if (joint !== null)
    lines.push(
      joint.isSafe
        ? `could go together: ${joint.units.join(', ')} (${told(joint)})`
        : `cannot go together: ${joint.units.join(', ')} (${told(joint)})`,
    );
  for (const pair of pairs)
    lines.push(
      `one stands in for the other: ${pair.units.join(' and ')} (${told(pair)}); either can go, not both`,
    );
  if (design.design === 'loo')
    lines.push(`coverage: ${coverage.sensed} of ${coverage.units} units have a case that notices them`);
  if (missing.count > 0)
    lines.push(
      `missing: ${missing.count} (${Object.entries(missing.reasons)
        .map(([why, count]) => `${why} ${count}`)
        .join(', ')})`,
    );
  lines.push(...answeredLine(models));
  if (cost !== null) lines.push(`cost ${cost.toFixed(4)} USD`);
  return `${lines.join('\n')}\n`;
}

const told = ({
  adds,
  interval,
}: {
  readonly adds: number | null;
  readonly interval: Interval | null;
}): string =>
  adds === null || interval === null
    ? 'nothing can be said'
    : `adds ${signed(adds)} ${shownInterval(interval)}`;

function unitLine(
  { verdict, adds, interval, sensors, tokens }: AblatedUnit,
  margin: number,
  cases: number,
): string {
  const word = verdict === 'within' ? `within ${shown(margin)} on ${counted(cases, 'case')}` : verdict;
  const noticed =
    sensors.length === 0
      ? ''
      : `; noticed by ${sensors.slice(0, 3).join(', ')}${sensors.length > 3 ? ` and ${sensors.length - 3} more` : ''}`;
  return `${word}: ${told({ adds, interval })}, ${counted(Math.round(tokens), 'token')}${noticed}`;
}
