import { guard } from '@cuebook/guard';
import { ok, type Result } from '@cuebook/prompt';
import { withRights } from '../../capability/capabilities.js';
import { edgeProblem, makeEdge } from '../../graph/edge.js';
import type { TeamNode } from '../../graph/node.js';
import type { FactPlaces } from '../../graph/places.js';
import { aliasProblem } from '../../graph/reference.js';
import { beside } from '../../graph/workspace.js';
import type { NodeChange } from '../command.js';
import { nodeScope, nodesOf, RUN_SCOPE, type TeamState } from '../state.js';
import {
  accept,
  type CommandAnswer,
  type Own,
  person,
  type RefusedCommand,
  refuse,
  requireNode,
  type TeamDecideParts,
} from './refuse.js';

/** A person adds a node to a run. */
export function addNode(
  state: TeamState,
  command: Own<'node.add'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  const nodes = nodesOf(state).map(({ node }) => node);
  const { alias, role } = command.node;
  if (nodes.length >= state.settings.limits.nodes)
    return refuse('E_TEAM', `The run has ${nodes.length} nodes, which is its limit.`);
  const taken = alias === undefined ? undefined : aliasProblem(nodes, alias);
  if (guard('alias.taken', taken !== undefined)) return refuse('E_TEAM_ALIAS', taken as string);
  if (!Object.hasOwn(state.roles, role))
    return refuse('E_ROLE_UNKNOWN', `No role template is called ${JSON.stringify(role.slice(0, 80))}.`);
  const workspace = placeFor(state, command.node.workspace);
  if (!workspace.ok) return workspace;
  const id = context.newId('node');
  const node: TeamNode = {
    ...withRights(command.node, state.roles[role]),
    ...{ id, workspace: workspace.value, depth: 0 },
  };
  const limit = state.budget.scopes[RUN_SCOPE]?.limit ?? { turns: 1, tokens: 1, usd: null };
  return accept(
    [
      { type: 'node.added', data: { node, by: person(command.by) } },
      { type: 'budget.opened', data: { scope: nodeScope(node.id), parent: RUN_SCOPE, limit } },
    ],
    { node: node.id },
  );
}

/** Where a node works that is new in the run. */
function placeFor(
  state: TeamState,
  given: TeamNode['workspace'],
): Result<TeamNode['workspace'], RefusedCommand> {
  if (typeof given !== 'object') return ok(given);
  const host = requireNode(state, given.with);
  return host.ok ? ok(beside(host.value.node)) : host;
}

/** A person joins two nodes. */
export function addEdge(
  state: TeamState,
  command: Own<'edge.add'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  const [from, to] = [requireNode(state, command.edge.from), requireNode(state, command.edge.to)];
  if (!from.ok) return from;
  if (!to.ok) return to;
  const ends = { from: from.value.node.id, to: to.value.node.id };
  const edge = makeEdge({ ...command.edge, ...ends, id: context.newId('edge') });
  const problem = edgeProblem(state.edges, edge);
  if (problem !== undefined) return refuse('E_TEAM_EDGE', problem);
  return accept([{ type: 'edge.added', data: { edge, by: person(command.by) } }], { edge: edge.id });
}

/** Changes what a person may change, for the next turn. Both the old and the new settings are in the event. */
export function configureNode(state: TeamState, command: Own<'node.configure'>): CommandAnswer {
  const found = requireNode(state, command.node);
  if (!found.ok) return found;
  const before = found.value.node;
  if (found.value.work !== null)
    return refuse('E_NODE_BUSY', 'The node is at work: change it between turns.');
  const { provider = before.provider, model, override, capabilities = {} } = command.to;
  const { model: oldModel, override: oldOverride, ...others } = before;
  // Fallbacks are models of the provider that the node had.
  const { fallbacks: _fallbacks, ...bare } = others;
  const rest = provider === before.provider ? others : bare;
  const newModel = model === undefined ? oldModel : (model ?? undefined);
  const text = override === undefined ? oldOverride : override === null ? undefined : by(override);
  const given = Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value !== undefined));
  const after: TeamNode = {
    ...rest,
    provider,
    ...(newModel === undefined ? {} : { model: newModel }),
    ...(text === undefined ? {} : { override: text }),
    limit: { ...(before.limit ?? before.capabilities), ...given },
    ...(before.at === undefined ? {} : { at: withoutPlaces(before.at, command.to) }),
  };
  const role = Object.hasOwn(state.roles, before.role) ? state.roles[before.role] : undefined;
  const data = { before, after: withRights(after, role), by: person(command.by) };
  return accept([{ type: 'node.configured', data }]);
}

/** What a person has set is no longer as the file says it. */
function withoutPlaces({ ref, at }: FactPlaces, { provider, capabilities = {} }: NodeChange): FactPlaces {
  const changed = new Set([...Object.keys(capabilities), ...(provider === undefined ? [] : ['provider'])]);
  return { ref, at: Object.fromEntries(Object.entries(at).filter(([fact]) => !changed.has(fact))) };
}

const by = (text: string): NonNullable<TeamNode['override']> => ({ text, by: 'user', ref: 'override' });
