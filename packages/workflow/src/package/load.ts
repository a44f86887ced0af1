import type { TextSource } from '@cuebook/files';
import { diagnosticAt, type Loaded, nearest, readShape, type YamlSource } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { readAgents } from './agents.js';
import { checkGraph } from './graph.js';
import { readJson } from './json-source.js';
import { lineProblem } from './one-line.js';
import {
  type PackageAgent,
  type PackageTrust,
  packageLabels,
  type Workflow,
  type WorkflowNode,
  type WorkflowPackage,
} from './package.js';
import { relativePath } from './relative-path.js';
import { checkRequirements } from './requirements.js';
import { type Graph, type GraphEdge, graphSchema, type Manifest, manifestSchema } from './schema.js';
import { checkStep } from './steps.js';
import { unusedFields } from './unused.js';

/**
 * Reads the package in a folder of a source (`.` for the source itself) and checks it whole: every problem at
 * once, each with its file and line. Nothing in a package is executed. Its words are labelled with `trust`: that of a
 * package that the project itself keeps, when nothing else is said.
 */
export async function loadPackage(
  source: TextSource,
  folder = '.',
  trust: PackageTrust = 'author',
): Promise<Loaded<WorkflowPackage>> {
  const place: PackagePlace = {
    source,
    trust,
    folder,
    at: (path) => (folder === '.' ? path : `${folder}/${path}`),
  };
  const file = place.at('bmad.json');
  const text = await source.readText(file);
  if (!text.ok) return { ok: false, diagnostics: [noPackage(folder, text.error.code)] };
  const json = readJson(file, text.value, 'MANIFEST_INVALID');
  if (!json.ok) return json;
  const manifest = readShape(json.value, manifestSchema, 'MANIFEST_INVALID');
  if (!manifest.ok) return manifest;
  return loadParts(place, manifest.value, json.value);
}

interface PackagePlace {
  readonly source: TextSource;
  readonly trust: PackageTrust;
  readonly folder: string;
  readonly at: (path: string) => string;
}

const noPackage = (folder: string, why: string): Diagnostic => ({
  code: 'PACKAGE_NOT_FOUND',
  severity: 'error',
  message: `No workflow package in ${folder}: bmad.json cannot be read (${why})`,
});

async function loadParts(
  place: PackagePlace,
  manifest: Manifest,
  yaml: YamlSource,
): Promise<Loaded<WorkflowPackage>> {
  const diagnostics: Diagnostic[] = [
    ...(await checkRequirements(place.source, place.folder, manifest, yaml)),
  ];
  const agents = await loadAgents(place, manifest, yaml);
  diagnostics.push(...agents.diagnostics);
  const workflows = new Map<string, Workflow>();
  const records = recordsOf(manifest);
  for (const record of records) {
    const loaded = await loadWorkflow(place, record, yaml);
    diagnostics.push(...loaded.diagnostics);
    if (!loaded.ok) continue;
    if (workflows.has(record.id)) {
      diagnostics.push(
        wrongManifest(yaml, [...record.path, 'id'], `Two workflows have the id "${record.id}"`),
      );
    }
    workflows.set(record.id, loaded.value);
    if (agents.ok) diagnostics.push(...unknownAgents(loaded.value, agents.value));
  }
  const named = lineProblem(manifest.name);
  if (named !== undefined) diagnostics.push(wrongField(yaml, ['name'], named));
  if (hasErrors(diagnostics) || !agents.ok) return { ok: false, diagnostics };
  const known = new Set(records.flatMap(({ id, workflow }) => [id, workflow]));
  for (const { agent, yaml: own } of agents.value.values())
    diagnostics.push(...unusedFields(agent, own, known));
  const entry = records.find(({ graph }) => graph === manifest.entry.graph) ?? records[0];
  const { name, version } = manifest;
  const { trust } = place;
  const value = { name, version, trust, agents: agents.value, workflows, entry: entry?.id ?? name };
  return { ok: true, value, diagnostics };
}

/** A workflow that the manifest names, and where it does. */
interface WorkflowRecord {
  readonly id: string;
  readonly workflow: string;
  readonly graph: string;
  readonly path: readonly PropertyKey[];
}

/** The listed workflows; a package without a list has one, called as the package is. */
function recordsOf({ name, entry, workflows = [] }: Manifest): readonly WorkflowRecord[] {
  if (workflows.length === 0) {
    return [{ id: name, workflow: entry.workflow, graph: entry.graph, path: ['entry'] }];
  }
  return workflows.map(({ id, workflow, graph }, at) => ({ id, workflow, graph, path: ['workflows', at] }));
}

async function loadAgents(
  { source, at, trust }: PackagePlace,
  { entry }: Manifest,
  yaml: YamlSource,
): Promise<Loaded<ReadonlyMap<string, PackageAgent>>> {
  const path = relativePath(entry.agents);
  if (path === undefined) return refuse(wrongPath(yaml, ['entry', 'agents']));
  const text = await source.readText(at(path));
  if (!text.ok) {
    const message = `The agents cannot be read: ${path} (${text.error.code})`;
    const problem = { code: 'AGENTS_INVALID', severity: 'error', message } as const;
    return refuse(diagnosticAt(yaml, ['entry', 'agents'], problem));
  }
  const json = readJson(at(path), text.value, 'AGENTS_INVALID');
  return json.ok ? readAgents(json.value, packageLabels(trust)) : json;
}

