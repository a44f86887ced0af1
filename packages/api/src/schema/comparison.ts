import * as z from '../zod.js';
import { jsonSchema } from './base.js';
import { transcriptSchema } from './injection.js';

const interval = z.object({ low: z.number(), high: z.number() });
const mean = z.object({ mean: z.number(), interval: interval.nullable() }).nullable();
const verdict = z.enum(['better', 'worse', 'no-worse', 'open']);
const variant = z.object({
  target: z.string(),
  edits: z.array(z.string()),
  hash: z.string(),
  tokens: z.number(),
  /** The models that its requests name. */
  asks: z.array(z.string()).optional(),
});
const score = z.number().nullable();
const turns = z.object({ base: z.array(z.string()), candidate: z.array(z.string()) });
const line = z.array(z.string());
const obligation = z.object({ force: z.string(), text: z.string() });

/** What changed in the words, without confidential ones. */
const wordsDiffSchema = z.object({
  origins: z.array(
    z.object({
      origin: z.string(),
      change: z.string(),
      from: z.string().optional(),
      addedLines: line,
      removedLines: line,
    }),
  ),
  obligations: z.object({ added: z.array(obligation), dropped: z.array(obligation) }),
  reach: z
    .array(z.object({ target: z.string(), change: z.string(), through: z.array(z.string()) }))
    .optional(),
});

/** A comparison, as its document says it. */
export const comparisonSchema = z.object({
  comparison: z.literal(1),
  id: z.string(),
  base: variant,
  candidate: variant,
  diff: wordsDiffSchema,
  design: z.object({
    cases: z.number(),
    clusters: z.number(),
    takes: z.number(),
    looks: z.object({ planned: z.number(), taken: z.number() }),
    margin: z.number(),
    canSee: z.number().nullable(),
  }),
  metrics: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      base: mean,
      candidate: mean,
      difference: z
        .object({ mean: z.number(), interval: interval.nullable(), anytime: interval.nullable() })
        .nullable(),
      judged: z.object({ judge: z.string(), marks: z.number(), corrected: z.boolean() }).nullable(),
      verdict,
      why: z.string(),
    }),
  ),
  cases: z.array(
    z.object({
      id: z.string(),
      cluster: z.string(),
      base: z.array(score),
      candidate: z.array(score),
      turns,
    }),
  ),
  moved: z.array(z.object({ id: z.string(), by: z.number(), tested: z.boolean() })),
  attribution: z.array(z.object({ origin: z.string(), share: z.number(), interval, found: z.boolean() })),
  missing: z.object({
    base: z.number(),
    candidate: z.number(),
    reasons: z.record(z.string(), z.number()),
  }),
  cost: z.object({ base: z.number().nullable(), candidate: z.number().nullable() }),
  earlier: z.array(z.string()),
  /** The models that answered under each variant, as their providers name them. */
  models: z.object({ base: z.array(z.string()), candidate: z.array(z.string()) }),
  verdict,
  why: z.string(),
});

/** The scores of one variant, as their document says it. */
export const scoresSchema = z.object({
  eval: z.literal(1),
  id: z.string(),
  variant,
  design: z.object({ cases: z.number(), clusters: z.number(), takes: z.number() }),
  metrics: z.array(
    z.object({
      name: z.string(),
      mean: z.number().nullable(),
      interval: interval.nullable(),
      cases: z.number(),
      missing: z.number(),
      reasons: z.record(z.string(), z.number()),
    }),
  ),
  cases: z.array(z.object({ id: z.string(), cluster: z.string(), base: z.array(score), turns })),
  models: z.array(z.string()),
  cost: z.number().nullable(),
});

/** What each part of a prompt does, as the document of an ablation says it. */
export const ablationSchema = z.object({
  ablation: z.literal(1),
  id: z.string(),
  target: z.string(),
  metric: z.string(),
  tokens: z.number(),
  design: z.object({
    units: z.number(),
    cases: z.number(),
    clusters: z.number(),
    takes: z.number(),
    margin: z.number(),
    canSee: z.number().nullable(),
  }),
  units: z.array(
    z.object({
      edit: z.string(),
      text: z.string(),
      file: z.string().nullable(),
      line: z.number().nullable(),
      tokens: z.number(),
      verdict: z.enum(['helps', 'harms', 'within', 'open', 'not exercised']),
      adds: z.number().nullable(),
      interval: interval.nullable(),
      /** The cases whose score falls without it. */
      sensors: z.array(z.string()),
    }),
  ),
  joint: z
    .object({ units: z.array(z.string()), isSafe: z.boolean(), adds: z.number().nullable() })
    .nullable(),
  pairs: z.array(z.object({ units: z.array(z.string()), adds: z.number() })),
  coverage: z.object({ units: z.number(), sensed: z.number() }),
  missing: z.object({ count: z.number(), reasons: z.record(z.string(), z.number()) }),
  models: z.array(z.string()),
  cost: z.number().nullable(),
});

/** What a run that serves another one has come to: judgements, a later step of an ablation, a part of a tuning. */
export const stepRunSchema = z.object({
  step: z.literal(1),
  id: z.string(),
  what: z.string(),
  /** The run that it serves, and what it is called there. */
  of: z.string().nullable(),
  name: z.string().nullable(),
  /** What its takes are scored by: a metric, or a judge. */
  metric: z.string(),
  variants: z.array(z.object({ name: z.string(), edits: z.array(z.string()) })),
  models: z.array(z.string()),
  takes: z.array(
    z.object({
      case: z.string(),
      variant: z.string(),
      /** `RUN@TURN`; null: it has no outcome yet. */
      turn: z.string().nullable(),
      score,
      /** Why there is no score. */
      missing: z.string().nullable(),
    }),
  ),
});

/** What a take answered. */
export const takeAnswerSchema = z.object({
  /** `RUN@TURN`. */
  turn: z.string(),
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), input: jsonSchema })),
  /** Why it ended, and with which code where it failed. */
  end: z.object({ reason: z.string(), code: z.string().optional() }),
  /** Of a take that is a whole run: everything that was said and done in it. */
  transcript: transcriptSchema.optional(),
});
