// The tool_call protocol.
export { createCallScanner, scanBlocks } from './call/scan.js';
export { checkArgs } from './call/tools.js';
// Capabilities and gates.
export { accessOf, changedOutside } from './capability/access.js';
export { type AuthorizeContext, authorize } from './capability/authorize.js';
export { childRights, resolveRights } from './capability/capabilities.js';
export { permitNative } from './capability/native.js';
// Team files.
export { checkTeam } from './file/check.js';
export { findTeams, isTeamFile, loadTeam } from './file/load.js';
export { startOf } from './file/start.js';
// The graph.
export type { NodeText } from './graph/node.js';
export { findNode } from './graph/reference.js';
export { hostOf } from './graph/workspace.js';
// The host: runs at work in this process.
export type { HostFault, HostLimits, PersonCommand, RunReading, TeamHost } from './host/contract.js';
export { createTeamHost } from './host/host.js';
export { createLeftovers } from './host/leftovers.js';
export { listedRuns } from './host/lists.js';
export { holdText } from './kind/hold-text.js';
export { teamRuns } from './kind/team-kind.js';
export { roleProfile } from './profile/role-profile.js';
export { teamProfile } from './profile/team-profile.js';
// Prompts.
export { composeNode } from './prompt/compose.js';
export { fitContextPack } from './prompt/context-pack.js';
export { promptKind } from './prompt/kind.js';
// Role templates.
export { findRoles, loadRole, ownRoles } from './role/load.js';
export { roleFile, roleOfFile } from './role/name.js';
export { readPreamble } from './role/preamble.js';
export { SHIPPED_ROLES } from './role/shipped.js';
export { declaredRights, edgeScopeOf, type RoleTemplate } from './role/template.js';
export { createTeamMachine } from './run/decide.js';
// The run.
export type { AnyTeamEvent } from './run/event.js';
export { promptInput } from './run/facts.js';
export type { NodeTurnOutcome } from './run/outcome.js';
export { projectTeam } from './run/project.js';
export {
  askingNode,
  isOver,
  NEW_TEAM,
  type NodeHold,
  type NodeState,
  type NodeWorkState,
  type RunPause,
  type TeamState,
  worksInProject,
} from './run/state.js';
export { isQuiet, type Need, needsOf, nodeStatus } from './run/status.js';
export { waitingCount } from './run/waits.js';
