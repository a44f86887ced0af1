import * as z from '../zod.js';
import { agentIdSchema, jsonSchema, timeSchema } from './base.js';
import { publishedSchema } from './card.js';
import { placeRecordSchema } from './place.js';
import { outputContractSchema } from './scenario-shape.js';

const preset = z.object({ temperature: z.number(), max_tokens: z.number(), top_p: z.number() });
const interval = z.object({ low: z.number(), high: z.number() });
const arm = z.object({ count: z.int(), agents: z.int(), mean: z.number().nullable(), interval });

/** How the arms of one metric compare. */
const comparison = z.object({
  metric: z.string(),
  arms: z.object({ control: arm, candidate: arm }),
  /** Candidate minus control. */
  difference: interval,
  verdict: z.enum(['better', 'worse', 'open']),
});

const plan = {
  /** The share of agents at each stage, growing; the last is 1. */
  stages: z.array(z.number()).min(1).max(20),
  /** What has to be counted in each arm before a stage is left. */
  outcomes: z.int().min(1),
  metric: agentIdSchema,
  /** Metrics that must not get worse. */
  guards: z.array(agentIdSchema).max(20),
  margin: z.number().min(0).max(1),
  /** For all metrics together. */
  alpha: z.number().gt(0).lt(1).exactOptional(),
  /** The smallest difference that is worth finding, and the chance with which it is to be found. */
  effect: z.number().gt(0).lt(1).exactOptional(),
  power: z.number().gt(0).lt(1).exactOptional(),
  /** A loss that must be stopped soon. */
  harm: z.number().gt(0).lt(1).exactOptional(),
  /** What the metric is now, how far agents lie apart, and outcomes of one of them a day. */
  baseline: z.number().gt(0).lt(1).exactOptional(),
  spread: z.number().min(0).lt(1).exactOptional(),
  perDay: z.number().gt(0).max(1).exactOptional(),
};

/** How long an experiment takes, computed before it begins. */
export const planLengthSchema = z.object({
  /** Days after which the planned effect is found with the planned power; null: not within two years. */
  days: z.int().nullable(),
  outcomes: z.object({ control: z.int(), candidate: z.int() }).nullable(),
  power: z.number(),
  /** Days within which a loss of the planned size was halted, in 95 of 100. */
  haltDays: z.int().nullable(),
  agentsNeeded: z.int().nullable(),
  tuning: z.object({ alpha: z.number(), tau2: z.number() }),
});
/** `ready`: the next share is everybody, which only a person decides. */
const stepType = z.enum(['hold', 'advance', 'ready', 'finish', 'roll-back']);
const rolloutStatus = z.enum(['running', 'finished', 'rolled-back']);
const keptPlan = z.object(plan);

/** How a candidate becomes the version of everybody. */
export const rolloutPlanSchema = z.strictObject(plan);

/** What one step of a rollout decided, and on what. */
export const rolloutStepSchema = z.object({
  experiment: z.string(),
  type: stepType,
  status: rolloutStatus,
  from: z.number(),
  share: z.number(),
  /** The metric that decided, if one did. */
  metric: z.string().optional(),
  plan: keptPlan,
  length: planLengthSchema.nullable(),
  comparisons: z.array(comparison),
});

/** Everything that is known of an experiment, on one page. */
export const experimentResultSchema = z.object({
  id: z.string(),
  scenario: z.string(),
  control: z.int(),
  candidate: z.int(),
  share: z.number(),
  status: z.enum(['running', 'finished', 'rolled-back', 'ended']),
  plan: keptPlan,
  /** Null before the first step. */
  length: planLengthSchema.nullable(),
  /** How much of the planned information there is, 0 to 1. */
  progress: z.number(),
  /** Agents that have each arm now. */
  cohorts: z.object({ control: z.int(), candidate: z.int() }),
  comparisons: z.array(comparison),
  /** What the next step would do; null when the experiment has ended. */
  next: stepType.nullable(),
});

/** An experiment that is to be begun, or whose share changes. */
export const experimentDraftSchema = z.strictObject({
  scenario: z.string().max(64),
  control: z.int().min(1),
  candidate: z.int().min(1),
  share: z.number().min(0).max(1),
});

const experiment = z.object({
  id: z.string(),
  scenario: z.string(),
  control: z.int(),
  candidate: z.int(),
  share: z.number(),
  rollout: z
    .object({
      plan: keptPlan,
      length: planLengthSchema.nullable().optional(),
      status: rolloutStatus,
      /** By metric, what had been counted when the stage began. */
      since: z.record(z.string(), z.object({ control: z.number(), candidate: z.number() })).optional(),
    })
    .optional(),
  outcomes: z.array(comparison),
});

/** The public event of a week. */
export const publicEventSchema = z.object({
  /** The Monday of its week, `2026-11-16`. */
  week: z.string(),
  event: z.object({
    theme: z.string(),
    description: z.string(),
    suggested_roles: z.array(z.string()),
    duration_days: z.number(),
    reward: z.string(),
  }),
  topic: z.string(),
  scenarioVersion: z.int(),
  preset,
  by: z.string(),
  at: timeSchema,
});

const scenario = z.object({
  id: z.string(),
  version: z.int(),
  side: z.enum(['agent', 'platform']),
  preset,
  placeholders: z.array(z.string()),
});

