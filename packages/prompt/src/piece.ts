import type { Piece } from './block.js';
import { advancePlace, isVerbatim, type Origin } from './origin.js';

/** The text of the pieces, end to end. Joined rather than added up: every later look at it is faster so. */
export function piecesText(pieces: readonly Piece[]): string {
  const texts = new Array<string>(pieces.length);
  for (let at = 0; at < pieces.length; at += 1) texts[at] = (pieces[at] as Piece).text;
  return texts.join('');
}

/** The pieces of the text range `[start, end)`, in UTF-16 units, cut exactly; empty pieces are dropped. */
export function cutPieces(pieces: readonly Piece[], start: number, end: number): readonly Piece[] {
  const cut: Piece[] = [];
  let offset = 0;
  for (const piece of pieces) {
    if (offset >= end) break;
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, piece.text.length);
    if (from < to) cut.push(slicePiece(piece, from, to));
    offset += piece.text.length;
  }
  return cut;
}

/** A part of one piece; the place of verbatim text moves along with its start. */
export function slicePiece(piece: Piece, from: number, to: number): Piece {
  if (from === 0 && to === piece.text.length) return piece;
  return { ...piece, text: piece.text.slice(from, to), origin: originAt(piece, from) };
}

/** The origin of the text from UTF-16 offset `at` of the piece on. */
export function originAt(piece: { readonly text: string; readonly origin: Origin }, at: number): Origin {
  const { origin } = piece;
  if (at === 0 || !isVerbatim(origin)) return origin;
  return { ...origin, ...advancePlace(origin, piece.text.slice(0, at)) };
}
