import type { Permit } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { lexicalPath, type PathFacts } from '@cuebook/workspace';
import { isWorkTool } from '../call/tools.js';
import { isRootLead, type TeamNode } from '../graph/node.js';
import { findNode } from '../graph/reference.js';
import type { EdgeScope } from '../role/template.js';
import { isGated } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';
import { authorizeServed, isServedName, type ServedContext } from './served.js';

/** How far a graph may grow. */
export type GraphLimits = {
  /** Nodes of the run in all. */
  readonly nodes: number;
  /** Spawned by a spawned node by a spawned node: so many times. */
  readonly depth: number;
};

/** What a decision looks at beside the node and the call. */
export interface AuthorizeContext extends ServedContext {
  /** The provider has file and command tools of its own: those are used. */
  readonly nativeTools: boolean;
  /** What the node's role template declares. */
  readonly scope: EdgeScope;
  /** Whether it declares that the node reviews the work of others. Left out: it does not. */
  readonly reviews?: boolean;
  readonly nodes: readonly Pick<TeamNode, 'id' | 'alias'>[];
  readonly limits: GraphLimits;
  /** What the disk says of the path, where somebody has looked. Left out: what the path says of itself. */
  readonly path?: PathFacts;
}

/** A call whose arguments have passed their schema. */
export interface AuthorizedCall {
  readonly name: string;
  readonly input: JsonValue;
}

/**
 * Whether a node may make a call: allowed, asked of a person, or denied with a reason that the agent reads. The
 * first gate that says no wins: the provider's own tools, the mode of the run, the rights of the node, approval.
 */
export function authorize(node: TeamNode, call: AuthorizedCall, context: AuthorizeContext): Permit {
  if (isWorkTool(call.name)) return authorizeWork(node, call, context);
  if (isServedName(call.name)) return authorizeServed(node, call.name, context);
  switch (call.name) {
    case 'spawn_node':
      return authorizeSpawn(node, context);
    case 'create_edge':
      return authorizeEdge(node, call.input, context);
    case 'finish_run':
      return guard('finish.orchestrator', !isRootLead(node)) ? deny(NOT_YOURS) : ALLOW;
    case 'read_workspace':
      return authorizeReview(node, call.input, context);
    default:
      return ALLOW;
  }
}

/** Whether a node may change a file, by its place: what every way of writing has in common. */
export function authorizeWrite(
  { capabilities }: Pick<TeamNode, 'capabilities'>,
  path: PathFacts,
  globalMode: GlobalMode,
): Permit {
  const { delegateOnly, writeCode, writeDocs } = capabilities;
  if (guard('write.delegate', delegateOnly)) return deny('this node only delegates (delegateOnly=true)');
  if (guard('write.escape', path.kind === 'outside'))
    return deny('the path leads out of the workspace, or into .git');
  if (guard('write.planning', globalMode === 'PLANNING' && path.kind !== 'docs')) return deny(PLANNING_WRITE);
  if (guard('write.docs', path.kind === 'docs' && !writeDocs))
    return deny('this node may not write documents (writeDocs=false)');
  if (guard('write.code', path.kind !== 'docs' && !writeCode))
    return deny('this node may not write code (writeCode=false)');
  return ALLOW;
}

/** Whether a node may run commands at all. */
export function authorizeCommand(
  { capabilities }: Pick<TeamNode, 'capabilities'>,
  globalMode: GlobalMode,
): Permit {
  const { delegateOnly, runCommands } = capabilities;
  if (guard('command.right', delegateOnly || !runCommands))
    return deny(`this node runs no commands (${delegateOnly ? 'delegateOnly=true' : 'runCommands=false'})`);
  if (guard('command.planning', globalMode === 'PLANNING'))
    return deny('nobody can say what a command changes, so PLANNING runs none; ask for IMPLEMENTATION');
  return ALLOW;
}

function authorizeWork(node: TeamNode, { name, input }: AuthorizedCall, context: AuthorizeContext): Permit {
  if (guard('call.native', context.nativeTools))
    return deny(`use your own native tools for files and commands; ${name} is for agents that have none`);
  const permit = workPermit(node, name, input, context);
  return permit.kind === 'allow' && isGated(node.permissions) ? { kind: 'ask', reason: GATED } : permit;
}

