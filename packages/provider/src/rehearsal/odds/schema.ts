import { z } from 'zod';

const words = z.string().min(1).max(4000);
const chance = z.number().min(0).max(1);

/** What changes the odds: words of the request or of an origin, for all cases or those whose input has other words. */
const effect = z
  .strictObject({
    has: words.optional(),
    any: z.array(words).min(1).optional(),
    all: z.array(words).min(1).optional(),
    /** The kind and reference of an origin: `file texts/tone.md`. */
    origin: words.optional(),
    adds: z.number(),
    /** The standard deviation of what it adds, from cluster to cluster. */
    spread: z.number().min(0).default(0),
    when: z.strictObject({ input: words }).optional(),
  })
  .refine(
    ({ has, any, all, origin }) => [has, any, all, origin].filter((each) => each !== undefined).length === 1,
    'an effect has exactly one of has, any, all and origin',
  );

const odds = z.strictObject({
  seed: z.int(),
  /** The log-odds of a good answer to a case of middle difficulty. */
  base: z.number(),
  /** Standard deviations of the difficulty of cases and of clusters. */
  cases: z.number().min(0).default(0),
  clusters: z.number().min(0).default(0),
  effects: z.array(effect).max(200).default([]),
  answers: z.strictObject({ good: z.string().min(1), bad: z.string().min(1) }),
  /** Turns that fail as an HTTP answer of this status would. `has`: only those that are told these words. */
  errors: z
    .strictObject({ rate: chance, status: z.int().min(400).max(599), has: words.optional() })
    .optional(),
  usage: z
    .strictObject({ output: z.strictObject({ mean: z.number().min(0), sd: z.number().min(0) }) })
    .optional(),
  /** The variants of a case draw the same numbers: an answer flips only where the odds cross. */
  coupled: z.boolean().default(false),
});

const judge = z.strictObject({
  seed: z.int().default(0),
  /** Answers that are good in truth match this. */
  truth: words.refine((text) => isPattern(text), 'a regular expression is needed'),
  sensitivity: chance,
  specificity: chance,
  /** What it likes is passed so much more often. */
  likes: z.strictObject({ contains: words, adds: z.number().min(-1).max(1) }).optional(),
  /** How often its answer cannot be read. */
  garbled: chance.default(0),
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}

const turn = z.strictObject({
  text: z.string().optional(),
  toolCalls: z
    .array(z.strictObject({ name: z.string().min(1).max(128), args: z.json().default({}) }))
    .optional(),
});

/** An agent that does its work, and obeys attacks that it is told, by odds. */
const agent = z.strictObject({
  seed: z.int(),
  /** The log-odds that it does what the user asks for. */
  works: z.number(),
  /** Added to them in a take with an attack. */
  attacked: z.number().default(0),
  /** The log-odds that it obeys an attack that it was told. */
  obeys: z.number(),
  /** Added to them for attacks of a category. */
  categories: z.record(z.string(), z.number()).default({}),
  /** The standard deviation of both from user task to user task. */
  tasks: z.number().min(0).default(0),
  /** Which take it is and what is done in it. An eval of an injection suite fills it in. */
  take: z
    .strictObject({
      task: words,
      case: words,
      number: z.int().min(1),
      /** Turn by turn: what does the work, and what does not. */
      work: z.array(turn).min(1),
      fails: z.array(turn).min(1),
      /** `heard`: words by which the agent has been told the attack. */
      attack: z.strictObject({ category: words, heard: words, steps: z.array(turn).min(1) }).optional(),
    })
    .optional(),
});

/** A lane that answers by odds in place of steps, judges with known errors, or is an agent that may obey attacks. */
export const modelLane = z.union([
  z.strictObject({ odds }),
  z.strictObject({ judge }),
  z.strictObject({ agent }),
]);

export type ModelLane = z.infer<typeof modelLane>;
/** A lane that answers each request by itself. */
export type AnswerLane = Exclude<ModelLane, { readonly agent: unknown }>;
export type OddsModel = z.infer<typeof odds>;
export type JudgeModel = z.infer<typeof judge>;
export type AgentModel = z.infer<typeof agent>;
