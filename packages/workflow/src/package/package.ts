import type { YamlSource } from '@cuebook/profile';
import type { Agent, Graph, GraphEdge, GraphNode } from './schema.js';

/** A workflow package, read and checked. Plain data; nothing in it changes. */
export interface WorkflowPackage {
  readonly name: string;
  readonly version: string;
  /** In the order of `agents.json`. */
  readonly agents: ReadonlyMap<string, PackageAgent>;
  readonly workflows: ReadonlyMap<string, Workflow>;
  /** The workflow that is meant when nobody names one. */
  readonly entry: string;
}

export interface PackageAgent {
  readonly agent: Agent;
  /** The agent's own part of `agents.json`. */
  readonly yaml: YamlSource;
}

/** One workflow of a package. Paths are relative to the package, in their one spelling. */
export interface Workflow {
  readonly id: string;
  readonly file: string;
  readonly graphFile: string;
  readonly graph: Graph;
  readonly yaml: YamlSource;
  readonly nodes: ReadonlyMap<string, WorkflowNode>;
}

export interface WorkflowNode {
  readonly node: GraphNode;
  /** Its place in the graph's list. */
  readonly index: number;
  /** The step file, cleaned; undefined when its path leaves the package. */
  readonly file: string | undefined;
  /** Whether the step file is there. */
  readonly hasStep: boolean;
  /** The edges that lead on, in the order of the graph. */
  readonly next: readonly WorkflowEdge[];
}

export interface WorkflowEdge {
  readonly edge: GraphEdge;
  readonly index: number;
}
