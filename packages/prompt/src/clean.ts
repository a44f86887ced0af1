import { guard, guarded } from '@cuebook/guard';
import type { BlockInput, Piece } from './block.js';
import type { GatedBlock } from './gates.js';
import { isBelow } from './label.js';
import { leansOn } from './leaning.js';
import { piecesText } from './piece.js';
import type { Redactor, Replacement } from './redact/redactor.js';
import { surveyOf } from './redact/survey.js';
import { type PieceReplacement, replaceInPieces } from './replace.js';
import { findChatTokens } from './shell/chat-token.js';
import { formRuns, printedAgain, withoutMarks } from './shell/marks.js';
import { findInvisible } from './visible.js';

/**
 * A block as it may be sent: what hides is shown, what is private is aliased or masked, chat-template tokens are
 * broken. Words that stand in shells are cleaned as they were written, without the marks of the printer, and printed
 * again: an escape never hides anything, and whatever changed still reads back. The same block when nothing changed.
 */
export function cleanBlock(block: GatedBlock, redactor: Redactor): GatedBlock {
  const words = guarded('shell.reprint', (of) => toBlock(of, withoutMarks(of.pieces)), block);
  const clean = cleanWords(words, redactor);
  return breakLooseTokens(clean === words ? block : toBlock(block, printedAgain(clean.pieces)));
}

export function toGated({ name, role, pieces }: BlockInput): GatedBlock {
  const text = piecesText(pieces);
  return { name, role, pieces, text, plain: surveyOf(text).isPlain };
}

const toBlock = (block: GatedBlock, pieces: readonly Piece[]): GatedBlock =>
  pieces === block.pieces ? block : toGated({ ...block, pieces });

/** Cleaned as it was written, and once more where showing what hides has changed how it reads. */
function cleanWords(block: GatedBlock, redactor: Redactor): GatedBlock {
  const clean = redact(block, redactor);
  const shown = showHidden(clean);
  return shown === clean ? clean : redact(shown, redactor);
}

/** What hides is judged by its neighbours in its own text: the tokens of a shell are none of them. */
function showHidden(block: GatedBlock): GatedBlock {
  if (block.plain) return block;
  const found: PieceReplacement[] = [];
  let base = 0;
  for (const { pieces } of formRuns(block.pieces)) {
    const text = piecesText(pieces);
    for (const { start, end, text: shown } of findInvisible(text)) {
      found.push({ start: base + start, end: base + end, text: shown, kind: 'invisible' });
    }
    base += text.length;
  }
  return replaceAll(block, found);
}

/**
 * Each text is cleaned on its own, so that where it is put cannot hide what it holds; then the block as a whole. Where
 * the block holds nothing private, only texts are looked at that read otherwise alone than among the others. The block
 * comes last: the last look at what is sent then has nothing to add.
 */
function redact(block: GatedBlock, redactor: Redactor): GatedBlock {
  const isLeaning = guard('clean.own', findLeaning(block, redactor));
  const leaning = isLeaning ? redactOwn(block, redactor) : block;
  const first = redactor.find(leaning.text);
  if (first.length === 0) return leaning;
  const owned = guarded('clean.own', (of) => redactOwn(of, redactor), leaning);
  const found = owned === leaning ? first : redactor.find(owned.text);
  if (found.length === 0) return owned;
  const isShipped = shippedRanges(owned.pieces);
  const kept = found.filter((each) => each.known || !isShipped(each.start, each.end));
  const lenient = replaceAll(owned, betweenStructure(owned.pieces, kept));
  if (kept.length === found.length || redactor.leaks(lenient.text).length === 0) return lenient;
  return replaceAll(owned, betweenStructure(owned.pieces, found));
}

/** Whether something private stands in a text that reads otherwise alone than among the others. */
function findLeaning({ pieces, text }: GatedBlock, redactor: Redactor): boolean {
  const { hasNumbers } = surveyOf(text);
  let start = 0;
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece;
    const end = start + piece.text.length;
    if (isForeign(piece) && leansOn(pieces, at, { text, start, end, hasNumbers })) {
      if (redactor.find(piece.text).length > 0) return true;
    }
    start = end;
  }
  return false;
}

