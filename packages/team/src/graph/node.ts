import type { Capabilities, Permissions } from '../capability/capabilities.js';
import type { FactPlaces, TextRun } from './places.js';

/** Who a node is and what it may do. A resolved snapshot: everything is decided when the node is made. */
export type TeamNode = {
  readonly id: string;
  readonly label: string;
  readonly alias?: string;
  readonly role: string;
  readonly provider: string;
  readonly model?: string;
  /** Models of the same provider that a turn is asked of when one fails, in order. */
  readonly fallbacks?: readonly string[];
  /** Leads: one that no other node spawned may finish the run, and in AUTO it is asked again when all is quiet. */
  readonly orchestrator: boolean;
  /** What it may do now: no more than its settings allow and its template declares. */
  readonly capabilities: Capabilities;
  /** What its settings allow; a template that declares more later gives no more. Left out: `capabilities`. */
  readonly limit?: Capabilities;
  readonly permissions: Permissions;
  /** The MCP servers whose tools it may call, `SERVER`, and single tools of them, `SERVER.TOOL`. Left out: none. */
  readonly servers?: readonly string[];
  /** Whether the provider's session goes on from turn to turn. */
  readonly resume: boolean;
  /** Where it works. Those who share the person's folder and may write take turns; those of any other always do. */
  readonly workspace: NodeWorkspace;
  /** Stands in the place of the role template's text. */
  readonly prompt?: NodeText;
  /** The last layer of every prompt. */
  readonly override?: NodeText;
  /** 0 for the nodes of the team file; one more than the node that spawned it. */
  readonly depth: number;
  readonly parent?: string;
  /** Where the team file says so. */
  readonly at?: FactPlaces;
};

/**
 * Where a node works: in a folder of its own, in the person's, or `with` another node in the folder of that one. In
 * a graph `with` is the id of a node that has a folder of its own; before that it is any reference.
 */
export type NodeWorkspace = 'own' | 'shared' | { readonly with: string };

/** A text with who wrote it and where it stands. */
export type NodeText = {
  readonly text: string;
  readonly by: 'author' | 'user' | 'agent';
  /** A file of the project, or what handed it in. */
  readonly ref: string;
  /** Where each run of the text is written in the file. */
  readonly runs?: readonly TextRun[];
};

/** A node before it is in a graph. */
export type NodeSpec = Omit<TeamNode, 'id' | 'depth' | 'parent'>;

/** Whether a node leads the run: one that another node spawned leads its own part alone. */
export const isRootLead = ({ orchestrator, parent }: Pick<TeamNode, 'orchestrator' | 'parent'>): boolean =>
  orchestrator && parent === undefined;

/** `Label (id)`, as prompts and messages name a node. */
export const nameOf = ({ id, label }: Pick<TeamNode, 'id' | 'label'>): string => `${label} (${id})`;
