import { guarded } from '@cuebook/guard';
import { cutPieces, type Piece, piecesText, slicePiece } from '@cuebook/prompt';
import { sameLines } from './same-lines.js';

export interface Vouching {
  /** The text that a hook was given. */
  readonly before: readonly Piece[];
  /** What it made of it. */
  readonly answer: string;
  /** Texts that are known by whom they are: what is written in the hook's code, and values that are trusted. */
  readonly known: readonly Piece[];
  /** Texts that anybody may have written, and that the hook could read. */
  readonly untrusted: readonly string[];
  readonly hook: string;
}

/**
 * The answer of a hook as labelled pieces. A function may have its words from anywhere, so only what is shown to be
 * somebody's is theirs: the text that it was given, whole or by whole lines in their order; the two ends of a line that
 * it changed; and texts that are written out in its own code. All else is what a function computed, `tool`. Pure.
 */
export function vouch({ before, answer, known, untrusted, hook }: Vouching): readonly Piece[] {
  const place = createPlaces(answer);
  const isClear = (start: number, end: number): boolean => {
    const run = answer.slice(start, end);
    const rest = `${answer.slice(0, start)}\0${answer.slice(end)}`;
    return untrusted.every((value) => !value.includes(run) || rest.includes(value));
  };
  placeGiven(place, before, answer, isClear);
  const texts = known.flatMap(spellings).sort((a, b) => b.text.length - a.text.length);
  for (const piece of texts) {
    for (let at = answer.indexOf(piece.text); at !== -1; at = answer.indexOf(piece.text, at + 1)) {
      const end = at + piece.text.length;
      if (!place.isFree(at, end) || splitsWord(answer, at) || splitsWord(answer, end)) continue;
      if (isClear(at, end)) place.put(at, end, [piece]);
    }
  }
  return place.filled((start, end) => ({
    text: answer.slice(start, end),
    origin: { kind: 'result', ref: hook },
    trust: guarded('hook.words', () => 'tool', 'author'),
    secrecy: 'public',
    volatility: 'turn',
  }));
}

/** The least that says anything by itself: shorter texts, and single names, stand in every file. */
const saysEnough = (text: string): boolean =>
  text.replaceAll(/\s/g, '').length >= 4 && /[^A-Za-z0-9_-]/.test(text);

/** A written text as a function may use it: as it is, trimmed, or line by line. */
function spellings(piece: Piece): readonly Piece[] {
  const { text } = piece;
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  const trimmed = end > start ? [slicePiece(piece, start, end)] : [];
  const lines: Piece[] = [];
  for (const { index, 0: line } of text.includes('\n') ? text.matchAll(/\S[^\n]*/g) : []) {
    lines.push(slicePiece(piece, index, index + line.trimEnd().length));
  }
  const seen = new Set<string>();
  return [piece, ...trimmed, ...lines].filter((each) => {
    const isNew = !seen.has(each.text) && saysEnough(each.text);
    seen.add(each.text);
    return isNew;
  });
}

/** What is left of the text that the hook was given. */
function placeGiven(
  place: Places,
  before: readonly Piece[],
  answer: string,
  isClear: (start: number, end: number) => boolean,
): void {
  const text = piecesText(before);
  if (text === '') return;
  const whole = wholeAt(answer, text);
  if (whole !== -1) place.put(whole, whole + text.length, before);
  for (const { left, right, same } of whole !== -1 ? [] : sameLines(text, answer)) {
    if (same) place.put(right.start, right.end, cutPieces(before, left.start, left.end));
    else {
      const [head, tail] = commonEnds(text.slice(left.start, left.end), answer.slice(right.start, right.end));
      const put = (from: number, at: number, length: number): void => {
        if (!saysEnough(answer.slice(at, at + length)) || !isClear(at, at + length)) return;
        place.put(at, at + length, cutPieces(before, from, from + length));
      };
      put(left.start, right.start, head);
      put(left.end - tail, right.end - tail, tail);
    }
  }
}

/** Where a text stands in another, at an end of it if it can. */
function wholeAt(answer: string, text: string): number {
  if (answer.startsWith(text)) return 0;
  if (answer.endsWith(text)) return answer.length - text.length;
  const at = answer.indexOf(text);
  return at !== -1 && (splitsWord(answer, at) || splitsWord(answer, at + text.length)) ? -1 : at;
}

/** How much two texts have in common at their beginning and at their end, without a part of a word. */
function commonEnds(a: string, b: string): readonly [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a.charCodeAt(head) === b.charCodeAt(head)) head += 1;
  while (head > 0 && (splitsWord(a, head) || splitsWord(b, head))) head -= 1;
  let tail = 0;
  while (tail < most - head && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail))
    tail += 1;
  while (tail > 0 && (splitsWord(a, a.length - tail) || splitsWord(b, b.length - tail))) tail -= 1;
  return [head, tail];
}

/** Whether a cut here would go through a word or a character. */
function splitsWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  return WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));
}

const WORD = /[A-Za-z0-9_\u00c0-\u024f\u0370-\u052f]/;

interface Places {
  readonly isFree: (start: number, end: number) => boolean;
  readonly put: (start: number, end: number, pieces: readonly Piece[]) => void;
  /** All pieces in order, with what `other` says of the gaps. */
  readonly filled: (other: (start: number, end: number) => Piece) => readonly Piece[];
}

/** Which parts of a text are known, each part once. */
function createPlaces(text: string): Places {
  const taken: { readonly start: number; readonly end: number; readonly pieces: readonly Piece[] }[] = [];
  const isFree = (start: number, end: number): boolean =>
    taken.every((each) => end <= each.start || each.end <= start);
  return {
    isFree,
    put(start, end, pieces) {
      if (start < end && isFree(start, end)) taken.push({ start, end, pieces });
    },
    filled(other) {
      const all: Piece[] = [];
      let at = 0;
      for (const { start, end, pieces } of taken.sort((a, b) => a.start - b.start)) {
        if (at < start) all.push(other(at, start));
        all.push(...pieces);
        at = end;
      }
      if (at < text.length) all.push(other(at, text.length));
      return all;
    },
  };
}
