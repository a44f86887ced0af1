import {
  ablationSchema,
  comparisonSchema,
  scoresSchema,
  stepRunSchema,
  takeAnswerSchema,
} from '../schema/comparison.js';
import { injectionSchema } from '../schema/injection.js';
import * as z from '../zod.js';
import { OPERATOR, VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

const judgeName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/u);

/** What can be asked of evals and comparisons. */
export const COMPARISON_ROUTES = {
  getComparison: {
    method: 'GET',
    path: '/runs/{run}/comparison',
    summary:
      'What a run of kind eval has come to so far, from its record: a comparison, the scores of one variant, an ablation, an injection suite, or the takes of a run that serves one of these.',
    roles: VIEWER,
    params: RUN_PARAMS,
    query: NOTHING,
    answer: z.object({
      status: z.string(),
      document: z.union([comparisonSchema, scoresSchema, ablationSchema, injectionSchema, stepRunSchema]),
      /** A take of the prompt as it is, `RUN@TURN`; null until there is one. */
      told: z.string().nullable(),
    }),
  },
  listAnswers: {
    method: 'GET',
    path: '/runs/{run}/comparison/answers',
    summary:
      'The answers to one case of an eval, a comparison or an injection suite; of a suite with their transcripts, as base those of its user task without an attack. Confidential words are masked.',
    roles: VIEWER,
    params: RUN_PARAMS,
    query: z.strictObject({ case: z.string().min(1).max(1_000) }),
    answer: z.object({ base: z.array(takeAnswerSchema), candidate: z.array(takeAnswerSchema) }),
  },
  nextToMark: {
    method: 'GET',
    path: '/runs/{run}/marks',
    summary:
      'The next answer of a run to mark by the question of a judge, without its variant, score or verdict; and the judges there are.',
    roles: OPERATOR,
    params: RUN_PARAMS,
    /** `passed`: answers that are passed over, with a comma between them. */
    query: z.strictObject({
      judge: judgeName.optional(),
      passed: z
        .string()
        .regex(/^[0-9a-f,]*$/u)
        .max(20_000)
        .default(''),
    }),
    answer: z.object({
      judges: z.array(z.string()),
      /** Null: nothing is left, or no judge is named. */
      item: z
        .object({ id: z.string(), asks: z.string(), input: z.string(), answer: z.string(), left: z.number() })
        .nullable(),
    }),
  },
  giveMark: {
    method: 'POST',
    path: '/runs/{run}/marks',
    summary: 'Marks an answer that was handed out. The mark is a line of marks/JUDGE.jsonl in the project.',
    roles: OPERATOR,
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      judge: judgeName,
      item: z.string().regex(/^[0-9a-f]{1,64}$/u),
      pass: z.boolean(),
    }),
    answer: DONE,
  },
} as const satisfies RouteTable;
