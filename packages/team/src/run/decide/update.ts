import { decideUpdate } from '@cuebook/host';
import { withRights } from '../../capability/capabilities.js';
import { makeEdge, type TeamEdge } from '../../graph/edge.js';
import type { NodeSpec, TeamNode } from '../../graph/node.js';
import { beside } from '../../graph/workspace.js';
import type { EdgeInput } from '../command.js';
import type { AnyTeamEvent } from '../event.js';
import { type NodeState, nodeScope, nodesOf, RUN_SCOPE, type TeamState } from '../state.js';
import { accept, type CommandAnswer, type Own, person, refuse, type TeamDecideParts } from './refuse.js';

/**
 * Moves a run to another version of its team file and templates. Nodes keep their folder, their conversation and what
 * waits for them; nodes and edges that agents or people added stay. What bounds the run, and its modes, are a person's
 * to change by themselves.
 */
export function updateTeam(
  state: TeamState,
  { by: given, to, own }: Own<'run.update'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  const by = person(given);
  const { goal, done, verify } = own;
  const settings = { done, verify, goal: state.settings.goal?.by === 'user' ? state.settings.goal : goal };
  const written = nodesOf(state).filter(isWritten);
  const gone = written.find(({ node }) => !own.nodes.some(({ alias }) => alias === node.alias));
  const updated = decideUpdate(
    { sources: state.sources, gone: gone && `the node ${gone.node.alias ?? gone.node.id}` },
    { by, to, own: settings },
  );
  if (!updated.ok) return updated;
  const roles = own.roles.filter(({ name, text }) => state.roles[name]?.text !== text);
  const after = { ...state.roles, ...Object.fromEntries(own.roles.map((role) => [role.name, role])) };
  const named = new Map<string, TeamNode>(written.map(({ node }) => [node.alias ?? '', node]));
  const nodes: AnyTeamEvent[] = [];
  for (const spec of own.nodes) {
    const known = written.find(({ node }) => node.alias === spec.alias);
    const made = known ? changed(known, spec, after) : added(spec, context.newId('node'), after, named);
    named.set(spec.alias ?? '', made);
    if (known === undefined) {
      const limit = state.budget.scopes[RUN_SCOPE]?.limit ?? { turns: 1, tokens: 1, usd: null };
      nodes.push(
        { type: 'node.added', data: { node: made, by } },
        { type: 'budget.opened', data: { scope: nodeScope(made.id), parent: RUN_SCOPE, limit } },
      );
    } else if (!isSame(made, known.node)) {
      const isOther = !isSame(bare(made), bare(withRights(known.node, after[known.node.role])));
      if (isOther && known.work !== null)
        return refuse(
          'E_NODE_BUSY',
          `The node ${spec.alias} is at work, and its settings differ in the new team file: pause the run, and update it between turns.`,
        );
      nodes.push({ type: 'node.configured', data: { before: known.node, after: made, by } });
    }
  }
  if (
    nodesOf(state).length + nodes.filter(({ type }) => type === 'node.added').length >
    state.settings.limits.nodes
  )
    return refuse('E_TEAM', `The run would have more nodes than its limit, ${state.settings.limits.nodes}.`);
  const edges = edgeEvents(state, own.edges, { named, by, newId: context.newId });
  return accept(
    [
      ...updated.value.events,
      ...roles.map((role): AnyTeamEvent => ({ type: 'role.adopted', data: { role, by } })),
      ...nodes,
      ...edges,
    ],
    updated.value.answer,
  );
}

/** Whether the team file has a node: not one that an agent or a person added. */
const isWritten = ({ node }: NodeState): boolean => node.depth === 0 && node.at !== undefined;

/** A node as the file has it now. Where it works stays: its files are there. */
function changed({ node }: NodeState, spec: NodeSpec, roles: TeamState['roles']): TeamNode {
  const { id, depth, workspace } = node;
  return { ...withRights(spec, roles[spec.role]), id, depth, workspace };
}

/** One that is new in the file. */
function added(
  spec: NodeSpec,
  id: string,
  roles: TeamState['roles'],
  named: ReadonlyMap<string, TeamNode>,
): TeamNode {
  const host = typeof spec.workspace === 'object' ? named.get(spec.workspace.with) : undefined;
  const workspace =
    host === undefined ? (typeof spec.workspace === 'object' ? 'own' : spec.workspace) : beside(host);
  return { ...withRights(spec, roles[spec.role]), id, depth: 0, workspace };
}

/** Edges that the file has no more, and those that are new in it; one with another label is another one. */
function edgeEvents(
  { edges }: TeamState,
  given: readonly EdgeInput[],
  {
    named,
    by,
    newId,
  }: {
    readonly named: ReadonlyMap<string, TeamNode>;
    readonly by: string;
    readonly newId: (prefix: string) => string;
  },
): readonly AnyTeamEvent[] {
  const wanted = given.flatMap((edge) => {
    const [from, to] = [named.get(edge.from)?.id, named.get(edge.to)?.id];
    return from === undefined || to === undefined ? [] : [makeEdge({ ...edge, id: '', from, to })];
  });
  const kept = new Set(wanted.map(edgeKey));
  const known = new Set(edges.map(edgeKey));
  const removed = edges.filter((edge) => edge.at !== undefined && !kept.has(edgeKey(edge)));
  return [
    ...removed.map((edge): AnyTeamEvent => ({ type: 'edge.removed', data: { edge: edge.id, by } })),
    ...wanted
      .filter((edge) => !known.has(edgeKey(edge)))
      .map(
        (edge): AnyTeamEvent => ({ type: 'edge.added', data: { edge: { ...edge, id: newId('edge') }, by } }),
      ),
  ];
}

const edgeKey = ({ from, to, type, bidirectional, label }: TeamEdge): string =>
  JSON.stringify([from, to, type, bidirectional, label]);

const isSame = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b);

/** The same text for the same facts, in whichever order they were put together. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

/** The settings without the places that they are written at: a line that moves is no other setting. */
const bare = ({ at: _at, prompt, override, ...facts }: TeamNode): unknown => ({
  ...facts,
  prompt: prompt?.text,
  override: override?.text,
});