async function loadWorkflow(
  place: PackagePlace,
  record: WorkflowRecord,
  yaml: YamlSource,
): Promise<Loaded<Workflow>> {
  const { source, at } = place;
  const file = relativePath(record.workflow);
  const graphFile = relativePath(record.graph);
  const diagnostics: Diagnostic[] = [];
  if (file === undefined) diagnostics.push(wrongPath(yaml, [...record.path, 'workflow']));
  else if (!(await source.readText(at(file))).ok) {
    const message = `The workflow file cannot be read: ${file}`;
    const problem = { code: 'WORKFLOW_FILE_NOT_FOUND', severity: 'error', message } as const;
    diagnostics.push(diagnosticAt(yaml, [...record.path, 'workflow'], problem));
  }
  if (graphFile === undefined) {
    return { ok: false, diagnostics: [...diagnostics, wrongPath(yaml, [...record.path, 'graph'])] };
  }
  const text = await source.readText(at(graphFile));
  if (!text.ok) {
    const message = `The graph cannot be read: ${graphFile} (${text.error.code})`;
    const problem = { code: 'GRAPH_NOT_FOUND', severity: 'error', message } as const;
    return {
      ok: false,
      diagnostics: [...diagnostics, diagnosticAt(yaml, [...record.path, 'graph'], problem)],
    };
  }
  const json = readJson(at(graphFile), text.value, 'GRAPH_JSON_INVALID');
  if (!json.ok) return { ok: false, diagnostics: [...diagnostics, ...json.diagnostics] };
  const graph = readShape(json.value, graphSchema, 'GRAPH_SCHEMA_INVALID');
  if (!graph.ok) return { ok: false, diagnostics: [...diagnostics, ...graph.diagnostics] };
  diagnostics.push(...checkGraph(graph.value, json.value));
  const nodes = await loadNodes(place, graph.value, json.value, diagnostics);
  const value: Workflow = {
    id: record.id,
    file: file ?? record.workflow,
    graphFile,
    graph: graph.value,
    labels: packageLabels(place.trust),
    yaml: json.value,
    nodes,
  };
  return { ok: true, value, diagnostics };
}

async function loadNodes(
  { source, at }: PackagePlace,
  graph: Graph,
  yaml: YamlSource,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, WorkflowNode>> {
  const nodes = new Map<string, WorkflowNode>();
  const next = edgesByNode(graph.edges);
  for (const [index, node] of graph.nodes.entries()) {
    const file = relativePath(node.file);
    const leaving = next.get(node.id) ?? [];
    const step =
      file === undefined
        ? { found: false, diagnostics: [] }
        : await checkStep({
            source,
            path: at(file),
            node,
            edges: leaving.map(({ edge }) => edge),
            graph: yaml,
            index,
          });
    diagnostics.push(...step.diagnostics);
    nodes.set(node.id, { node, index, file, hasStep: step.found, next: leaving });
  }
  return nodes;
}

function edgesByNode(edges: readonly GraphEdge[]): ReadonlyMap<string, WorkflowNode['next']> {
  const next = new Map<string, WorkflowNode['next'][number][]>();
  edges.forEach((edge, index) => {
    const leaving = next.get(edge.from) ?? [];
    leaving.push({ edge, index });
    next.set(edge.from, leaving);
  });
  return next;
}

function unknownAgents(
  { nodes, yaml }: Workflow,
  agents: ReadonlyMap<string, PackageAgent>,
): readonly Diagnostic[] {
  return [...nodes.values()].flatMap(({ node: { id, agentId }, index }) => {
    if (agentId === undefined || agents.has(agentId)) return [];
    const near = nearest(agentId, agents.keys());
    const hint = near === undefined ? '' : `. Did you mean "${near}"?`;
    const message = `The node "${id}" names the agent "${agentId}", which agents.json does not have${hint}`;
    const problem = { code: 'ENGINE_PRECONDITION_FAILED', severity: 'error', message } as const;
    return [diagnosticAt(yaml, ['nodes', index, 'agentId'], problem)];
  });
}

const refuse = (diagnostic: Diagnostic): Loaded<never> => ({ ok: false, diagnostics: [diagnostic] });

const wrongManifest = (yaml: YamlSource, path: readonly PropertyKey[], message: string): Diagnostic =>
  diagnosticAt(yaml, path, { code: 'MANIFEST_INVALID', severity: 'error', message });

const wrongField = (yaml: YamlSource, path: readonly PropertyKey[], problem: string): Diagnostic => {
  const message = `The field cannot stand on a line: ${problem}`;
  return diagnosticAt(yaml, path, { code: 'E_PACKAGE_FIELD', severity: 'error', message });
};

const wrongPath = (yaml: YamlSource, path: readonly PropertyKey[]): Diagnostic => {
  const message = 'The path leaves the package';
  return diagnosticAt(yaml, path, { code: 'E_PACKAGE_PATH', severity: 'error', message });
};
