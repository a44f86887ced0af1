import { readFileSync } from 'node:fs';
import { memorySource } from '@cuebook/files';
import type { Loaded } from '@cuebook/profile';
import { loadPackage, readState, type Workflow, type WorkflowPackage } from '../src/index.js';
import type { WorkflowState } from '../src/state/schema.js';

/** The graph of the specification's cases. */
export const GRAPH = JSON.parse(
  readFileSync(new URL('./workflow-graph.json', import.meta.url), 'utf8'),
) as FixtureGraph;

export interface FixtureGraph {
  schemaVersion: string;
  entryNodeId: string;
  nodes: Record<string, unknown>[];
  edges: Record<string, unknown>[];
}

export const agent = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  metadata: { name: `Name of ${id}`, title: `Title of ${id}`, icon: '*' },
  persona: {
    role: `Role of ${id}`,
    identity: 'Someone who keeps notes',
    communication_style: 'Short',
    principles: ['First things first', 'Ask when in doubt'],
  },
  ...more,
});

export const AGENTS = {
  schemaVersion: '1.1',
  agents: [
    agent('sm'),
    agent('pm', { tools: { fs: { maxReadBytes: 1000 } } }),
    agent('summarizer', { systemPrompt: 'You sum up.\n- Be brief.' }),
  ],
};

export const MANIFEST = {
  schemaVersion: '1.1',
  name: 'hb-package',
  version: '1.0.0',
  entry: {
    workflow: 'workflows/hb/workflow.md',
    graph: 'workflows/hb/workflow.graph.json',
    agents: 'agents.json',
  },
  workflows: [{ id: 'hb', workflow: 'workflows/hb/workflow.md', graph: 'workflows/hb/workflow.graph.json' }],
};

export interface Parts {
  readonly manifest?: unknown;
  readonly agents?: unknown;
  readonly graph?: unknown;
  /** Files put in place of the usual ones; undefined takes one away. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

/** The texts of the package, with parts of it replaced. */
export function packageTexts({ manifest, agents, graph, files = {} }: Parts = {}): Record<string, string> {
  const shown = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const used = (graph ?? GRAPH) as FixtureGraph;
  const nodes = Array.isArray(used.nodes) ? used.nodes : [];
  const steps = nodes.map(
    (node) => [String(node.file), stepText(String(node.id), String(node.type))] as const,
  );
  const all: Record<string, string | undefined> = {
    ...Object.fromEntries(
      steps.filter(([path]) => /^workflows\/[\w./-]+$/.test(path) && !path.includes('..')),
    ),
    'bmad.json': shown(manifest ?? MANIFEST),
    'agents.json': shown(agents ?? AGENTS),
    'workflows/hb/workflow.graph.json': shown(used),
    'workflows/hb/workflow.md': '# The workflow\n',
    ...files,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export const stepText = (nodeId: string, type: string, body = 'Do the work.'): string =>
  `---\nschemaVersion: 1.1\nnodeId: ${JSON.stringify(nodeId)}\ntype: ${type}\n---\n\n${body}\n`;

export async function load(parts: Parts = {}): Promise<Loaded<WorkflowPackage>> {
  const source = memorySource(packageTexts(parts));
  if (!source.ok) throw new Error(source.error.code);
  return loadPackage(source.value);
}

/** The package, which must load. */
export async function mustLoad(
  parts: Parts = {},
): Promise<{ readonly package: WorkflowPackage; readonly workflow: Workflow }> {
  const loaded = await load(parts);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const workflow = loaded.value.workflows.get(loaded.value.entry);
  if (workflow === undefined) throw new Error('no entry workflow');
  return { package: loaded.value, workflow };
}

/** A state file with these keys. */
export function stateText(keys: Readonly<Record<string, unknown>> = {}, body = '\n# Notes\n'): string {
  const all = { schemaVersion: '1.1', workflowType: 'hb', stepsCompleted: [], currentNodeId: '', ...keys };
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n${body}`;
}

export function state(keys: Readonly<Record<string, unknown>> = {}): WorkflowState {
  const read = readState(stateText(keys));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value.state;
}
