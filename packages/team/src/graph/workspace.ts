import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { NodeWorkspace, TeamNode } from './node.js';
import { nodeFinder } from './reference.js';

/** What must be known of a node to say where it works. */
export type WorkingNode = Pick<TeamNode, 'id' | 'workspace'>;

/** Why nobody can say where a node works: it names nobody, or those that it names name each other. */
export type WorkspaceProblem =
  | { readonly kind: 'unknown'; readonly reference: string }
  | { readonly kind: 'circle'; readonly nodes: readonly string[] };

/**
 * Where a node works that names another one: in the folder that the last of the chain has of its own, or in the
 * person's when that one works there.
 */
export function settleWorkspace(
  find: (reference: string) => WorkingNode | undefined,
  given: NodeWorkspace,
): Result<NodeWorkspace, WorkspaceProblem> {
  const chain: string[] = [];
  const seen = new Set<string>();
  let [workspace, isCircle] = [given, false];
  while (typeof workspace === 'object' && !isCircle) {
    const next = find(workspace.with);
    if (next === undefined) return fail({ kind: 'unknown', reference: workspace.with });
    isCircle = seen.has(next.id);
    seen.add(next.id);
    chain.push(next.id);
    workspace = next.workspace;
  }
  const host = chain.at(-1);
  if (guard('workspace.circle', isCircle))
    return fail({ kind: 'circle', nodes: chain.slice(chain.indexOf(host ?? ''), -1) });
  return ok(workspace === 'shared' || host === undefined ? workspace : { with: host });
}

/** The nodes of a graph, each with the folder that it works in; or the first problem. */
export function settleWorkspaces(nodes: readonly TeamNode[]): Result<readonly TeamNode[], WorkspaceProblem> {
  const find = nodeFinder(nodes);
  const settled: TeamNode[] = [];
  for (const node of nodes) {
    const workspace = settleWorkspace(find, node.workspace);
    if (!workspace.ok) return workspace;
    settled.push({ ...node, workspace: workspace.value });
  }
  return ok(settled);
}

/** What is wrong with a circle of nodes, the last of which is asked about. */
export function describeCircle(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length === 1
    ? `"${last}" works with itself: leave workspace out, and it has a folder of its own`
    : `Nobody here has a folder: ${[last, ...names].join(' → ')}. Let one of them have its own`;
}

/** Where a new node works that is to work with one of the graph. */
export const beside = (node: WorkingNode): NodeWorkspace =>
  node.workspace === 'shared' ? 'shared' : { with: hostOf(node) };

/** The node whose folder another works in: its own id, but for one that works with another. */
export const hostOf = ({ id, workspace }: WorkingNode): string =>
  typeof workspace === 'object' ? workspace.with : id;

/** The same node as its folder knows it: with the id of the node that has the folder. */
export const inFolder = <Node extends WorkingNode>(
  node: Node,
): Omit<Node, 'workspace'> & { readonly workspace: 'own' | 'shared' } =>
  typeof node.workspace === 'object'
    ? { ...node, id: node.workspace.with, workspace: 'own' }
    : { ...node, workspace: node.workspace };

/** Whether what one node changes the other has too: one folder of theirs, or the person's. */
export const isSameFolder = (a: WorkingNode, b: WorkingNode): boolean =>
  isOneFolder(a, b) || (a.workspace === 'shared' && b.workspace === 'shared');

/** Whether two nodes work in one folder that is not the person's: then they take turns, whoever may write. */
export const isOneFolder = (a: WorkingNode, b: WorkingNode): boolean =>
  a.workspace !== 'shared' && b.workspace !== 'shared' && hostOf(a) === hostOf(b);
