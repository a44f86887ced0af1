import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import { isOrchestratorRole, isWithinScope, resolveRights } from '../capability/capabilities.js';
import { edgeProblem, makeEdge, type TeamEdge } from '../graph/edge.js';
import { foldAlias, nodeFinder } from '../graph/reference.js';
import { describeCircle, settleWorkspace } from '../graph/workspace.js';
import { declaredRights, edgeScopeOf } from '../role/template.js';
import { DEFAULT_LIMITS } from '../run/limits.js';
import type { TeamSource } from './load.js';
import { checkServers } from './servers.js';

/**
 * What can be said of a team before it runs. Of one that fits in part, what can be said of that: where a node has no
 * alias, nobody knows whom the others name.
 */
export function checkTeam(source: TeamSource): readonly Diagnostic[] {
  const { nodes, edges } = source.team;
  const isNamed = nodes.length > 0 && isWhole(nodes);
  return [
    ...checkAliases(source),
    ...(isNamed ? checkWorkspaces(source) : []),
    ...(isNamed ? checkEdges(source) : []),
    ...checkRights(source),
    ...checkServers(source),
    ...(isNamed && isWhole(edges) ? checkShape(source) : []),
  ];
}

/** Without holes: `filter` passes over them. */
const isWhole = (items: readonly unknown[]): boolean => items.filter(() => true).length === items.length;

type Report = (path: readonly PropertyKey[], problem: Pick<Diagnostic, 'code' | 'message'>) => Diagnostic;

const reporter =
  ({ yaml }: TeamSource): Report =>
  (path, { code, message }) =>
    diagnosticAt(yaml, path, { code, severity: code.startsWith('W_') ? 'warning' : 'error', message });

function checkAliases(source: TeamSource): readonly Diagnostic[] {
  const report = reporter(source);
  const seen = new Set<string>();
  return source.team.nodes.flatMap(({ alias }, index) => {
    const folded = foldAlias(alias);
    const isTaken = guard('file.alias', seen.has(folded));
    seen.add(folded);
    if (!isTaken) return [];
    const message = `The alias "${alias}" is already in use`;
    return [report(['nodes', index, 'alias'], { code: 'E_TEAM_ALIAS', message })];
  });
}

function checkEdges(source: TeamSource): readonly Diagnostic[] {
  const report = reporter(source);
  const aliases = source.team.nodes.map(({ alias }) => alias);
  const known = new Set(aliases.map(foldAlias));
  const edges: TeamEdge[] = [];
  const found: Diagnostic[] = [];
  source.team.edges.forEach((given, index) => {
    for (const end of ['from', 'to'] as const) {
      if (known.has(foldAlias(given[end]))) continue;
      const message = noAlias(given[end], aliases);
      found.push(report(['edges', index, end], { code: 'E_TEAM_NODE', message }));
    }
    const ends = { from: foldAlias(given.from), to: foldAlias(given.to) };
    const edge = makeEdge({ ...given, ...ends, id: `number ${index + 1}` });
    const problem = edgeProblem(edges, edge);
    if (problem === undefined) edges.push(edge);
    else found.push(report(['edges', index], { code: 'E_TEAM_EDGE', message: problem }));
  });
  return found;
}

/** Whom a node works with: somebody, and not each other. */
function checkWorkspaces(source: TeamSource): readonly Diagnostic[] {
  const report = reporter(source);
  const aliases = source.team.nodes.map(({ alias }) => alias);
  const nodes = source.team.nodes.map(({ alias, workspace = 'own' }) => ({ id: alias, alias, workspace }));
  const find = nodeFinder(nodes);
  return nodes.flatMap(({ alias, workspace }, index) => {
    const settled = settleWorkspace(find, workspace);
    if (typeof workspace !== 'object' || !guard('file.workspace', !settled.ok) || settled.ok) return [];
    const { error } = settled;
    const place = ['nodes', index, 'workspace', 'with'];
    // Of a chain that ends nowhere, only the node that is wrong says so.
    if (error.kind === 'unknown')
      return error.reference === workspace.with
        ? [report(place, { code: 'E_TEAM_NODE', message: noAlias(error.reference, aliases) })]
        : [];
    if (!error.nodes.includes(alias)) return [];
    return [report(place, { code: 'E_TEAM_WORKSPACE', message: describeCircle(error.nodes) })];
  });
}

function noAlias(alias: string, aliases: readonly string[]): string {
  const meant = nearest(alias, aliases);
  return `No node has the alias "${alias}"${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
}

/** A right that the role does not have is not given by the setting alone. */
function checkRights(source: TeamSource): readonly Diagnostic[] {
  const report = reporter(source);
  return source.team.nodes.flatMap((node, index) => {
    const role = source.roles.get(node.role);
    if (!role) return [];
    const declared = declaredRights(role);
    const { edgeManagement } = resolveRights(node, role).capabilities;
    const warn = (path: readonly PropertyKey[], setting: string, what: string): Diagnostic => {
      const message = `"${node.alias}" has ${setting}, and its role "${node.role}" ${what}`;
      return report(['nodes', index, ...path], { code: 'W_TEAM', message });
    };
    return [
      ...(edgeManagement !== 'all' || isWithinScope('all', edgeScopeOf(role))
        ? []
        : [warn([], 'edgeManagement=all', 'does not declare edge_management_all: it cannot spawn nodes')]),
      ...RIGHT_WORDS.flatMap(([right, word, act]) =>
        node.capabilities?.[right] !== true || declared[right]
          ? []
          : [
              warn(
                ['capabilities', right],
                `${right}=true`,
                `does not declare ${word}, or forbids it: it cannot ${act}`,
              ),
            ],
      ),
    ];
  });
}

const RIGHT_WORDS = [
  ['writeCode', 'write_code', 'change code'],
  ['writeDocs', 'write_docs', 'change documents'],
  ['runCommands', 'run_commands', 'run commands'],
] as const;

function checkShape(source: TeamSource): readonly Diagnostic[] {
  const report = reporter(source);
  const { nodes, edges, mode, limits } = source.team;
  const found: Diagnostic[] = [];
  if (mode === 'AUTO' && !nodes.some(({ role }) => isOrchestratorRole(role)))
    found.push(
      report(['nodes'], {
        code: 'W_TEAM',
        message: 'The mode is AUTO and no node has the role orchestrator, so nobody can finish the run',
      }),
    );
  const joined = new Set(edges.flatMap(({ from, to }) => [foldAlias(from), foldAlias(to)]));
  nodes.forEach(({ alias, role }, index) => {
    if (nodes.length === 1 || joined.has(foldAlias(alias)) || isOrchestratorRole(role)) return;
    const message = `No edge leads to "${alias}", so only a person can give it work`;
    found.push(report(['nodes', index], { code: 'W_TEAM', message }));
  });
  const most = limits.nodes ?? DEFAULT_LIMITS.nodes;
  if (nodes.length > most)
    found.push(
      report(['nodes'], {
        code: 'E_TEAM',
        message: `There are ${nodes.length} nodes and the limit is ${most}`,
      }),
    );
  return found;
}
