import { joinLabels, type LabelledShell, type Phrase, type Piece } from '@cuebook/prompt';
import type { TeamEdge } from '../graph/edge.js';
import type { TeamNode } from '../graph/node.js';
import { phrase, stated, written } from './say.js';

/**
 * The nodes and edges that an agent may name, sorted by label and id. Each line begins with an id in brackets, so
 * that no label can make it look like a field.
 */
export function rosterShells(
  nodes: readonly (TeamNode & { readonly status: string })[],
  edges: readonly TeamEdge[],
): readonly LabelledShell[] {
  const sorted = [...nodes].sort((a, b) => order(a.label, b.label) || order(a.id, b.id));
  const known = new Map(nodes.map((node) => [node.id, node] as const));
  return [
    {
      header: 'KNOWN_NODES',
      fields: [{ key: 'nodes', value: sorted.map((node) => nodePiece(node, known)) }],
    },
    { header: 'KNOWN_EDGES', fields: [{ key: 'edges', value: edges.map((edge) => edgePiece(edge, known)) }] },
  ];
}

function nodePiece(
  node: TeamNode & { readonly status: string },
  known: ReadonlyMap<string, TeamNode>,
): Phrase {
  const { id, alias, label, role, provider, status, capabilities } = node;
  const named = alias === undefined ? '' : ` alias=${alias}`;
  const host = typeof node.workspace === 'object' ? known.get(node.workspace.with) : undefined;
  const folder = host === undefined ? '' : ` workspace=${host.alias ?? host.id}`;
  const owners = host === undefined ? [node] : [node, host];
  return phrase(
    stated(`[${id}] `, 'known nodes'),
    ownedBy(label, owners),
    ownedBy(
      `${named} role=${role} provider=${provider} status=${status} edgeManagement=${capabilities.edgeManagement}${folder}`,
      owners,
    ),
  );
}

function edgePiece(edge: TeamEdge, known: ReadonlyMap<string, TeamNode>): Phrase {
  // Labels of edges may be an agent's words whoever the nodes are.
  const say = (text: string): Piece => written({ text, by: 'agent', ref: `edge ${edge.id}` }, 'turn');
  const name = (id: string): readonly Piece[] => {
    const node = known.get(id);
    return node === undefined ? [say(id)] : [say(node.alias ?? node.label), say(` (${id})`)];
  };
  return phrase(
    stated(`[${edge.id}] `, 'known edges'),
    ...name(edge.from),
    say(' -> '),
    ...name(edge.to),
    say(` type=${edge.type} bidirectional=${edge.bidirectional} label=`),
    say(edge.label),
  );
}

/** A line about nodes is as little trusted as whoever named the least trusted of them. */
function ownedBy(text: string, nodes: readonly TeamNode[]): Piece {
  const ours = stated(text, 'known nodes');
  if (nodes.every(({ parent }) => parent === undefined)) return ours;
  const theirs = written({ text, by: 'agent', ref: 'spawn_node' }, 'turn');
  return { ...theirs, ...joinLabels(ours, theirs) };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
