import { join } from 'node:path';
import { ok, type Result } from '@cuebook/prompt';
import type {
  WorkspaceError,
  WorkspaceLimits,
  WorkspaceNode,
  WorkspaceOptions,
  WorkspacePoint,
} from '../contract.js';
import { pathInside } from '../git/inside.js';
import type { FolderSnapshot } from '../git/moment.js';
import { type Taken, takeSnapshot } from '../git/snapshot.js';
import type { ContentStore } from '../git/store.js';
import type { ProjectRepository } from './project.js';

/** What every operation on workspaces works with. */
export interface WorkspaceGround {
  readonly store: ContentStore;
  readonly project: ProjectRepository;
  readonly home: string;
  readonly env: WorkspaceOptions['env'];
  readonly limits: WorkspaceLimits;
  /** How workspaces come from one machine to another; undefined: they do not. */
  readonly remote: WorkspaceOptions['remote'];
  redact(text: string): string;
  keep(run: string, text: string): Promise<string>;
  at(point: WorkspacePoint): Promise<void>;
  /** The real folder of a node. */
  folderOf(run: string, node: WorkspaceNode): string;
}

/** The real folder of a node. */
export const folderOf = (workspaces: string, project: string, run: string, node: WorkspaceNode): string =>
  node.workspace === 'shared' ? project : join(workspaces, run, node.id);

/** How the folder of a node stands, as it is remembered. */
export async function snapshotNode(
  ground: WorkspaceGround,
  run: string,
  node: WorkspaceNode,
  signal?: AbortSignal,
): Promise<Result<FolderSnapshot, WorkspaceError>> {
  return snapshotOf(await takeNode(ground, run, node, signal));
}

/** The same with the index, for a change of the folder. */
export async function takeNode(
  ground: WorkspaceGround,
  run: string,
  node: WorkspaceNode,
  signal?: AbortSignal,
): Promise<Result<Taken, WorkspaceError>> {
  if (node.workspace === 'shared') return takeProject(ground, signal);
  return takeSnapshot(ground.store, ground.folderOf(run, node), {
    key: nodeKey(run, node.id),
    maxFiles: ground.limits.files,
    skip: [HOME_NAME],
    signal,
  });
}

/** How the project's folder stands. */
export async function snapshotProject(
  ground: WorkspaceGround,
  signal?: AbortSignal,
): Promise<Result<FolderSnapshot, WorkspaceError>> {
  return snapshotOf(await takeProject(ground, signal));
}

/** The same with the index, for a change of the project's folder. */
export async function takeProject(
  { store, project, home, limits }: WorkspaceGround,
  signal?: AbortSignal,
): Promise<Result<Taken, WorkspaceError>> {
  await project.copyRules(store);
  const inner = pathInside(project.folder, home);
  return takeSnapshot(store, project.folder, {
    key: PROJECT_KEY,
    maxFiles: limits.files,
    skip: [HOME_NAME, ...(inner === undefined || inner === HOME_NAME ? [] : [inner])],
    force: project.ignoredButKept,
    signal,
  });
}

/** Under which the project's index is remembered. */
export const PROJECT_KEY = 'project';
/** Under which that of a node is. */
export const nodeKey = (run: string, node: string): string => `${run}.${node}`;

/** State of Cuebook is never a part of anybody's work. */
export const HOME_NAME = '.cuebook';

/** The snapshot alone; an index that was made for it is dropped. */
async function snapshotOf(
  taken: Result<Taken, WorkspaceError>,
): Promise<Result<FolderSnapshot, WorkspaceError>> {
  if (!taken.ok) return taken;
  await taken.value.index.drop();
  return ok(taken.value.snapshot);
}
