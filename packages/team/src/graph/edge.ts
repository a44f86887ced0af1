import type { FactPlaces } from './places.js';

/** A way along which nodes hand things to each other. */
export type TeamEdge = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly bidirectional: boolean;
  readonly type: EdgeType;
  readonly label: string;
  /** Where the team file says so. */
  readonly at?: FactPlaces;
};

/** What goes along an edge. */
export type EdgeType = 'handoff' | 'report';

/** An edge with what is left out filled in: both ways, for handoffs, labelled after its type. */
export function makeEdge(given: {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly bidirectional?: boolean | undefined;
  readonly type?: EdgeType | undefined;
  readonly label?: string | undefined;
  readonly at?: FactPlaces | undefined;
}): TeamEdge {
  const { id, from, to, bidirectional = true, type = 'handoff', at } = given;
  const label = given.label ?? DEFAULT_LABELS[type];
  return { id, from, to, bidirectional, type, label, ...(at === undefined ? {} : { at }) };
}

/** Whether a message may go from one node to another. */
export const canSend = (edges: readonly TeamEdge[], from: string, to: string): boolean =>
  edges.some(
    (edge) =>
      (edge.from === from && edge.to === to) || (edge.bidirectional && edge.from === to && edge.to === from),
  );

/** Why an edge cannot be added, if so. */
export function edgeProblem(
  edges: readonly TeamEdge[],
  { from, to, type }: Pick<TeamEdge, 'from' | 'to' | 'type'>,
): string | undefined {
  if (from === to) return 'An edge joins two different nodes.';
  const same = edges.find((edge) => edge.from === from && edge.to === to && edge.type === type);
  return same && `The edge is there already: ${same.id}.`;
}

const DEFAULT_LABELS: Readonly<Record<EdgeType, string>> = { handoff: 'task', report: 'report' };
