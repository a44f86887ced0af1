import type { Form, Piece } from '../block.js';
import { advancePlace, decodedOrigin, describePlace, isVerbatim } from '../origin.js';
import { cutPieces, piecesText } from '../piece.js';
import { breakOffsets } from './chat-token.js';
import { bodyMarks, type EscapeMark, withMarks } from './escape.js';
import { decodeQuoted, encodeQuoted, mustQuote, type ScalarForm } from './scalar.js';

/**
 * Printing puts marks between the words: escapes, quotes, and the spaces that break chat-template tokens. Marks are
 * pieces of their own, and every piece of printed text says in its `form` how it was printed, so that a composer can
 * take all marks out, clean the words as they were written, and print them again.
 */

/** Free text with the marks of the grammar put in. */
export function escapedPieces(body: readonly Piece[]): readonly Piece[] {
  return marked(body, bodyMarks(piecesText(body)), 'body');
}

/** One value with the marks of the grammar put in, quoted where it has to be. */
export function scalarPieces(parts: readonly Piece[], form: ScalarForm): readonly Piece[] {
  const text = piecesText(parts);
  const marks = breakOffsets(text).map((at): EscapeMark => ({ at, text: ' ' }));
  const pieces = marked(parts.length === 0 ? [NOTHING] : parts, marks, form);
  if (!mustQuote(withMarks(text, marks), form)) return pieces;
  return [mark('"', form, QUOTE), ...pieces.map(quoted), mark('"', form, QUOTE)];
}

/** The words as they were before printing. The same list when printing added nothing. */
export function withoutMarks(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some(isMark)) return pieces;
  const words: Piece[] = [];
  let inQuotes = false;
  let isCut = false;
  for (const piece of pieces) {
    if (isMark(piece)) {
      const isQuote = piece.origin.ref === QUOTE;
      if (isQuote) inQuotes = !inQuotes;
      isCut = !isQuote;
      continue;
    }
    const next = inQuotes ? unquoted(piece) : piece;
    const last = words[words.length - 1];
    // A text that a mark has cut in two is one text again.
    if (isCut && last !== undefined && goesOn(last, next)) {
      words[words.length - 1] = { ...last, text: last.text + next.text };
    } else words.push(next);
    isCut = false;
  }
  return words;
}

function goesOn({ text, origin, form }: Piece, next: Piece): boolean {
  if (form === undefined || form !== next.form) return false;
  if (origin === next.origin) return true;
  const end = isVerbatim(origin) ? advancePlace(origin, text) : origin;
  return origin.kind === next.origin.kind && describePlace(end) === describePlace(next.origin);
}

/** What has a form, printed anew; all else as it stands. */
export function printedAgain(words: readonly Piece[]): readonly Piece[] {
  return formRuns(words).flatMap(({ form, pieces }) => {
    if (form === undefined) return pieces;
    return form === 'body' ? escapedPieces(pieces) : scalarPieces(pieces, form);
  });
}

export interface FormRun {
  readonly form: Form | undefined;
  readonly pieces: readonly Piece[];
}

/** Neighbours of one form together: one body, one value, or what stands between them. */
export function formRuns(pieces: readonly Piece[]): readonly FormRun[] {
  const runs: { readonly form: Form | undefined; readonly pieces: Piece[] }[] = [];
  for (const piece of pieces) {
    const last = runs[runs.length - 1];
    if (last !== undefined && last.form === piece.form) last.pieces.push(piece);
    else runs.push({ form: piece.form, pieces: [piece] });
  }
  return runs;
}

function marked(pieces: readonly Piece[], marks: readonly EscapeMark[], form: Form): readonly Piece[] {
  const formed = pieces.map((piece) => (piece.form === form ? piece : { ...piece, form }));
  if (marks.length === 0) return formed;
  const out: Piece[] = [];
  let from = 0;
  for (const { at, text } of marks) {
    const before = cutPieces(formed, from, at);
    out.push(
      ...before,
      text === ' ' ? tokenBreak(cutPieces(formed, at - 1, at)[0]) : mark(text, form, ESCAPE),
    );
    from = at;
  }
  return [...out, ...cutPieces(formed, from, Number.POSITIVE_INFINITY)];
}

/** The space that breaks a token tells where the token came from, as every redaction does. */
function tokenBreak(token: Piece | undefined): Piece {
  const { ref = '', line, column, via = [] } = token?.origin ?? {};
  const place = {
    ref,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
  const places = via.some((each) => describePlace(each) === describePlace(place)) ? via : [...via, place];
  return {
    ...mark(' ', token?.form ?? 'body', TOKEN),
    origin: { kind: 'redaction', ref: TOKEN, via: places },
  };
}

const mark = (text: string, form: Form, ref: string): Piece => ({
  text,
  origin: { kind: 'structure', ref },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
  form,
});

/** A value of no parts is empty, and stands as a piece all the same. */
const NOTHING: Piece = {
  text: '',
  origin: { kind: 'structure', ref: 'shell' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
};

function isMark({ form, origin }: Piece): boolean {
  if (form === undefined) return false;
  const { kind, ref } = origin;
  return kind === 'structure' ? ref === ESCAPE || ref === QUOTE : kind === 'redaction' && ref === TOKEN;
}

/** A value that quotes change is no longer a verbatim slice of its file. */
function quoted(piece: Piece): Piece {
  const text = encodeQuoted(piece.text);
  if (text === piece.text) return piece;
  return { ...piece, text, origin: decodedOrigin(piece.origin) };
}

const unquoted = (piece: Piece): Piece => ({
  ...piece,
  text: decodeQuoted(`"${piece.text}"`) ?? piece.text,
});

const ESCAPE = 'escape';
const QUOTE = 'quote';
const TOKEN = 'token';
