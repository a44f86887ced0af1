export { WORKSPACE_CODES } from './codes.js';
export type {
  Applied,
  AppliedFile,
  ApplyConflict,
  ApplyOptions,
  Cleaned,
  CleanOptions,
  DiffOutcome,
  Lines,
  NodePlace,
  Prepared,
  SetAside,
  TurnPlace,
  VerifyOutcome,
  WorkCall,
  WorkName,
  WorkRights,
  WorkspaceError,
  WorkspaceLimits,
  WorkspaceOptions,
  WorkspacePoint,
  Workspaces,
  WorkspaceView,
} from './contract.js';
export { lexicalPath, type PathFacts } from './path.js';
export { createWorkspaces, DEFAULT_WORKSPACE_LIMITS } from './workspaces.js';
