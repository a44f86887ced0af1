import type { Piece, RedactionKind, Redactor } from '@cuebook/prompt';
import { bulletOf, bulletsOf, type Points } from '../package/bullets.js';
import type { PackageAgent } from '../package/package.js';
import { packaged, shipped } from './labels.js';

/** The third layer: the agent's own system prompt, or one made from its persona. */
export function personaPieces(agent: PackageAgent, redactor?: Redactor | undefined): readonly Piece[] {
  const known = MADE.get(agent);
  if (known !== undefined && known.redactor === redactor) return known.pieces;
  const pieces = makePieces(agent, redactor);
  MADE.set(agent, { redactor, pieces });
  return pieces;
}

/** The same for every turn. */
const MADE = new WeakMap<
  PackageAgent,
  { readonly redactor: Redactor | undefined; readonly pieces: readonly Piece[] }
>();

function makePieces(own: PackageAgent, redactor: Redactor | undefined): readonly Piece[] {
  const { agent, yaml, labels } = own;
  if (agent.systemPrompt !== undefined && agent.systemPrompt.trim() !== '') {
    return yaml.pieces(['systemPrompt'], labels);
  }
  const text = (words: string): Piece => shipped('workflow persona', words);
  const value = (...path: readonly PropertyKey[]): readonly Piece[] => yaml.pieces(path, labels);
  return [
    text('You are '),
    cleaned(packaged(own, ['metadata', 'name'], agent.metadata.name), redactor),
    text(' ('),
    cleaned(packaged(own, ['metadata', 'title'], agent.metadata.title), redactor),
    text(').\nRole: '),
    ...value('persona', 'role'),
    text('\nIdentity: '),
    ...value('persona', 'identity'),
    text('\nCommunication style: '),
    ...value('persona', 'communication_style'),
    text('\nPrinciples:'),
    ...points(own, ['persona', 'principles'], agent.persona.principles),
    ...(agent.critical_actions === undefined
      ? []
      : [text('\nAlways do this first:'), ...points(own, ['critical_actions'], agent.critical_actions)]),
    text('\nStay in character unless the user dismisses the agent.'),
  ];
}

/** The points of a field, however they are written: the same points give the same lines. */
function points(own: PackageAgent, path: readonly PropertyKey[], field: Points): readonly Piece[] {
  const bullet = (at: readonly PropertyKey[], point: string, written: string): readonly Piece[] => {
    if (point === '') return [];
    const words = point === written ? own.yaml.pieces(at, own.labels) : [packaged(own, at, point)];
    return [shipped('workflow persona', '\n- '), ...words];
  };
  return typeof field === 'string'
    ? bulletsOf(field).flatMap((point) => bullet(path, point, field))
    : field.flatMap((item, at) => bullet([...path, at], bulletOf(item), item));
}

/**
 * A value cleaned before it stands beside others on a line: where a private path ends can be told in a value of
 * its own, and not always in a sentence.
 */
function cleaned(piece: Piece, redactor: Redactor | undefined): Piece {
  if (redactor === undefined) return piece;
  const { value, kinds } = redactor.redactValue(piece.text);
  const [kind] = kinds as readonly (RedactionKind | undefined)[];
  if (kind === undefined || typeof value !== 'string') return piece;
  const { kind: _kind, via: _via, ...place } = piece.origin;
  return { ...piece, text: value, origin: { kind: 'redaction', ref: kind, via: [place] } };
}
