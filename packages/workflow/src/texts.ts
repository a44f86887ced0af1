import type { SourceText } from '@cuebook/profile';
import type { Labels } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';
import type { Workflow, WorkflowPackage } from './package/package.js';

interface Source {
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
}

/** The files of a package that a workflow is made of. */
export function filesOfWorkflow({ package: { agents }, workflow }: Source): readonly string[] {
  const { yaml, graphFile, file, nodes } = workflow;
  const folder = folderOf(workflow);
  const steps = [...nodes.values()].flatMap((node) => (node.file === undefined ? [] : [folder + node.file]));
  const ofAgents = [...agents.values()].map((agent) => agent.yaml.file);
  return [
    ...new Set([`${folder}bmad.json`, folder + file, folder + graphFile, yaml.file, ...ofAgents, ...steps]),
  ];
}

/** Every text of a workflow that a model may be told: of its agents, of its graph, and of its steps. */
export function textsOfWorkflow({ package: { agents }, workflow }: Source): readonly SourceText[] {
  const { yaml, graph, labels, nodes } = workflow;
  const folder = folderOf(workflow);
  const steps = [...nodes.values()].flatMap(({ file, stepText }): SourceText[] => {
    if (file === undefined || stepText === undefined) return [];
    const origin = { kind: 'file', ref: folder + file, line: 1, column: 1 } as const;
    return [{ pieces: [{ text: stepText, origin, ...labels }], mayHoldPlaceholders: true }];
  });
  return [
    ...[...agents.values()].flatMap(({ agent, labels: own, yaml: place }) => leaves(place, agent, own)),
    ...leaves(yaml, { nodes: graph.nodes, edges: graph.edges }, labels),
    ...steps,
  ];
}

/** With a slash at its end; empty for the top. */
const folderOf = ({ yaml, graphFile }: Workflow): string =>
  yaml.file.slice(0, yaml.file.length - graphFile.length);

/** Packages have conventions of their own for placeholders, which their agents know. */
function leaves(yaml: YamlSource, value: unknown, labels: Labels): readonly SourceText[] {
  const walk = (part: unknown, path: readonly PropertyKey[]): readonly SourceText[] => {
    if (typeof part === 'string') return [{ pieces: yaml.pieces(path, labels), mayHoldPlaceholders: true }];
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).flatMap(([key, below]) =>
      walk(below, [...path, Array.isArray(part) ? Number(key) : key]),
    );
  };
  return walk(value, []);
}
