import { cutPieces, type Labels, type Origin, type Piece, piecesText } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';

/** Marks that hold texts together. */
export const between = (text: string): Piece => ({
  text,
  origin: { kind: 'structure', ref: 'workflow' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
});

/** What a text of a package is read from. */
interface Packaged {
  readonly yaml: YamlSource;
  readonly labels: Labels;
}

/**
 * A text made from a value of the package; explain leads to the value. Words that the value has stand where they are
 * written, in their order; a text that says something else has the place of the value.
 */
export function packaged(own: Packaged, path: readonly PropertyKey[], text: string): readonly Piece[] {
  const known = MADE.get(own.yaml) ?? new Map<string, readonly Piece[]>();
  MADE.set(own.yaml, known);
  const key = JSON.stringify([path.map(String), text]);
  const made = known.get(key) ?? makePieces(own, path, text);
  known.set(key, made);
  return made;
}

/** Places are counted in characters from the top of a file: once for each, and not for every turn. */
const MADE = new WeakMap<YamlSource, Map<string, readonly Piece[]>>();

function makePieces(
  { yaml, labels }: Packaged,
  path: readonly PropertyKey[],
  text: string,
): readonly Piece[] {
  const pieces = yaml.pieces(path, labels);
  const found = pieces.length === 0 ? undefined : wordsIn(pieces, text);
  return found ?? [{ text, origin: { kind: 'value', ...yaml.place(path) }, ...labels }];
}

/**
 * The words of a text in the pieces of a longer one, whatever blanks are between them; undefined where they do not
 * stand there, or stand there twice, so that nobody can tell which are meant.
 */
function wordsIn(pieces: readonly Piece[], text: string): readonly Piece[] | undefined {
  const whole = piecesText(pieces);
  if (whole === text) return pieces;
  const parts = text.split(/(\s+)/).filter((part) => part !== '');
  const pattern = parts.map((part) =>
    isBlank(part) ? '\\s+' : part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  const [found, another] = whole.matchAll(new RegExp(pattern.join(''), 'g'));
  if (found === undefined || another !== undefined) return undefined;
  if (found[0] === text) return cutPieces(pieces, found.index, found.index + text.length);
  let at = found.index;
  return parts.flatMap((part) => {
    if (isBlank(part)) return [between(part)];
    const start = whole.indexOf(part, at);
    at = start + part.length;
    return cutPieces(pieces, start, at);
  });
}

const isBlank = (text: string): boolean => text.trim() === '';

/** A fact about the run. */
export const ofRun = (ref: string, text: string, volatility: 'session' | 'turn'): Piece => ({
  text,
  origin: { kind: 'variable', ref },
  trust: 'platform',
  secrecy: 'public',
  volatility,
});

/**
 * A text that was cleaned before it was printed, as pieces: what was taken out of it is told as everywhere, by the
 * origin of the span that stands there now.
 */
export function withRemoved(piece: Piece): readonly Piece[] {
  const parts = piece.text.split(REMOVED);
  if (parts.length === 1) return [piece];
  const { kind: _kind, via: _via, ...place } = piece.origin;
  return parts.flatMap((text, at) => {
    if (at % 2 === 0) return text === '' ? [] : [{ ...piece, text }];
    const origin: Origin = { kind: 'redaction', ref: text, via: [place] };
    return [{ ...piece, text: `[removed:${text}]`, origin }];
  });
}

const REMOVED = /\[removed:([a-z]+)\]/;
