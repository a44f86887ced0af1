import type { TextSource } from '@cuebook/files';
import type { Loaded } from '@cuebook/profile';
import { type Diagnostic, hasErrors, nearest } from '@cuebook/prompt';
import { diagnosticAt, readShape, type YamlSource } from '@cuebook/yaml';
import { readAgents } from './agents.js';
import { checkGraph, sketchGraph } from './graph.js';
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
import { checkStep, type StepFile } from './steps.js';
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
  const yaml = json.ok ? json.value : json.rest;
  if (yaml === undefined) return { ok: false, diagnostics: json.diagnostics };
  const manifest = readShape(yaml, manifestSchema, 'MANIFEST_INVALID');
  const found = [...json.diagnostics, ...manifest.diagnostics];
  if (manifest.ok && json.ok) return loadParts(place, manifest.value, yaml);
  // What fits is looked at all the same.
  const parts = await loadParts(place, manifest.ok ? manifest.value : sketchManifest(manifest.sketch), yaml);
  return { ok: false, diagnostics: [...found, ...parts.diagnostics] };
}

/** A manifest of what fits in one that does not. */
function sketchManifest(sketch: unknown): Manifest {
  const manifest = (sketch ?? {}) as Partial<Manifest>;
  return { ...manifest, entry: manifest.entry ?? {} } as Manifest;
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
    if (record.id !== undefined && workflows.has(record.id)) {
      diagnostics.push(
        wrongManifest(yaml, [...record.path, 'id'], `Two workflows have the id "${record.id}"`),
      );
    }
    workflows.set(record.id, loaded.value);
    const known = agents.ok ? agents.value : agents.partial;
    if (known !== undefined) diagnostics.push(...unknownAgents(loaded.value, known));
  }
  const named = manifest.name === undefined ? undefined : lineProblem(manifest.name);
  if (named !== undefined) diagnostics.push(wrongField(yaml, ['name'], named));
  if (hasErrors(diagnostics) || !agents.ok) return { ok: false, diagnostics };
  const known = new Set(records.flatMap(({ id, workflow }) => [id, workflow]));
  [...agents.value.values()].forEach(({ agent, yaml: own }, at) => {
    const found = unusedFields(agent, own, known);
    diagnostics.push(...found.map((each) => ({ ...each, path: `agents[${at}].${each.path}` })));
  });
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
  return workflows.flatMap(({ id, workflow, graph }, at) => [
    { id, workflow, graph, path: ['workflows', at] },
  ]);
}

async function loadAgents(
  { source, at, trust }: PackagePlace,
  { entry }: Manifest,
  yaml: YamlSource,
): Promise<Loaded<ReadonlyMap<string, PackageAgent>>> {
  if (entry.agents === undefined) return { ok: false, diagnostics: [] };
  const path = relativePath(entry.agents);
  if (path === undefined) return refuse(wrongPath(yaml, ['entry', 'agents']));
  const text = await source.readText(at(path));
  if (!text.ok) {
    const message = `The agents cannot be read: ${path} (${text.error.code})`;
    const problem = { code: 'AGENTS_INVALID', severity: 'error', message } as const;
    return refuse(diagnosticAt(yaml, ['entry', 'agents'], problem));
  }
  const json = readJson(at(path), text.value, 'AGENTS_INVALID');
  if (json.ok) return readAgents(json.value, packageLabels(trust));
  const rest = json.rest === undefined ? undefined : readAgents(json.rest, packageLabels(trust));
  return { ok: false, diagnostics: [...json.diagnostics, ...(rest?.diagnostics ?? [])] };
}

async function loadWorkflow(
  place: PackagePlace,
  record: WorkflowRecord,
  yaml: YamlSource,
): Promise<Loaded<Workflow>> {
  const { source, at } = place;
  const diagnostics: Diagnostic[] = [];
  const file = record.workflow === undefined ? undefined : relativePath(record.workflow);
  const graphFile = record.graph === undefined ? undefined : relativePath(record.graph);
  if (record.workflow === undefined) {
    // It has been told that the manifest does not name it.
  } else if (file === undefined) diagnostics.push(wrongPath(yaml, [...record.path, 'workflow']));
  else if (!(await source.readText(at(file))).ok) {
    const message = `The workflow file cannot be read: ${file}`;
    const problem = { code: 'WORKFLOW_FILE_NOT_FOUND', severity: 'error', message } as const;
    diagnostics.push(diagnosticAt(yaml, [...record.path, 'workflow'], problem));
  }
  if (record.graph === undefined) return { ok: false, diagnostics };
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
  diagnostics.push(...json.diagnostics);
  const read = json.ok ? json.value : json.rest;
  if (read === undefined) return { ok: false, diagnostics };
  const shape = readShape(read, graphSchema, 'GRAPH_SCHEMA_INVALID');
  diagnostics.push(...shape.diagnostics);
  const graph = shape.ok ? shape.value : sketchGraph(shape.sketch);
  diagnostics.push(...checkGraph(graph, read));
  const nodes = await loadNodes(place, graph, read, diagnostics);
  const value: Workflow = {
    id: record.id,
    file: file ?? record.workflow,
    graphFile,
    graph,
    manifest: {
      yaml,
      id: record.path[0] === 'entry' ? ['name'] : [...record.path, 'id'],
      graph: [...record.path, 'graph'],
    },
    labels: packageLabels(place.trust),
    yaml: read,
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
    // Of a graph that fits in part, those that say what they are.
    if (node?.id === undefined || node.file === undefined) continue;
    const file = relativePath(node.file);
    const leaving = next.get(node.id) ?? [];
    const step =
      file === undefined
        ? NO_STEP
        : await checkStep({
            source,
            path: at(file),
            node,
            edges: leaving.map(({ edge }) => edge),
            graph: yaml,
            index,
          });
    diagnostics.push(...step.diagnostics);
    const { found: hasStep, text: stepText } = step;
    const said = stepText === undefined ? {} : { stepText };
    nodes.set(node.id, { node, index, file, hasStep, ...said, next: leaving });
  }
  return nodes;
}

const NO_STEP: StepFile = { found: false, diagnostics: [] };

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
