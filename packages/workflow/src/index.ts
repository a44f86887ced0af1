export { WORKFLOW_CODES } from './codes.js';
export { type ComposedTurn, composeTurn, type TurnMode, type WorkflowTurn } from './compose/compose.js';
export type { DataContext } from './compose/data-context.js';
export { INTENTS, type Intent } from './compose/directive.js';
export { describePrecondition, type PreconditionError } from './compose/error.js';
export { type NodeBrief, parseNodeBrief } from './compose/node-brief.js';
export { SUMMARY_BUDGET } from './compose/state-summary.js';
export { workflowRecord, workflowRuns } from './kind/workflow-kind.js';
export { openWorkflowMounts, type WorkflowMounts, type WorkflowPlaces } from './mount/mounts.js';
export type { ToolFiles } from './mount/tool-files.js';
export { type Acceptance, type Acceptances, createAcceptances } from './package/acceptance.js';
export { loadPackage } from './package/load.js';
export type {
  PackageAgent,
  PackageTrust,
  Workflow,
  WorkflowEdge,
  WorkflowNode,
  WorkflowPackage,
} from './package/package.js';
export { packageDigest } from './package/requirements.js';
export type { Agent, AgentTools, Graph, GraphEdge, GraphNode } from './package/schema.js';
export { DEFAULT_POLICY, mergePolicies, type ToolPolicy, type ToolSettings } from './policy/policy.js';
export {
  createWorkflowProfile,
  type GivenTurn,
  isOwnFolder,
  type PackageStanding,
  readTurn,
  type WorkflowSource,
  workflowProfile,
} from './profile.js';
export type { FailedCall } from './run/failed-calls.js';
export type { RunVoice, WorkflowRunInput } from './run/input.js';
export { DEFAULT_MAX_TURNS, type RunCall, type RunFacts } from './run/machine/facts.js';
export {
  createWorkflowMachine,
  replayMachine,
  type WorkflowCommand,
  type WorkflowMachineConfig,
  workflowKind,
} from './run/machine/machine.js';
export { lastWords, workflowStanding } from './run/machine/standing.js';
export { projectWorkflow, type WorkflowRunEvent, type WorkflowRunState } from './run/machine/state.js';
export { type OpenQuestion, type RunStatus, runStatus } from './run/machine/status.js';
export {
  answerAdvice,
  answerExample,
  answerForms,
  answerHint,
  readAnswer,
  readYes,
} from './run/question/answer-text.js';
export {
  type Answer,
  checkAnswer,
  type Widget,
  type WidgetField,
  type WidgetOption,
} from './run/question/widget.js';
export { openWorkflowRun, type WorkflowRun } from './run/run.js';
export { type PersonWord, type Telling, type Told, tellRun } from './run/tell-run.js';
export { type ConnectOptions, connectServers } from './server/connect.js';
export { NO_SERVERS, type Servers, type ServerTool } from './server/servers.js';
export {
  NO_SETTINGS,
  readWorkflowSettings,
  type ServerSettings,
  type WorkflowSettings,
} from './settings/settings.js';
export { type Confirmations, createConfirmations } from './state/confirmation.js';
export { readState, STATE_PATH, type StateDocument } from './state/document.js';
export { type AllowedNext, describeStateError, type StateError } from './state/error.js';
export {
  openStateFile,
  type StateFile,
  type StateFileInput,
  type StateWritten,
  type StoredState,
} from './state/file.js';
export { type InitialState, initialState } from './state/initial.js';
export { applyPatch, replaceState } from './state/patch.js';
export { allowedNext, checkChange, isComplete, requireNode } from './state/rules.js';
export type { Decision, StatePatch, WorkflowState } from './state/schema.js';
export { answered, questionOf } from './tool/ask-user.js';
export { type Audit, type AuditEntry, type AuditInput, openAudit } from './tool/audit.js';
export { fitToolResult, MAX_RESULT } from './tool/keep.js';
export type { ToolError, ToolResult } from './tool/result.js';
export { createTools } from './tool/tools.js';
