// The tool_call protocol.
export type { CallRule, LineForm, WrittenCall } from './call/form.js';
export { readForm } from './call/form.js';
export { usesNativeTools } from './call/native-tools.js';
export {
  type CallNote,
  type CallScanner,
  createCallScanner,
  hasCall,
  type Scanned,
  type ScannedCall,
  scanBlocks,
  toAskedCall,
} from './call/scan.js';
export {
  checkArgs,
  GRAPH_TOOLS,
  isGraphTool,
  isToolName,
  isWorkTool,
  type ToolArgs,
  type ToolName,
  toolDefinitions,
  toolsOf,
  WORK_TOOLS,
} from './call/tools.js';
// Capabilities and gates.
export { accessOf, changedOutside, mountAccess, type NodeAccess } from './capability/access.js';
export {
  type AuthorizeContext,
  type AuthorizedCall,
  authorize,
  authorizeCommand,
  authorizeWrite,
  type GlobalMode,
  type GraphLimits,
} from './capability/authorize.js';
export {
  type Capabilities,
  type CapabilitiesInput,
  childRights,
  type Permissions,
  type PermissionsInput,
  type Rights,
  type RightsInput,
  resolveRights,
} from './capability/capabilities.js';
export {
  type NativeContext,
  type NativeKind,
  nativeKind,
  nativePaths,
  permitNative,
} from './capability/native.js';
export { TEAM_CODES } from './codes.js';
// Team files.
export { checkTeam } from './file/check.js';
export { findTeams, loadTeam, type TeamSource } from './file/load.js';
export { DEFAULT_NODE_PROVIDER } from './file/nodes.js';
export { type TeamFile, type TeamFileNode, teamSchema } from './file/schema.js';
export { type StartOptions, startOf } from './file/start.js';
// The graph.
export { canSend, type EdgeType, makeEdge, type TeamEdge } from './graph/edge.js';
export type { Envelope, Made, PendingReply, WorkReport } from './graph/envelope.js';
export type { NodeSpec, NodeText, NodeWorkspace, TeamNode } from './graph/node.js';
export { findNode } from './graph/reference.js';
export { hostOf } from './graph/workspace.js';
// The host: runs at work in this process.
export type {
  HostFault,
  HostLimits,
  HostPoint,
  KeptPack,
  PersonCommand,
  RunReading,
  RunRow,
  StartRun,
  TeamHost,
  TeamHostOptions,
} from './host/contract.js';
export { createTeamHost } from './host/host.js';
export { createLeftovers, type Leftovers, type LeftoversOptions } from './host/leftovers.js';
export { holdText } from './kind/hold-text.js';
export { teamRuns } from './kind/team-kind.js';
export { roleProfile } from './profile/role-profile.js';
export { teamProfile } from './profile/team-profile.js';
export { type WarnedOptions, warnedProfiles } from './profile/warned.js';
// Prompts.
export { composeNode, headOf, type NodePrompt, type NodePromptInput } from './prompt/compose.js';
export {
  type ContextPack,
  DEFAULT_PACK_TOKENS,
  type FitPackOptions,
  type FittedPack,
  fitContextPack,
  packRef,
} from './prompt/context-pack.js';
export type { PersonMessage } from './prompt/incoming.js';
export {
  type FullReason,
  NO_SESSION,
  type PromptChange,
  type PromptKind,
  promptKind,
  type SessionFacts,
} from './prompt/kind.js';
export { type TurnResult, wakes } from './prompt/result.js';
export type { RunMode, TaskFacts, TurnCause } from './prompt/task.js';
// Role templates.
export { type AgentText, type AgentTexts, createAgentTexts, type TextHome } from './role/agent-text.js';
export { findRoles, loadRole, ownRoles, parseRole } from './role/load.js';
export { isRoleName, ROLE_FOLDER, roleFile, roleOfFile } from './role/name.js';
export { type Preamble, type ReadPreamble, readPreamble } from './role/preamble.js';
export { SHIPPED_ROLES } from './role/shipped.js';
export { declaredRights, type EdgeScope, edgeScopeOf, type RoleTemplate } from './role/template.js';
// The run.
export type { EdgeInput, NodeChange, RunStart, TeamCommand } from './run/command.js';
export type { TeamConfig } from './run/config.js';
export type { AnyTeamEvent, TeamEvent, TurnClosed, TurnStarted } from './run/event.js';
export { promptInput } from './run/facts.js';
export { DEFAULT_LIMITS, type LimitsInput, type RunLimits } from './run/limits.js';
export { createTeamMachine } from './run/machine.js';
export type { NodeTurnOutcome } from './run/outcome.js';
export { projectTeam } from './run/project.js';
export {
  askingNode,
  type Finishing,
  isOver,
  NEW_TEAM,
  type NodeHold,
  type NodeState,
  type Owed,
  type RunPause,
  type RunResult,
  type RunSettings,
  type TeamState,
  type Work,
} from './run/state.js';
export { isQuiet, type Need, type NodeStatus, needsOf, nodeStatus } from './run/status.js';
export { type TeamWait, waitingCount, waitsOf } from './run/waits.js';
