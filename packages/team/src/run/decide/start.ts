import { DEFAULT_STALL_RULES, resolveLimit } from '@cuebook/engine';
import { withRights } from '../../capability/capabilities.js';
import { edgeProblem, makeEdge, type TeamEdge } from '../../graph/edge.js';
import type { TeamNode } from '../../graph/node.js';
import { aliasProblem, findNode } from '../../graph/reference.js';
import { describeCircle, settleWorkspaces, type WorkspaceProblem } from '../../graph/workspace.js';
import type { AnyTeamEvent } from '../event.js';
import { DEFAULT_LIMITS, type RunLimits, withLimits } from '../limits.js';
import { NEW_TEAM, nodeScope, RUN_SCOPE, type TeamState } from '../state.js';
import { accept, type CommandAnswer, type Own, person, refuse, type TeamDecideParts } from './refuse.js';

/** The whole graph, or nothing: what is wrong with it is said before anything begins. */
export function startRun(
  state: TeamState,
  command: Own<'run.start'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  if (state.status !== 'new') return refuse('E_RUN_STARTED', 'The run has begun.');
  const { goal, done, mode, globalMode, verify, providers, priced, roles, sources } = command;
  const by = person(command.by);
  const limit = resolveLimit(command.budget, { priced });
  if (!limit.ok) return limit;
  const limits = withLimits(DEFAULT_LIMITS, command.limits);
  const graph = buildGraph(command, limits, context.newId);
  if (typeof graph === 'string') return refuse('E_TEAM', graph);
  const scopes: AnyTeamEvent[] = [];
  for (const [index, { budget = {} }] of command.nodes.entries()) {
    const own = resolveLimit(
      { ...limit.value, usd: limit.value.usd ?? undefined, ...definedOf(budget) },
      { priced },
    );
    if (!own.ok) return own;
    const scope = nodeScope(graph.nodes[index]?.id ?? '');
    scopes.push({ type: 'budget.opened', data: { scope, parent: RUN_SCOPE, limit: own.value } });
  }
  const leads = graph.nodes.filter(({ orchestrator }) => orchestrator);
  const first = leads.length > 0 ? leads : graph.nodes.slice(0, 1);
  const settings = {
    ...{ run: command.run, goal, done, mode, globalMode, verify, providers, limits },
    stall: { ...DEFAULT_STALL_RULES, ...command.stall },
    maxResultBytes: NEW_TEAM.settings.maxResultBytes,
  };
  return accept(
    [
      { type: 'run.started', data: { ...settings, by, ...(sources === undefined ? {} : { sources }) } },
      { type: 'budget.opened', data: { scope: RUN_SCOPE, parent: null, limit: limit.value } },
      ...roles.map((role): AnyTeamEvent => ({ type: 'role.adopted', data: { role, by } })),
      ...graph.nodes.map((node): AnyTeamEvent => ({ type: 'node.added', data: { node, by } })),
      ...scopes,
      ...graph.edges.map((edge): AnyTeamEvent => ({ type: 'edge.added', data: { edge, by } })),
      ...(goal === null ? [] : first).map(
        ({ id }): AnyTeamEvent => ({ type: 'node.woken', data: { node: id, cause: 'start' } }),
      ),
    ],
    { nodes: Object.fromEntries(graph.nodes.map(({ id, alias, label }) => [alias ?? label, id])) },
  );
}

interface Graph {
  readonly nodes: readonly TeamNode[];
  readonly edges: readonly TeamEdge[];
}

function buildGraph(
  { nodes: specs, edges: given, roles }: Own<'run.start'>,
  limits: RunLimits,
  newId: (prefix: string) => string,
): Graph | string {
  const named: TeamNode[] = [];
  if (specs.length === 0) return 'A team has at least one node.';
  if (specs.length > limits.nodes) return `There are ${specs.length} nodes and the limit is ${limits.nodes}.`;
  for (const { budget: _budget, ...spec } of specs) {
    const problem = spec.alias === undefined ? undefined : aliasProblem(named, spec.alias);
    if (problem !== undefined) return problem;
    const role = roles.find(({ name }) => name === spec.role);
    if (role === undefined) return `No role template is called "${spec.role}".`;
    named.push({ ...withRights(spec, role), id: newId('node'), depth: 0 });
  }
  const settled = settleWorkspaces(named);
  if (!settled.ok) return workspaceText(settled.error, named);
  const nodes = settled.value;
  const edges: TeamEdge[] = [];
  for (const edge of given) {
    const [from, to] = [findNode(nodes, edge.from), findNode(nodes, edge.to)];
    if (from === undefined || to === undefined)
      return `An edge names an unknown node: ${edge.from} to ${edge.to}.`;
    const made = makeEdge({ ...edge, id: newId('edge'), from: from.id, to: to.id });
    const problem = edgeProblem(edges, made);
    if (problem !== undefined) return problem;
    edges.push(made);
  }
  return { nodes, edges };
}

function workspaceText(problem: WorkspaceProblem, nodes: readonly TeamNode[]): string {
  if (problem.kind === 'unknown') return `A node works with an unknown one: ${problem.reference}.`;
  const name = (id: string): string => findNode(nodes, id)?.alias ?? id;
  return `${describeCircle(problem.nodes.map(name))}.`;
}

const definedOf = <Value extends object>(value: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<Value>;
