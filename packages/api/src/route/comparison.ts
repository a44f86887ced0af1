import { z } from 'zod';
import { ablationSchema, comparisonSchema, scoresSchema, takeAnswerSchema } from '../schema/comparison.js';
import { NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

/** What can be asked of evals and comparisons. */
export const COMPARISON_ROUTES = {
  getComparison: {
    method: 'GET',
    path: '/runs/{run}/comparison',
    summary:
      'What a run of kind eval has come to so far, from its record: a comparison, the scores of one variant, or an ablation.',
    params: RUN_PARAMS,
    query: NOTHING,
    answer: z.object({
      status: z.string(),
      document: z.union([comparisonSchema, scoresSchema, ablationSchema]),
      /** A take of the prompt as it is, `RUN@TURN`; null until there is one. */
      told: z.string().nullable(),
    }),
  },
  listAnswers: {
    method: 'GET',
    path: '/runs/{run}/comparison/answers',
    summary: 'The answers to one case of an eval or a comparison. Confidential words are masked.',
    params: RUN_PARAMS,
    query: z.strictObject({ case: z.string().min(1).max(1_000) }),
    answer: z.object({ base: z.array(takeAnswerSchema), candidate: z.array(takeAnswerSchema) }),
  },
} as const satisfies RouteTable;
