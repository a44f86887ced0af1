import type { Labels } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';
import type { Graph, GraphEdge, GraphNode, PackagedAgent } from './schema.js';

/**
 * Who could have written a package: `author` when it is the project's own or a person accepted its bytes, `external`
 * otherwise.
 */
export type PackageTrust = 'author' | 'external';

/** A workflow package, read and checked. Plain data; nothing in it changes. */
export interface WorkflowPackage {
  readonly name: string;
  readonly version: string;
  readonly trust: PackageTrust;
  /** In the order of `agents.json`. */
  readonly agents: ReadonlyMap<string, PackageAgent>;
  readonly workflows: ReadonlyMap<string, Workflow>;
  /** The workflow that is meant when nobody names one. */
  readonly entry: string;
}

export interface PackageAgent {
  readonly agent: PackagedAgent;
  /** The labels of its words. */
  readonly labels: Labels;
  /** The agent's own part of `agents.json`. */
  readonly yaml: YamlSource;
}

/** One workflow of a package. Paths are relative to the package, in their one spelling. */
export interface Workflow {
  readonly id: string;
  readonly file: string;
  readonly graphFile: string;
  readonly graph: Graph;
  /** Where the package's manifest names it and its graph. */
  readonly manifest: {
    readonly yaml: YamlSource;
    readonly id: readonly PropertyKey[];
    readonly graph: readonly PropertyKey[];
  };
  /** The labels of its words. */
  readonly labels: Labels;
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
  /** What the step file says; agents read it when they get there. */
  readonly stepText?: string;
  /** The edges that lead on, in the order of the graph. */
  readonly next: readonly WorkflowEdge[];
}

export interface WorkflowEdge {
  readonly edge: GraphEdge;
  readonly index: number;
}

/** Text of a package stays the same until another one is installed. */
export const packageLabels = (trust: PackageTrust): Labels => ({
  trust,
  secrecy: 'public',
  volatility: 'build',
});
