import { ASSUMED_SPREAD, designToSee, type Spread, smallestVisible } from '../statistics/power.js';

/** What a command is about to spend, and what it can learn from that. */
export interface EvalPlan {
  readonly cases: number;
  readonly clusters: number;
  readonly takes: number;
  readonly variants: number;
  /** All takes, without those that are on record. */
  readonly toRun: number;
  readonly onRecord: number;
  readonly tokens: number;
  /** Null where the price of a model is not known. */
  readonly usd: number | null;
  /** The smallest difference that it finds four times in five. */
  readonly canSee: number;
  /** Whether the spread was measured; else it is assumed. */
  readonly isMeasured: boolean;
  /** What would see the margin, where this does not. */
  readonly enough: { readonly cases: number; readonly takes: number } | null;
}

export interface PlanInput extends Pick<EvalPlan, 'cases' | 'clusters' | 'takes' | 'variants' | 'onRecord'> {
  readonly margin: number;
  readonly spread?: Spread | undefined;
  /** Of the requests that are still to be sent. */
  readonly tokens: number;
  readonly usd: number | null;
}

/** The plan of a comparison. Cases that hang together count for less: a fifth of their spread is taken to be shared. */
export function planEval(input: PlanInput): EvalPlan {
  const { cases, clusters, takes, variants, onRecord, margin, spread, tokens, usd } = input;
  const known = spread ?? ASSUMED_SPREAD;
  const size = clusters === 0 ? 1 : cases / clusters;
  const counted = cases / (1 + (size - 1) * SHARED);
  const canSee = smallestVisible(counted, takes, known);
  const wanted = designToSee(margin, counted, known);
  return {
    cases,
    clusters,
    takes,
    variants,
    toRun: cases * takes * variants - onRecord,
    onRecord,
    tokens,
    usd,
    canSee,
    isMeasured: spread !== undefined,
    enough:
      canSee <= margin
        ? null
        : {
            cases: Math.max(cases, Math.ceil(wanted.cases * (cases / Math.max(counted, 1e-9)))),
            takes: wanted.takes,
          },
  };
}

const SHARED = 0.2;
