// The tool loop, approvals, budgets, stalls and the agent.

export {
  type Approval,
  type ApprovalEvent,
  type Approvals,
  claimOn,
  findApproval,
  findResolution,
  grantOf,
  NO_APPROVALS,
  pendingApprovals,
  requestApproval,
} from './approval/approval.js';
export { tellAnswer, tryOf } from './approval/claim.js';
export {
  APPROVALS_PROJECTION,
  type ApprovalRow,
  listApprovals,
  type QuestionRow,
  readApprovals,
} from './approval/listing.js';
export {
  type ApprovalResolve,
  expireApproval,
  resolveApproval,
  withdrawApprovals,
} from './approval/resolve.js';
export {
  budgetView,
  checkBudget,
  type Exhausted,
  type Expected,
  raiseBudget,
  spendBudget,
} from './budget/check.js';
export {
  type BudgetEvent,
  type BudgetLedger as Budget,
  EMPTY_LEDGER as EMPTY_BUDGET,
  projectLedger as projectBudget,
} from './budget/ledger.js';
export {
  type BudgetLimit,
  DEFAULT_BUDGET,
  type GivenBudget,
  resolveLimit,
  type Unit as BudgetUnit,
} from './budget/limit.js';
export { askTurn } from './conversation/ask.js';
export { checkChanged } from './conversation/changed.js';
export {
  BYTES_PER_TOKEN,
  condenseHistory,
  DEFAULT_CONTEXT_TOKENS,
  LEAST_TOLD,
  type SizedMessage,
  type ToldAs,
} from './conversation/condense.js';
export type {
  Conversation,
  ConversationCommand,
  ConversationConfig,
  ConversationEvent,
  Verdict,
} from './conversation/conversation.js';
export { CONVERSATION_EVENTS } from './conversation/event-types.js';
export { nextModel } from './conversation/fallback.js';
export { type DecidedWord, follow } from './conversation/follow.js';
export { createHeldSessions, isSameHold, type TurnHold } from './conversation/held-sessions.js';
export { type ConversationMessage, historyProblem } from './conversation/history.js';
export { projectKept } from './conversation/kept.js';
export { createAgentMachine } from './conversation/machine.js';
export { askNatively, MAX_NATIVE_CALLS } from './conversation/native.js';
export { person } from './conversation/note.js';
export { readTurnOutcome, type TurnEnding, type TurnOutcome } from './conversation/outcome.js';
export { settleTurn, stopOpen } from './conversation/settle.js';
export { type ConversationStatus, statusOf } from './conversation/status.js';
export { createCollector } from './conversation/turn/collect.js';
export type { NativeWords } from './conversation/turn/native.js';
export type { TurnRecorder } from './conversation/turn/receipts.js';
export type { RunLook } from './conversation/turn/run-look.js';
export {
  createConversationPort,
  createRunPorts,
  type PortError,
  type RunPort,
} from './conversation/turn/run-port.js';
export {
  type ComposedTurn,
  takeTurn,
} from './conversation/turn/take-turn.js';
export { createTurnDriver } from './conversation/turn-driver.js';
export type { Driver, Drivers, ObserveContext, PerformContext } from './effect/driver.js';
export { type AuditFinding, auditRun } from './loop/audit.js';
export { type EffectResolve, strangeRun } from './loop/decide.js';
export { createEngine, type Engine, type ProblemPlace } from './loop/engine.js';
export type { EngineStore } from './loop/engine-store.js';
export { describeEngineError, type EngineError } from './loop/error.js';
export type { EngineFault, EnginePoint } from './loop/fault.js';
export { findOpenWork } from './loop/open-work.js';
export { projectRun, type RunState } from './loop/run-state.js';
export type {
  CrashPolicy,
  DecideContext,
  Decision,
  EffectIntent,
  EngineCommand,
  EngineEvent,
  Machine,
  Outcome,
} from './machine.js';
export type { Observation } from './recover/recover.js';
export { isPrivate as holdsCredential } from './seal/cover.js';
export { hideCredentials } from './seal/shield.js';
export { createWordSeal, maskedWords, sealedIn } from './seal/word-seal.js';
export {
  DEFAULT_STALL_RULES,
  findStall,
  NO_STALL,
  projectStall,
  type StallEvent,
  type StallRules,
  type StallState,
  type StallVerdict,
  stallAfter,
} from './stall/stall.js';
export {
  type Numbers,
  type Observed,
  observeCall,
  observeNative,
  type Trace,
  traceTurn,
} from './stall/trace.js';
export {
  type DoubtfulEffect,
  findStanding,
  listStandings,
  type Standing,
  type StandingWait,
} from './standing/standing.js';
export type { Clock } from './timer/clock.js';
export { type ManualClock, manualClock } from './timer/manual-clock.js';
export { clockOf } from './timer/shared-time.js';
export {
  areRunning,
  areSettled,
  type CallEvent,
  type CallState,
  type Calls,
  isAboutCalls,
  openCalls,
  projectCalls,
  type ToolCallInput,
} from './tool-loop/calls.js';
export { clipWords } from './tool-loop/clip.js';
export { fitResult } from './tool-loop/fit-result.js';
export { beginCalls, effectiveInput, nextCalls, stopCalls } from './tool-loop/next-calls.js';
export { type AskedCall, checkInput, type PlannedCall, planCalls, refuseCalls } from './tool-loop/plan.js';
export { type CallResult, isErrorResult, stoppedResult, UNKNOWN_OUTCOME } from './tool-loop/result.js';
export type { Permit, Tool, ToolRules } from './tool-loop/tool.js';
export { findWorker } from './work/at-work.js';
export { inProcess } from './work/in-process.js';
export { type PerRunWork, perRunWork } from './work/per-run.js';
export { postgresWork } from './work/postgres.js';
export type { WorkFactory } from './work/queue.js';
export { postgresRuns, type QueuedTasks, type RunQueue } from './work/run-queue.js';
