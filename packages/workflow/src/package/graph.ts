import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { diagnosticAt, type YamlSource } from '@cuebook/yaml';
import { lineProblem } from './one-line.js';
import { relativePath } from './relative-path.js';
import type { Graph } from './schema.js';

/**
 * Everything that a graph can get wrong and its schema cannot see, all at once. Of a graph that fits in part, what can
 * be said of that: where a node has no id that fits, nobody knows where edges lead.
 */
export function checkGraph(graph: Graph, yaml: YamlSource): readonly Diagnostic[] {
  const { nodes, edges, entryNodeId } = graph;
  const isNamed = isWhole(nodes) && nodes.every(({ id, type }) => id !== undefined && type !== undefined);
  const isJoined = isWhole(edges) && edges.every(({ from, to }) => from !== undefined && to !== undefined);
  return [
    ...(isNamed ? checkNodes(graph, yaml) : []),
    ...(isNamed ? checkEdges(graph, yaml) : []),
    ...(isNamed && isJoined && entryNodeId !== undefined ? checkReach(graph, yaml) : []),
    ...checkFields(graph, yaml),
  ];
}

/** Without holes: `filter` passes over them. */
const isWhole = (items: readonly unknown[]): boolean => items.filter(() => true).length === items.length;

/** A graph of what fits in one that does not. */
export function sketchGraph(sketch: unknown): Graph {
  const graph = (sketch ?? {}) as Partial<Graph>;
  return { ...graph, nodes: graph.nodes ?? [], edges: graph.edges ?? [] } as Graph;
}

type Path = readonly PropertyKey[];

const wrong = (yaml: YamlSource, path: Path, message: string): Diagnostic =>
  diagnosticAt(yaml, path, { code: 'GRAPH_INTEGRITY_INVALID', severity: 'error', message });

function checkNodes({ nodes, entryNodeId }: Graph, yaml: YamlSource): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  nodes.forEach(({ id }, at) => {
    if (guard('package.duplicate', seen.has(id))) {
      found.push(wrong(yaml, ['nodes', at, 'id'], `Two nodes have the id "${id}"`));
    }
    seen.add(id);
  });
  if (guard('package.entry', entryNodeId !== undefined && !seen.has(entryNodeId))) {
    found.push(
      wrong(yaml, ['entryNodeId'], `The entry "${entryNodeId}" is no node${meant(entryNodeId, seen)}`),
    );
  }
  return found;
}

function checkEdges({ nodes, edges }: Graph, yaml: YamlSource): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const defaults = new Set<string>();
  edges.forEach(({ from, to, isDefault }, at) => {
    for (const [key, id] of [
      ['from', from],
      ['to', to],
    ] as const) {
      if (guard('package.edge', id !== undefined && !types.has(id))) {
        found.push(
          wrong(
            yaml,
            ['edges', at, key],
            `The edge's "${key}" is no node: "${id}"${meant(id, types.keys())}`,
          ),
        );
      }
    }
    if (types.get(from) === 'end') {
      found.push(wrong(yaml, ['edges', at, 'from'], `"${from}" is an end and has an edge that leads on`));
    }
    if (!isDefault) return;
    if (guard('package.default', defaults.has(from))) {
      found.push(wrong(yaml, ['edges', at, 'isDefault'], `"${from}" has two default edges`));
    }
    defaults.add(from);
  });
  return found;
}

function checkReach({ nodes, edges, entryNodeId }: Graph, yaml: YamlSource): readonly Diagnostic[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const reached = new Set([entryNodeId]);
  for (const id of reached) for (const to of next.get(id) ?? []) reached.add(to);
  const found: Diagnostic[] = [];
  const warn = (path: Path, message: string): void => {
    found.push(diagnosticAt(yaml, path, { code: 'W_WORKFLOW_NO_END', severity: 'warning', message }));
  };
  nodes.forEach(({ id, type }, at) => {
    if (guard('package.unreachable', !reached.has(id))) {
      found.push(wrong(yaml, ['nodes', at, 'id'], `No path leads from the entry to "${id}"`));
    } else if (type !== 'end' && !next.has(id)) {
      warn(['nodes', at, 'id'], `"${id}" is no end and leads nowhere`);
    }
  });
  if (!nodes.some(({ id, type }) => type === 'end' && reached.has(id))) {
    warn(['nodes'], 'No end can be reached, so the workflow never completes');
  }
  return found;
}

/** What is printed on one line of a block must fit on it, and paths must stay where they belong. */
function checkFields({ nodes, edges }: Graph, yaml: YamlSource): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const oneLine = (path: Path, text: string | undefined): void => {
    const problem = text === undefined ? undefined : lineProblem(text);
    if (problem === undefined) return;
    const message = `The field cannot stand on a line: ${problem}`;
    found.push(diagnosticAt(yaml, path, { code: 'E_PACKAGE_FIELD', severity: 'error', message }));
  };
  const inside = (path: Path, text: string, root: string): void => {
    oneLine(path, text);
    if (relativePath(text) !== undefined) return;
    const message = `The path leaves the ${root}`;
    found.push(diagnosticAt(yaml, path, { code: 'E_PACKAGE_PATH', severity: 'error', message }));
  };
  nodes.forEach(({ file, title, agentId, inputs = [], outputs = [] }, at) => {
    if (file !== undefined) inside(['nodes', at, 'file'], file, 'package');
    oneLine(['nodes', at, 'title'], title);
    oneLine(['nodes', at, 'agentId'], agentId);
    inputs.forEach((each, i) => {
      inside(['nodes', at, 'inputs', i], each, 'project');
    });
    outputs.forEach((each, i) => {
      inside(['nodes', at, 'outputs', i], each, 'project');
    });
  });
  edges.forEach(({ label, conditionText }, at) => {
    oneLine(['edges', at, 'label'], label);
    oneLine(['edges', at, 'conditionText'], conditionText);
  });
  return found;
}

function meant(id: string, ids: Iterable<string>): string {
  const near = nearest(id, ids);
  return near === undefined ? '' : `. Did you mean "${near}"?`;
}
