import type { JsonValue } from '@cuebook/prompt';
import type { OriginShare } from '../design/attribution.js';
import {
  compareMetric,
  type MeanWithInterval,
  type MetricComparison,
  type MetricScores,
  meanWith,
} from './metric.js';
import { countMissing } from './missing.js';
import { type AnsweringModels, modelsReason } from './models.js';
import { type MovedCase, movedCases } from './moved.js';
import { overallVerdict } from './overall.js';
import { pairedRatio, type RatioFacts } from './ratio.js';
import type { Score, ScoredCase, VariantSide } from './score.js';
import type { GateVerdict, VerdictGate } from './verdict.js';

/** A way to make the request of a case. */
export interface VariantFacts {
  /** As it is named: `sheet:review@origin/main`. */
  readonly target: string;
  readonly edits: readonly string[];
  /** The hash over the requests of all cases. */
  readonly hash: string;
  /** The mean tokens of a request. */
  readonly tokens: number;
  /** The models that its requests name; left out where they name none. */
  readonly asks?: readonly string[];
}

export interface ComparisonInput {
  readonly id: string;
  readonly seed: number;
  readonly base: VariantFacts;
  readonly candidate: VariantFacts;
  /** What differs in the words, as `diff` tells it. */
  readonly diff: JsonValue;
  readonly gate: VerdictGate;
  readonly takes: number;
  readonly metrics: readonly MetricScores[];
  /** Where each take is on record, by case. */
  readonly turns: Readonly<Record<string, Readonly<Record<VariantSide, readonly string[]>>>>;
  readonly attribution?: readonly OriginShare[];
  /** US dollars of each take, by case; missing where the price is not known. */
  readonly costs?: readonly ScoredCase[];
  /** Who answered under each variant. More than one in either, or another one than in the other, keeps the comparison open. */
  readonly models?: AnsweringModels;
  /** Comparisons of the same variants that were begun before this one. */
  readonly earlier?: readonly string[];
  /** Where agents were followed: how many takes of each variant left the record, by the step at which they did. */
  readonly diverged?: DivergedTakes;
}

export type DivergedTakes = { readonly [side in VariantSide]: Readonly<Record<string, number>> };

/** The one JSON shape of a comparison; terminal, Markdown and web are views of it. */
export interface ComparisonDocument {
  readonly comparison: 1;
  readonly id: string;
  readonly seed: number;
  readonly base: VariantFacts;
  readonly candidate: VariantFacts;
  readonly diff: JsonValue;
  readonly design: {
    readonly cases: number;
    readonly clusters: number;
    readonly takes: number;
    readonly looks: { readonly planned: number; readonly taken: number };
    readonly margin: number;
    readonly canSee: number | null;
  };
  readonly metrics: readonly MetricComparison[];
  readonly cases: readonly CaseRow[];
  readonly moved: readonly MovedCase[];
  readonly attribution: readonly OriginShare[];
  readonly missing: { readonly [side in VariantSide]: number } & {
    readonly reasons: Readonly<Record<string, number>>;
  };
  readonly cost: { readonly [side in VariantSide]: number | null } & { readonly ratio: RatioFacts | null };
  readonly earlier: readonly string[];
  readonly models: AnsweringModels;
  readonly diverged?: DivergedTakes;
  readonly verdict: GateVerdict;
  readonly why: string;
}

export interface CaseRow {
  readonly id: string;
  readonly cluster: string;
  /** The scores of the primary metric; null: missing. */
  readonly base: readonly (number | null)[];
  readonly candidate: readonly (number | null)[];
  readonly turns: Readonly<Record<VariantSide, readonly string[]>>;
}

