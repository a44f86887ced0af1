import { joinLabels, type LabelledShell, type Phrase, type Piece } from '@cuebook/prompt';
import type { TeamEdge } from '../graph/edge.js';
import type { TeamNode } from '../graph/node.js';
import { between, fact, phrase, quoted, stated } from './say.js';

/**
 * The nodes and edges that an agent may name, in the order of the graph: no word of a node moves another one. Each line
 * begins with an id in brackets, so that no label can make it look like a field.
 */
export function rosterShells(
  nodes: readonly (TeamNode & { readonly status: string })[],
  edges: readonly TeamEdge[],
): readonly LabelledShell[] {
  const known = new Map(nodes.map((node) => [node.id, node] as const));
  return [
    {
      header: 'KNOWN_NODES',
      fields: [{ key: 'nodes', value: nodes.map((node) => nodePiece(node, known)) }],
    },
    { header: 'KNOWN_EDGES', fields: [{ key: 'edges', value: edges.map((edge) => edgePiece(edge, known)) }] },
  ];
}

function nodePiece(
  node: TeamNode & { readonly status: string },
  known: ReadonlyMap<string, TeamNode>,
): Phrase {
  const { id, alias, label, role, provider, status, capabilities } = node;
  const host = typeof node.workspace === 'object' ? known.get(node.workspace.with) : undefined;
  const owners = host === undefined ? [node] : [node, host];
  const say = (name: string, value: string | undefined): readonly Piece[] =>
    value === undefined ? [] : [between(` ${name}=`), ownedBy(name, value, owners)];
  return phrase(
    between('['),
    stated(id, 'known nodes'),
    between('] '),
    ownedBy('label', label, owners),
    ...say('alias', alias),
    ...say('role', role),
    ...say('provider', provider),
    ...say('status', status),
    ...say('edgeManagement', capabilities.edgeManagement),
    ...(host === undefined
      ? []
      : [between(' workspace='), namePiece(host, host.id, ownedBy('workspace', '', owners))]),
  );
}

function edgePiece(edge: TeamEdge, known: ReadonlyMap<string, TeamNode>): Phrase {
  // Labels of edges may be an agent's words whoever the nodes are.
  const say = (name: string, text: string): Piece => {
    const theirs = quoted(text, { trust: 'agent', ref: `edge ${edge.id}` });
    return edge.at === undefined
      ? theirs
      : { ...fact(name, text, { at: edge.at, volatility: 'turn' }), trust: 'agent' };
  };
  const end = (name: 'from' | 'to'): readonly Piece[] => {
    const id = edge[name];
    const node = known.get(id);
    if (node === undefined) return [say(name, id)];
    return [
      namePiece(node, node.label, say(name, '')),
      between(' ('),
      stated(id, 'known nodes'),
      between(')'),
    ];
  };
  return phrase(
    between('['),
    stated(edge.id, 'known edges'),
    between('] '),
    ...end('from'),
    between(' -> '),
    ...end('to'),
    between(' type='),
    say('type', edge.type),
    between(' bidirectional='),
    say('bidirectional', String(edge.bidirectional)),
    between(' label='),
    say('label', edge.label),
  );
}

/** A node is called as it calls itself, whatever case it is named in: `ledBy` is what names it. */
function namePiece({ alias, at }: TeamNode, other: string, ledBy: Piece): Piece {
  const { ref, line, column } = ledBy.origin;
  if (alias === undefined || at === undefined || line === undefined || column === undefined)
    return { ...ledBy, text: (alias ?? other).toWellFormed() };
  const { text, origin } = fact('alias', alias, { at, volatility: 'turn' });
  return { ...ledBy, text, origin: { ...origin, via: [{ ref, line, column }] } };
}

/** A line about nodes is as little trusted as whoever named the least trusted of them. */
function ownedBy(name: string, text: string, nodes: readonly TeamNode[]): Piece {
  const ours = fact(name, text, { at: nodes[0]?.at, volatility: 'turn' });
  if (nodes.every(({ parent }) => parent === undefined)) return ours;
  const theirs = quoted(text, { trust: 'agent', ref: 'spawn_node' });
  return { ...theirs, ...joinLabels(ours, theirs) };
}
