export type {
  DiffOutcome,
  HeldPlace,
  Lines,
  RemoteOptions,
  TurnPlace,
  VerifyOutcome,
  WorkRights,
  WorkspaceError,
  WorkspacePoint,
  WorkspaceState,
  Workspaces,
} from './contract.js';
export { lexicalPath, type PathFacts } from './path.js';
export { hasKeptWork, sessionPath } from './remote/mark.js';
export { reachRemote } from './remote/repository.js';
export type { VersionArchive } from './version/archive.js';
export { createVersions, sourceProblem, type Versions } from './version/versions.js';
export { createWorkspaces, DEFAULT_WORKSPACE_LIMITS } from './workspaces.js';
