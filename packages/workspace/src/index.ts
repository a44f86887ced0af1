export type {
  DiffOutcome,
  Lines,
  TurnPlace,
  VerifyOutcome,
  WorkRights,
  WorkspaceError,
  WorkspacePoint,
  WorkspaceState,
  Workspaces,
} from './contract.js';
export { lexicalPath, type PathFacts } from './path.js';
export { createWorkspaces, DEFAULT_WORKSPACE_LIMITS } from './workspaces.js';
