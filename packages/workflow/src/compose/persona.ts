import { type Piece, piecesText, type RedactionKind, type Redactor } from '@cuebook/prompt';
import { bulletOf, bulletsOf, type Points } from '../package/bullets.js';
import type { PackageAgent } from '../package/package.js';
import { TEXTS } from '../shipped-texts.js';
import { between, packaged } from './labels.js';

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
  const value = (...path: readonly PropertyKey[]): readonly Piece[] => yaml.pieces(path, labels);
  const { name, title } = agent.metadata;
  return TEXTS.fill('turn.md#persona', {
    name: cleaned(packaged(own, ['metadata', 'name'], name), redactor),
    title: cleaned(packaged(own, ['metadata', 'title'], title), redactor),
    role: value('persona', 'role'),
    identity: value('persona', 'identity'),
    style: value('persona', 'communication_style'),
    principles: points(own, ['persona', 'principles'], agent.persona.principles),
    first:
      agent.critical_actions === undefined
        ? []
        : [
            between('\n'),
            TEXTS.piece('turn.md#persona.first'),
            ...points(own, ['critical_actions'], agent.critical_actions),
          ],
  });
}

/** The points of a field, however they are written: the same points give the same lines. */
function points(own: PackageAgent, path: readonly PropertyKey[], field: Points): readonly Piece[] {
  const bullet = (at: readonly PropertyKey[], point: string): readonly Piece[] =>
    point === '' ? [] : [between('\n- '), ...packaged(own, at, point)];
  return typeof field === 'string'
    ? bulletsOf(field).flatMap((point) => bullet(path, point))
    : field.flatMap((item, at) => bullet([...path, at], bulletOf(item)));
}

/**
 * A value cleaned before it stands beside others on a line: where a private path ends can be told in a value of
 * its own, and not always in a sentence.
 */
function cleaned(pieces: readonly Piece[], redactor: Redactor | undefined): readonly Piece[] {
  const [piece] = pieces;
  if (redactor === undefined || piece === undefined) return pieces;
  const { value, kinds } = redactor.redactValue(piecesText(pieces));
  const [kind] = kinds as readonly (RedactionKind | undefined)[];
  if (kind === undefined || typeof value !== 'string') return pieces;
  const { kind: _kind, via: _via, ...place } = piece.origin;
  return [{ ...piece, text: value, origin: { kind: 'redaction', ref: kind, via: [place] } }];
}