function workPermit(node: TeamNode, name: string, input: JsonValue, context: AuthorizeContext): Permit {
  const path = context.path ?? lexicalPath(fieldOf(input, name === 'command' ? 'cwd' : 'path') ?? '.');
  if (name === 'write_file' || name === 'delete_file') return authorizeWrite(node, path, context.globalMode);
  if (guard('write.escape', path.kind === 'outside')) return deny('the path leads out of the workspace');
  return name === 'command' ? authorizeCommand(node, context.globalMode) : ALLOW;
}

/** All three: the template declares it, the node's setting allows it, and whoever does not lead asks a person. */
function authorizeSpawn(node: TeamNode, { scope, nodes, limits }: AuthorizeContext): Permit {
  const { edgeManagement } = node.capabilities;
  if (guard('spawn.setting', edgeManagement !== 'all'))
    return deny(`spawn_node needs edgeManagement=all; this node has edgeManagement=${edgeManagement}`);
  if (guard('spawn.template', scope !== 'all'))
    return deny(`the role template "${node.role}" does not declare edge_management_all`);
  if (guard('spawn.count', nodes.length >= limits.nodes))
    return deny(`the run has ${nodes.length} nodes, which is its limit; use the nodes that are there`);
  if (guard('spawn.depth', node.depth + 1 > limits.depth))
    return deny(`nodes may be spawned ${limits.depth} deep, and this node stands there`);
  return asksForManagement(node) ? { kind: 'ask', reason: 'it adds a node to the graph' } : ALLOW;
}

function authorizeEdge(node: TeamNode, input: JsonValue, { nodes }: AuthorizeContext): Permit {
  const { edgeManagement } = node.capabilities;
  if (guard('edge.none', edgeManagement === 'none'))
    return deny('create_edge needs edgeManagement=self or all; this node has edgeManagement=none');
  const ends = [fieldOf(input, 'from'), fieldOf(input, 'to')];
  const isEnd = ends.some((end) => end !== undefined && findNode(nodes, end)?.id === node.id);
  if (guard('edge.self', edgeManagement === 'self' && !isEnd))
    return deny('with edgeManagement=self this node itself must be one end of the edge');
  return asksForManagement(node) ? { kind: 'ask', reason: 'it changes the graph' } : ALLOW;
}

/** Who leads or reviews reads what others have made, also in their folders; never outside of them. */
function authorizeReview(node: TeamNode, input: JsonValue, { reviews, nodes }: AuthorizeContext): Permit {
  if (guard('review.right', !node.orchestrator && reviews !== true))
    return deny(`the role template "${node.role}" does not declare review_diffs`);
  const named = fieldOf(input, 'node') ?? '';
  if (findNode(nodes, named) === undefined)
    return deny(`there is no node ${JSON.stringify(named.slice(0, 80))}; use an id or alias of KNOWN_NODES`);
  const path = lexicalPath(fieldOf(input, 'path') ?? '.');
  return guard('write.escape', path.kind === 'outside') ? deny('the path leads out of the workspace') : ALLOW;
}

const asksForManagement = ({ orchestrator, permissions }: TeamNode): boolean =>
  guard(
    'spawn.approval',
    !orchestrator || permissions.agentManagementRequiresApproval || isGated(permissions),
  );

const ALLOW: Permit = { kind: 'allow' };
const deny = (reason: string): Permit => ({ kind: 'deny', reason });
const NOT_YOURS =
  'only the orchestrator that no other node spawned finishes a run; report to whoever gave you the task with send_handoff instead';
const GATED = 'this node asks before every act';
const PLANNING_WRITE = 'write restricted to docs/ in PLANNING; ask for IMPLEMENTATION if code must change';

function fieldOf(input: JsonValue, key: string): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const value = (input as Readonly<Record<string, JsonValue>>)[key];
  return typeof value === 'string' ? value : undefined;
}
