import type { Piece, RedactionKind } from './block.js';
import { joinLabels } from './label.js';
import { describePlace, type Place } from './origin.js';
import { cutPieces } from './piece.js';

/** A range of a text, in UTF-16 units, and what stands there instead. */
export interface PieceReplacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: RedactionKind;
}

/**
 * The pieces with every range replaced. Replacements are sorted and do not overlap. What is put in carries
 * the joined labels of what it covers and names it in its origin's `via`; pieces that are cut stay exact.
 */
export function replaceInPieces(
  pieces: readonly Piece[],
  replacements: readonly PieceReplacement[],
): readonly Piece[] {
  const out: Piece[] = [];
  let index = 0;
  let base = 0;
  let covered: Piece[] = [];
  for (const piece of pieces) {
    const end = base + piece.text.length;
    let from = base;
    // An empty value is a value.
    if (piece.text === '' && piece.form !== undefined) out.push(piece);
    while (index < replacements.length && (replacements[index] as PieceReplacement).start < end) {
      const next = replacements[index] as PieceReplacement;
      out.push(...cutPieces([piece], from - base, next.start - base));
      covered.push(...cutPieces([piece], Math.max(next.start, base) - base, Math.min(next.end, end) - base));
      from = Math.min(next.end, end);
      if (next.end > end) break;
      out.push(stand(next, covered));
      covered = [];
      index += 1;
    }
    out.push(...cutPieces([piece], from - base, end - base));
    base = end;
  }
  return out;
}

function stand(replacement: PieceReplacement, covered: readonly Piece[]): Piece {
  const [first, ...rest] = covered as readonly [Piece, ...Piece[]];
  return {
    text: replacement.text,
    origin: { kind: 'redaction', ref: replacement.kind, via: places(covered) },
    ...joinLabels(first, ...rest),
    ...(first.form !== undefined && rest.every(({ form }) => form === first.form)
      ? { form: first.form }
      : {}),
  };
}

/** Every place that led to what is covered; the last is that of its first text. */
function places(covered: readonly Piece[]): readonly Place[] {
  const seen = new Map<string, Place>();
  for (const { origin } of covered.toReversed()) {
    for (const place of [...(origin.via ?? []), origin]) {
      const { ref, line, column } = place;
      const plain = {
        ref,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      };
      seen.delete(describePlace(plain));
      seen.set(describePlace(plain), plain);
    }
  }
  return [...seen.values()];
}