/** The document of a comparison. The same takes give the same bytes, in whatever process and order they were made. */
export function comparisonDocument(input: ComparisonInput): ComparisonDocument {
  const { gate, metrics: scores, models = { base: [], candidate: [] }, costs = [], earlier = [] } = input;
  const metrics = scores.map((each) => compareMetric(each, gate));
  const primary = scores.find(({ role }) => role === 'primary');
  const cases = [...(primary?.cases ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  const facts = metrics.find(({ role }) => role === 'primary');
  const told = overallVerdict(metrics, scores);
  const { id, seed, base, candidate, diff, takes, attribution = [] } = input;
  const isChosen = JSON.stringify(base.asks ?? []) !== JSON.stringify(candidate.asks ?? []);
  const mixed = modelsReason(models, { isChosen });
  const { verdict, why } = mixed === undefined ? told : { verdict: 'open' as const, why: mixed };
  return rounded({
    comparison: 1,
    id,
    seed,
    base,
    candidate,
    diff,
    design: {
      cases: cases.length,
      clusters: new Set(cases.map(({ cluster }) => cluster)).size,
      takes,
      looks: { planned: gate.look.planned, taken: gate.look.look },
      margin: gate.margin,
      canSee: facts?.difference?.canSee ?? null,
    },
    metrics,
    cases: cases.map((each) => ({
      id: each.id,
      cluster: each.cluster,
      base: each.base.map(plain),
      candidate: each.candidate.map(plain),
      turns: input.turns[each.id] ?? { base: [], candidate: [] },
    })),
    moved: movedCases(cases),
    attribution,
    missing: {
      base: facts?.missing.base ?? 0,
      candidate: facts?.missing.candidate ?? 0,
      reasons: facts?.missing.reasons ?? {},
    },
    cost: {
      base: spentOn(costs, 'base'),
      candidate: spentOn(costs, 'candidate'),
      ratio: pairedRatio(costs) ?? null,
    },
    earlier,
    models,
    ...(input.diverged === undefined ? {} : { diverged: input.diverged }),
    verdict,
    why,
  });
}

const plain = (score: Score): number | null => (typeof score === 'number' ? score : null);

function spentOn(costs: readonly ScoredCase[], side: VariantSide): number | null {
  const all = costs.flatMap((each) => each[side]);
  if (all.length === 0 || all.some((cost) => typeof cost !== 'number')) return null;
  return all.reduce<number>((sum, cost) => sum + (cost as number), 0);
}

/** Millionths are finer than any take can tell, and the same on every machine. */
export function rounded<Value>(value: Value): Value {
  if (typeof value === 'number') return (Math.round(value * 1e6) / 1e6 + 0) as Value;
  if (Array.isArray(value)) return value.map(rounded) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rounded(each)])) as Value;
}

export interface EvalInput extends Pick<ComparisonInput, 'id' | 'seed' | 'takes' | 'turns' | 'costs'> {
  readonly variant: VariantFacts;
  /** Who answered. */
  readonly models?: readonly string[];
  /** Only what stands under `base` counts. */
  readonly metrics: readonly MetricScores[];
}

/** The scores of one variant, with error bars. */
export interface EvalDocument {
  readonly eval: 1;
  readonly id: string;
  readonly seed: number;
  readonly variant: VariantFacts;
  readonly design: { readonly cases: number; readonly clusters: number; readonly takes: number };
  readonly metrics: readonly {
    readonly name: string;
    /** Null: nothing has a score. */
    readonly mean: number | null;
    readonly interval: MeanWithInterval['interval'];
    readonly cases: number;
    readonly missing: number;
    readonly reasons: Readonly<Record<string, number>>;
  }[];
  readonly cases: readonly Omit<CaseRow, 'candidate'>[];
  readonly models: readonly string[];
  readonly cost: number | null;
}

/** The document of one variant. The same takes give the same bytes. */
export function evalDocument({
  id,
  seed,
  takes,
  turns,
  costs = [],
  variant,
  models = [],
  metrics,
}: EvalInput): EvalDocument {
  const main = metrics.find(({ role }) => role === 'primary') ?? metrics[0];
  const cases = [...(main?.cases ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  return rounded({
    eval: 1,
    id,
    seed,
    variant,
    design: { cases: cases.length, clusters: new Set(cases.map(({ cluster }) => cluster)).size, takes },
    metrics: metrics.map(({ name, cases: of }) => {
      const { base, reasons } = countMissing(of);
      const mean = meanWith(of, 'base');
      return {
        name,
        mean: mean?.mean ?? null,
        interval: mean?.interval ?? null,
        cases: of.length,
        missing: base,
        reasons,
      };
    }),
    cases: cases.map((each) => ({
      id: each.id,
      cluster: each.cluster,
      base: each.base.map(plain),
      turns: turns[each.id] ?? { base: [], candidate: [] },
    })),
    models,
    cost: spentOn(costs, 'base'),
  });
}
