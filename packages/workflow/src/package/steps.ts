import type { TextSource } from '@cuebook/files';
import { guarded } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosticAt, readShape, type YamlSource } from '@cuebook/yaml';
import { readFrontmatter } from './frontmatter.js';
import type { GraphEdge, GraphNode } from './schema.js';
import { stepSchema } from './schema.js';

/** A step file as the graph needs to know it. */
export interface StepFile {
  readonly found: boolean;
  /** Its whole text, when it is there. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface StepPlace {
  readonly source: TextSource;
  /** The file, seen from the source. */
  readonly path: string;
  readonly node: GraphNode;
  readonly edges: readonly GraphEdge[];
  /** The graph, and where the node stands in it. */
  readonly graph: YamlSource;
  readonly index: number;
}

/** Reads a step file's frontmatter and holds it against the graph. Its text stays where it is. */
export async function checkStep(place: StepPlace): Promise<StepFile> {
  const { source, path, node, graph, index } = place;
  const text = await source.readText(path);
  if (!text.ok) {
    const message = `The step file of "${node.id}" cannot be read: ${node.file} (${text.error.code})`;
    const code = 'ENGINE_PRECONDITION_FAILED';
    return {
      found: false,
      diagnostics: [diagnosticAt(graph, ['nodes', index, 'file'], { code, severity: 'error', message })],
    };
  }
  const cut = readFrontmatter(path, text.value);
  if (!cut.ok) {
    const { code, message, line } = cut.error;
    const diagnostics = [{ code, severity: 'error', message, file: path, line }] as const;
    return { found: true, text: text.value, diagnostics };
  }
  const shaped = readShape(cut.value.yaml, stepSchema, 'E_INVALID_FRONTMATTER');
  const step = shaped.ok ? shaped.value : ((shaped.sketch ?? {}) as Partial<Step>);
  const diagnostics = [...shaped.diagnostics, ...compare(step, cut.value.yaml, place)];
  return { found: true, text: text.value, diagnostics };
}

/** What does not fit is left out. */
interface Step {
  readonly nodeId?: string | undefined;
  readonly type?: string | undefined;
  readonly agentId?: string | undefined;
  readonly transitions?: readonly { readonly to: string }[] | undefined;
}

function compare(step: Step, yaml: YamlSource, { node, edges }: StepPlace): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const differs = (path: readonly PropertyKey[], message: string): void => {
    const problem = { code: 'GRAPH_INTEGRITY_INVALID', severity: 'error', message } as const;
    guarded('package.step', () => found.push(diagnosticAt(yaml, path, problem)));
  };
  if (step.nodeId !== undefined && step.nodeId !== node.id) {
    differs(['nodeId'], `The step file says nodeId "${step.nodeId}", the graph "${node.id}"`);
  }
  if (step.type !== undefined && step.type !== node.type) {
    differs(['type'], `The step file says type "${step.type}", the graph "${node.type}"`);
  }
  if (step.agentId !== undefined && step.agentId !== node.agentId) {
    differs(
      ['agentId'],
      `The step file says agentId "${step.agentId}", the graph "${node.agentId ?? '(none)'}"`,
    );
  }
  const targets = new Set(edges.map(({ to }) => to));
  step.transitions?.forEach(({ to }, at) => {
    if (to !== undefined && !targets.has(to)) {
      differs(['transitions', at, 'to'], `The step file leads to "${to}", and no edge of the graph does`);
    }
  });
  return found;
}
