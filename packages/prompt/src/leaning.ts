import type { Piece } from './block.js';
import { startsDecorated } from './redact/line-signs.js';

/** Where a piece stands in the text of its block. */
interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The text has a colon with a digit behind it. */
  readonly hasNumbers: boolean;
}

/**
 * Whether its neighbours can change how a piece is read: they touch it, it is JSON, which is read as such only when it
 * stands alone, it begins as a line of a diff or of a search does, or it begins or ends with an encoding that may go on
 * over line breaks. Asked for every piece of every prompt, so nothing here makes a string, and all is read in the text of
 * the block: those of the pieces are put together from parts, and would be made whole only for this.
 */
export function leansOn(pieces: readonly Piece[], at: number, place: Place): boolean {
  const { text, start, end, hasNumbers } = place;
  const { form } = pieces[at] as Piece;
  const before = neighbourSize(pieces, at - 1, form);
  const after = neighbourSize(pieces, at + 1, form);
  if (before > 0 && touches(text.charCodeAt(start - 1), text.charCodeAt(start))) return true;
  if (after > 0 && !startsClause(text, end, after) && touches(text.charCodeAt(end - 1), text.charCodeAt(end)))
    return true;
  if (form === undefined && before === 0 && after === 0) return false;
  if (startsDecorated(text, start, end, hasNumbers)) return true;
  return (
    isQuotedOrBraced(text, start, end) ||
    startsWithLongWord(text, start, end) ||
    endsWithLongWord(text, start, end)
  );
}

/** The length of a neighbour of the same form; 0 where there is none. */
function neighbourSize(pieces: readonly Piece[], at: number, form: Piece['form']): number {
  const piece = pieces[at];
  return piece === undefined || piece.form !== form ? 0 : piece.text.length;
}

/** Two characters with nothing between them that ends a word, a path or a token. */
const touches = (left: number, right: number): boolean => !isApart(left) && !isApart(right);

/** White space, brackets, quotes and the marks of a sentence. */
const isApart = (code: number): boolean => code <= 0x20 || (code < 0x80 && APART[code] === 1);
const APART = Uint8Array.from({ length: 128 }, (_, code) =>
  '()[]{}<>,;!?*"\'`|'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** `: ` and `. ` end what stands before them. */
function startsClause(text: string, start: number, size: number): boolean {
  const code = text.charCodeAt(start);
  return (code === 0x3a || code === 0x2e) && (size === 1 || text.charCodeAt(start + 1) <= 0x20);
}

function isQuotedOrBraced(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 0x20) at += 1;
  const code = at < end ? text.charCodeAt(at) : 0;
  return code === 0x22 || code === 0x5b || code === 0x7b;
}

/** Only lines that are longer go on over a break. */
const LONG_WORD = 48;

/** Whether no white space stands in the first characters. */
function startsWithLongWord(text: string, start: number, end: number): boolean {
  if (end - start < LONG_WORD) return false;
  for (let at = start; at < start + LONG_WORD; at += 1) if (text.charCodeAt(at) <= 0x20) return false;
  return true;
}

/** The same of the last ones, before the white space that the text ends with. */
function endsWithLongWord(text: string, start: number, end: number): boolean {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) <= 0x20) last -= 1;
  if (last - start < LONG_WORD) return false;
  for (let at = last - 1; at >= last - LONG_WORD; at -= 1) if (text.charCodeAt(at) <= 0x20) return false;
  return true;
}
