import type { z } from 'zod';
import type {
  ablationSchema,
  comparisonSchema,
  scoresSchema,
  stepRunSchema,
  takeAnswerSchema,
} from './comparison.js';
import type { liveEventSchema, runEventSchema, turnEventSchema } from './event.js';
import type { edgeSchema, envelopeSchema } from './graph.js';
import type { injectionSchema } from './injection.js';
import type { approvalSchema, budgetSchema, holdSchema, nodeSchema } from './node.js';
import type { personSchema } from './person.js';
import type { appliedSchema, cleanedSchema, providerSchema, roleSchema, workspaceSchema } from './project.js';
import type { quotaUseSchema } from './quota.js';
import type { needSchema, runSchema, runSummarySchema } from './run.js';
import type { scheduleSchema } from './schedule.js';
import type { packedTurnSchema, turnSchema, turnSummarySchema, turnWireSchema } from './turn.js';
import type { reportSchema, waitSchema } from './wait.js';
import type { workerSchema, workSchema } from './worker.js';

/** How a run of any kind stands. */
export type ReportView = z.output<typeof reportSchema>;
/** Something that only a person can settle, in a run of any kind. */
export type WaitView = z.output<typeof waitSchema>;
/** What an injection suite found. */
export type InjectionView = z.output<typeof injectionSchema>;
/** A run. */
export type RunView = z.output<typeof runSchema>;
/** A run as a list shows it. */
export type RunSummaryView = z.output<typeof runSummarySchema>;
/** Something that only a person can settle. */
export type NeedView = z.output<typeof needSchema>;
/** A node with all that waits for it. */
export type NodeView = z.output<typeof nodeSchema>;
/** Why a node or a run does not go on by itself. */
export type HoldView = z.output<typeof holdSchema>;
/** What was spent of what. */
export type BudgetView = z.output<typeof budgetSchema>;
/** Something that a person must answer, or has answered. */
export type ApprovalView = z.output<typeof approvalSchema>;
/** A way between two nodes. */
export type EdgeView = z.output<typeof edgeSchema>;
/** What one node sends to another. */
export type EnvelopeView = z.output<typeof envelopeSchema>;
/** What happened in a run. */
export type RunEventView = z.output<typeof runEventSchema>;
/** Live words of a node. */
export type LiveView = z.output<typeof liveEventSchema>;
/** What a node's turn says while it speaks. */
export type TurnEventView = z.output<typeof turnEventSchema>;
/** A turn as a list shows it. */
export type TurnSummaryView = z.output<typeof turnSummarySchema>;
/** What a turn was told. */
export type TurnView = z.output<typeof turnSchema>;
/** What a turn was told, with packed spans. */
export type PackedTurnView = z.output<typeof packedTurnSchema>;
/** The body that a provider was sent. */
export type TurnWireView = z.output<typeof turnWireSchema>;
/** Where a node works. */
export type WorkspaceView = z.output<typeof workspaceSchema>;
/** What bringing work into the person's folder did, or would do. */
export type AppliedView = z.output<typeof appliedSchema>;
/** What was removed of a run's workspaces. */
export type CleanedView = z.output<typeof cleanedSchema>;
/** Who can speak. */
export type ProviderView = z.output<typeof providerSchema>;
/** A role template. */
export type RoleView = z.output<typeof roleSchema>;
/** What a comparison has come to. */
export type ComparisonView = z.output<typeof comparisonSchema>;
/** What each part of a prompt does. */
export type AblationView = z.output<typeof ablationSchema>;
export type StepRunView = z.output<typeof stepRunSchema>;
/** The scores of one variant. */
export type ScoresView = z.output<typeof scoresSchema>;
/** What a take answered. */
export type TakeAnswerView = z.output<typeof takeAnswerSchema>;

/** Somebody with a role in the project. */
export type PersonView = z.output<typeof personSchema>;
export type QuotaUseView = z.output<typeof quotaUseSchema>;

/** A run that is begun by the clock. */
export type ScheduleView = z.output<typeof scheduleSchema>;

/** A server or worker that is up. */
export type WorkerView = z.output<typeof workerSchema>;

/** Who works on the runs of a project, and what is left to do. */
export type WorkView = z.output<typeof workSchema>;