/** A version of a scenario on its way through the library. */
export const libraryVersionSchema = scenario.extend({
  summary: z.string(),
  template: z.string(),
  /** What an answer must be. */
  output: outputContractSchema,
  /** `listed`: in the signed list. Before that it waits for a review, or is approved and not signed yet. */
  status: z.enum(['waiting', 'approved', 'rejected', 'listed', 'retired']),
  /** It goes with the next signature. */
  retiring: z.boolean(),
  by: z.string(),
  at: timeSchema,
  decidedBy: z.string().optional(),
  reason: z.string().optional(),
  /** Assigned where no experiment says otherwise. */
  active: z.boolean(),
  /** Agents it is published for. */
  agents: z.array(z.string()),
});

/** One agent, as the store and the record of the platform show it. */
export const fleetMemberSchema = z.object({
  agent: z.string(),
  owner: z.string(),
  admission: z.enum(['none', 'pending', 'admitted', 'revoked']),
  published: z.object({ version: z.int(), cardVersion: z.int(), at: timeSchema }).nullable(),
  /** Whether what the store holds verifies now. Null: nothing is published. */
  verification: z
    .discriminatedUnion('ok', [
      z.object({ ok: z.literal(true) }),
      z.object({
        ok: z.literal(false),
        code: z.string(),
        reason: z.string(),
        /** The role or the object that it was found in. */
        object: z.string().optional(),
      }),
    ])
    .nullable(),
  /** When the agent last showed that it is awake, by its own word. */
  seenAt: timeSchema.nullable(),
  /** Whether its heartbeat is signed with the key that it was admitted with; what follows is believed only then. */
  vouched: z.boolean(),
  /** What it uses, by object. */
  applied: z.array(z.object({ object: z.string(), version: z.int(), sha256: z.string() })).nullable(),
  /** What it refused last. */
  failure: z.object({ at: z.string(), code: z.string(), reason: z.string(), object: z.string() }).nullable(),
  /** Whether it uses what is published. */
  state: z.enum(['current', 'behind', 'unknown']),
  /** Refusals of the last hour that is counted. */
  refused: z.int(),
});

/** The keys of every role, and what expires when. */
export const platformHealthSchema = z.object({
  roles: z.array(z.object({ role: z.string(), keys: z.array(z.string()), threshold: z.int() })),
  expiries: z.array(
    z.object({
      what: z.string(),
      agent: z.string().optional(),
      /** Null: it is not there, or cannot be read. */
      expires: timeSchema.nullable(),
      state: z.enum(['good', 'soon', 'expired']),
      /** Why it does not count though its time has not come. */
      why: z.enum(['unsigned', 'not-in-library', 'key']).optional(),
      /** Who must act. */
      who: z.enum(['server', 'root', 'library', 'reviewer']),
      /** By which command. */
      command: z.string(),
    }),
  ),
});

/** A platform at one look. */
export const platformSchema = z.object({
  name: z.string(),
  cards: z.int(),
  pending: z.int(),
  published: z.int(),
  admitted: z.int(),
  /** Agents that asked to be admitted, with the key on their card. */
  asking: z.array(z.string()),
  scenarios: z.array(scenario),
  places: z.array(placeRecordSchema),
  events: z.array(publicEventSchema),
  experiments: z.array(experiment),
});

/** What a server may do by itself for a platform. */
export const jobNameSchema = z.enum(['event', 'groups']);
const whom = { provider: z.string().min(1).max(80).optional(), model: z.string().min(1).max(200).optional() };
export const askedSchema = z.strictObject(whom);
export const jobSchema = z.object({
  job: jobNameSchema,
  on: z.boolean(),
  by: z.string().optional(),
  ...whom,
});
export type JobView = z.output<typeof jobSchema>;

/** What became of a publication. */
export const publishReportSchema = z.object({
  published: z.array(z.object({ agent: z.string(), version: z.int() })),
  unchanged: z.array(z.string()),
  /** Why others were left out. */
  left: z.array(z.object({ agent: z.string(), reason: z.enum(['pending', 'rejected', 'unsigned']) })),
});

/** What is published for an agent, and whether it verifies as the agent would verify it now. */
export const bundleViewSchema = z.object({
  agent: z.string(),
  published: publishedSchema.nullable(),
  /** Null: nothing is published. */
  verification: z
    .discriminatedUnion('ok', [
      z.object({
        ok: z.literal(true),
        /** What the agent reads, from the objects that verified. */
        promptView: z.string(),
        basePrompt: z.string(),
        cardVersion: z.int(),
        bundleVersion: z.int(),
        cohorts: z.record(z.string(), z.string()),
        scenarios: z.array(z.object({ id: z.string(), version: z.int(), preset })),
      }),
      z.object({ ok: z.literal(false), error: z.object({ code: z.string(), reason: z.string() }) }),
    ])
    .nullable(),
});

/** One entry of the platform's own record. */
export const auditEntrySchema = z.object({
  /** Hand it in as `after` for what follows. */
  position: z.int(),
  at: timeSchema,
  type: z.string(),
  agent: z.string().optional(),
  /** What the event of this type says. */
  data: z.record(z.string(), jsonSchema),
});

/** An object that an agent wrote. */
export const writtenObjectSchema = z.object({
  /** Hand it in to `ackFeed` when it is dealt with. */
  position: z.int(),
  at: timeSchema,
  agent: z.string(),
  key: z.string(),
});

/** A platform at one look. */
export type PlatformView = z.output<typeof platformSchema>;
/** A version of a scenario. */
export type LibraryVersionView = z.output<typeof libraryVersionSchema>;