/** The bodies and values of shells, and whatever else somebody put between other texts, cleaned one by one. */
function redactOwn(block: GatedBlock, redactor: Redactor): GatedBlock {
  let changed = false;
  const own = (part: readonly Piece[]): readonly Piece[] => {
    const found = redactor.find(piecesText(part));
    if (found.length === 0) return part;
    changed = true;
    return replaceInPieces(part, found);
  };
  const cleaned = formRuns(block.pieces).flatMap(({ form, pieces: run }): readonly Piece[] => {
    const each = run.flatMap((piece) => (isForeign(piece) ? own([piece]) : [piece]));
    return form !== undefined && run.length > 1 && run.some(isForeign) ? own(each) : each;
  });
  return changed ? toGated({ ...block, pieces: cleaned }) : block;
}

/** Text that somebody put into a shell, or below `author` between other texts. */
const isForeign = ({ trust, text, form }: Piece): boolean =>
  text !== '' && (form === undefined ? isBelow(trust, 'author') : trust !== 'platform');

/** A token of structure is never masked: what was found across one is masked on both sides of it. */
function betweenStructure(pieces: readonly Piece[], found: readonly Replacement[]): readonly Replacement[] {
  const tokens: { readonly start: number; readonly end: number }[] = [];
  let base = 0;
  for (const { text, origin } of pieces) {
    if (origin.kind === 'structure' && text !== '') tokens.push({ start: base, end: base + text.length });
    base += text.length;
  }
  if (tokens.length === 0) return found;
  let first = 0;
  return found.flatMap((each): readonly Replacement[] => {
    while (first < tokens.length && (tokens[first] as { end: number }).end <= each.start) first += 1;
    const parts: Replacement[] = [];
    let from = each.start;
    for (let at = first; at < tokens.length && (tokens[at] as { start: number }).start < each.end; at += 1) {
      const { start, end } = tokens[at] as { start: number; end: number };
      if (from < start) parts.push({ ...each, start: from, end: start });
      from = Math.max(from, end);
    }
    if (from < each.end) parts.push({ ...each, start: from });
    return parts;
  });
}

/** Tokens outside of shells, where the printer has not been: those that text below `author` has a part in. */
function breakLooseTokens(block: GatedBlock): GatedBlock {
  if (!block.pieces.some(({ trust }) => isBelow(trust, 'author'))) return block;
  const tokens = findChatTokens(block.text, block.plain);
  if (tokens.length === 0) return block;
  const isOwn = trustedRanges(block.pieces);
  const found = tokens
    .filter(({ start, end }) => !isOwn(start, end))
    .map(({ start }): PieceReplacement => {
      const end = start + 1;
      return { start, end, text: `${block.text.slice(start, end)} `, kind: 'token' };
    });
  return replaceAll(block, found);
}

/** Whether a range lies in text of `author` or above alone. */
const trustedRanges = (pieces: readonly Piece[]): RangeTest =>
  rangesOf(pieces, ({ trust }) => !isBelow(trust, 'author'));

/** Whether a range lies in platform text alone. */
const shippedRanges = (pieces: readonly Piece[]): RangeTest =>
  rangesOf(pieces, ({ trust }) => trust === 'platform');

/** Ranges are asked for in text order. */
type RangeTest = (start: number, end: number) => boolean;

function rangesOf(pieces: readonly Piece[], isIn: (piece: Piece) => boolean): RangeTest {
  let index = 0;
  let base = 0;
  return (start, end) => {
    while (index < pieces.length && base + (pieces[index] as Piece).text.length <= start) {
      base += (pieces[index] as Piece).text.length;
      index += 1;
    }
    for (let at = index, from = base; at < pieces.length && from < end; at += 1) {
      const piece = pieces[at] as Piece;
      if (piece.text !== '' && !isIn(piece)) return false;
      from += piece.text.length;
    }
    return true;
  };
}

function replaceAll(block: GatedBlock, found: readonly PieceReplacement[]): GatedBlock {
  if (found.length === 0) return block;
  return toGated({ ...block, pieces: replaceInPieces(block.pieces, found) });
}
