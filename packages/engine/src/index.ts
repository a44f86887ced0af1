// The tool loop, approvals, budgets, stalls and the agent.

export {
  type Approval,
  type ApprovalDecision,
  type ApprovalEvent,
  type Approvals,
  claimOn,
  findApproval,
  findResolution,
  NO_APPROVALS,
  pendingApprovals,
  type Resolution,
  requestApproval,
} from './approval/approval.js';
export { tellAnswer, tryOf } from './approval/claim.js';
export {
  APPROVALS_PROJECTION,
  type ApprovalChange,
  type ApprovalRow,
  listApprovals,
  type QuestionRow,
} from './approval/listing.js';
export {
  type ApprovalError,
  type ApprovalResolve,
  expireApproval,
  resolveApproval,
  withdrawApprovals,
} from './approval/resolve.js';
export {
  type BudgetView,
  budgetView,
  checkBudget,
  type Exhausted,
  type Expected,
  holdBudget,
  raiseBudget,
  spendBudget,
} from './budget/check.js';
export {
  type BudgetEvent,
  EMPTY_LEDGER as EMPTY_BUDGET,
  type Ledger as Budget,
  projectLedger as projectBudget,
} from './budget/ledger.js';
export {
  type BudgetError,
  type BudgetLimit,
  DEFAULT_BUDGET,
  resolveLimit,
  type Unit as BudgetUnit,
} from './budget/limit.js';
export { AGENT_CODES, ENGINE_CODES } from './codes.js';
export { askTurn } from './conversation/ask.js';
export { checkChanged } from './conversation/changed.js';
export {
  BYTES_PER_TOKEN,
  condenseHistory,
  DEFAULT_CONTEXT_TOKENS,
  LEAST_TOLD,
  LEFT_OUT_BYTES,
  type SizedMessage,
  type ToldAs,
} from './conversation/condense.js';
export type {
  Conversation,
  ConversationCommand,
  ConversationConfig,
  ConversationEvent,
  Judged,
  Pause,
  Verdict,
} from './conversation/conversation.js';
export { nextModel } from './conversation/fallback.js';
export { type Decided, follow } from './conversation/follow.js';
export {
  type ConversationMessage,
  currentHistory,
  type HistoryCall,
  historyProblem,
} from './conversation/history.js';
export { projectKept } from './conversation/kept.js';
export { createAgentMachine } from './conversation/machine.js';
export { askNatively, MAX_NATIVE_CALLS } from './conversation/native.js';
export { person } from './conversation/note.js';
export {
  type NativeUse,
  readTurnOutcome,
  type TurnEnding,
  type TurnOutcome,
} from './conversation/outcome.js';
export { settleTurn, stopOpen } from './conversation/settle.js';
export { type ConversationStatus, statusOf } from './conversation/status.js';
export { type Collector, createCollector } from './conversation/turn/collect.js';
export {
  createNative,
  type Native,
  type NativeCommand,
  type NativeOptions,
  type NativeWords,
} from './conversation/turn/native.js';
export type { TurnRecorder } from './conversation/turn/receipts.js';
export type { RunLook } from './conversation/turn/run-look.js';
export {
  createConversationPort,
  createRunPort,
  type PortError,
  type RunPort,
} from './conversation/turn/run-port.js';
export {
  type ComposedTurn,
  type TakeTurnOptions,
  type TurnTry,
  takeTurn,
} from './conversation/turn/take-turn.js';
export { createTurnDriver, type TurnDriverOptions } from './conversation/turn-driver.js';
export type { Driver, Drivers, ObserveContext, PerformContext } from './effect/driver.js';
export { type AuditFinding, auditRun } from './loop/audit.js';
export type { EffectResolve } from './loop/decide.js';
export {
  createEngine,
  type Engine,
  type EngineLimits,
  type EngineOptions,
  type Identified,
  type ProblemPlace,
  type Submitted,
} from './loop/engine.js';
export type { EngineStore } from './loop/engine-store.js';
export { describeEngineError, type EngineError } from './loop/error.js';
export type { EngineFault, EnginePoint } from './loop/fault.js';
export type { Ledger, OpenEffect, OpenTimer } from './loop/ledger.js';
export { findOpenWork, type OpenLane, type OpenWork } from './loop/open-work.js';
export { projectRun, type RunState } from './loop/run-state.js';
export type {
  CommandShape,
  CrashPolicy,
  DecideContext,
  Decision,
  EffectBegun,
  EffectIntent,
  EffectSettled,
  EngineCommand,
  EngineEvent,
  EventShape,
  Machine,
  Outcome,
} from './machine.js';
export { type Observation, type RecoveryAction, recover } from './recover/recover.js';
export { hideCredentials } from './seal/shield.js';
export { normalise } from './stall/normalise.js';
export {
  DEFAULT_STALL_RULES,
  findStall,
  NO_STALL,
  projectStall,
  type StallEvent,
  type StallKind,
  type StallRules,
  type StallState,
  type StallVerdict,
  stallAfter,
} from './stall/stall.js';
export {
  type Numbers,
  type Observed,
  type ObservedCall,
  observeCall,
  observeNative,
  type Trace,
  traceTurn,
} from './stall/trace.js';
export {
  type DoubtfulEffect,
  listStandings,
  STANDINGS_PROJECTION,
  type Standing,
  type Wait,
} from './standing/standing.js';
export { type Clock, systemClock } from './timer/clock.js';
export { type ManualClock, manualClock } from './timer/manual-clock.js';
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
export { type FitOptions, fitResult } from './tool-loop/fit-result.js';
export {
  beginCalls,
  effectiveInput,
  type NextCallsOptions,
  nextCalls,
  stopCalls,
} from './tool-loop/next-calls.js';
export {
  type AskedCall,
  checkInput,
  type PlannedCall,
  type PlanOptions,
  planCalls,
  refuseCalls,
} from './tool-loop/plan.js';
export {
  isErrorResult,
  type ResultStatus,
  readOutcome,
  stoppedResult,
  type ToolResult,
  UNKNOWN_OUTCOME,
  unknownResult,
} from './tool-loop/result.js';
export { crashPolicyOf, type Permit, type Tool, type ToolRules } from './tool-loop/tool.js';
export { findWorker } from './work/at-work.js';
export { type InProcessOptions, inProcess } from './work/in-process.js';
export { type PostgresWorkOptions, postgresWork } from './work/postgres.js';
export type {
  Hold,
  Job,
  LaneJob,
  TimerJob,
  WorkError,
  WorkFactory,
  WorkHost,
  WorkQueue,
  WorkState,
} from './work/queue.js';
