import { codesOf, longRuns } from './codes.js';
import type { HeldText } from './reading.js';

// An encoding that goes on over lines stands in each of them behind the same signs: blanks, `> `, `# `, `+`, a number, the
// time of a log, the quote of a string. So what stands between two pieces of the same length is the same but for its digits.

interface Piece {
  readonly start: number;
  readonly end: number;
}

type Block = readonly Piece[];

/** More than this stands between no two pieces. */
const GAP_MAX = 200;
/** No line of an encoding is longer. */
const LINE_MAX = 1_000;
/** On one line no more. */
const GAP_IN_LINE = 12;

/**
 * The blocks of encoded lines in a text, each without what stands between its pieces; none for a text without one. The
 * second reading has what may be the last piece of a block as well as a word that follows.
 */
export function packedLines(source: string): readonly HeldText[] {
  const { sure, maybe } = blocksOf(source, piecesOf(source));
  return [sure, maybe].filter(({ length }) => length > 0).map((blocks) => readingOf(source, blocks));
}

function readingOf(source: string, blocks: readonly Block[]): HeldText {
  /** Of each block, where it begins in the reading. */
  const starts: number[] = [];
  const chunks: string[] = [];
  let length = 0;
  for (const pieces of blocks) {
    starts.push(length);
    const run = pieces.map(({ start, end }) => source.slice(start, end)).join('');
    chunks.push(run, BETWEEN);
    length += run.length + BETWEEN.length;
  }
  return {
    text: chunks.join(''),
    sourceOf: (start, end) => {
      const index = starts.findLastIndex((from) => from <= start);
      const pieces = blocks[index]!;
      const first = placeIn(pieces, start - starts[index]!);
      const last = placeIn(pieces, end - 1 - starts[index]!);
      return first === undefined || last === undefined ? undefined : { start: first, end: last + 1 };
    },
  };
}

const BETWEEN = '\n\n';

/** Where in the source the character `at` of the joined pieces stands. */
function placeIn(pieces: Block, at: number): number | undefined {
  let before = 0;
  for (const { start, end } of pieces) {
    if (at < before + end - start) return start + at - before;
    before += end - start;
  }
  return undefined;
}

/** The long runs that may be pieces: of each line the longest, or all when they are of one length and stand close together. */
function piecesOf(source: string): readonly Piece[] {
  const runs = longRuns(codesOf(source, 'outer'));
  const pieces: Piece[] = [];
  let line: Piece[] = [];
  const close = (): void => {
    if (line.length > 0) pieces.push(...(isCutLine(line) ? line : [longestOf(line)]));
    line = [];
  };
  for (let at = 0; at < runs.length; at += 2) {
    const piece = { start: runs[at]!, end: runs[at + 1]! };
    const last = line.at(-1);
    if (last && (piece.start - last.end > GAP_MAX || source.slice(last.end, piece.start).includes('\n')))
      close();
    line.push(piece);
  }
  close();
  return pieces;
}

const widthOf = ({ start, end }: Piece): number => end - start;
const longestOf = (pieces: readonly Piece[]): Piece =>
  pieces.reduce((best, each) => (widthOf(each) >= widthOf(best) ? each : best));

function isCutLine(pieces: readonly Piece[]): boolean {
  const width = widthOf(pieces[0]!);
  return pieces.every((piece, at) => {
    const isLast = at === pieces.length - 1;
    const isClose = at === 0 || piece.start - pieces[at - 1]!.end <= GAP_IN_LINE;
    return isClose && (isLast ? widthOf(piece) <= width : widthOf(piece) === width);
  });
}

/** Pieces of one length with the same between them, and a shorter one behind; and the same with what stands before. */
function blocksOf(source: string, pieces: readonly Piece[]) {
  const [sure, maybe]: [Block[], Block[]] = [[], []];
  for (let first = 0, next = 0; first < pieces.length; first = next) {
    const width = widthOf(pieces[first]!);
    const gap = gapAfter(source, pieces, first);
    const isNext = (at: number): boolean =>
      at < pieces.length && widthOf(pieces[at]!) === width && gapAfter(source, pieces, at - 1) === gap;
    next = first + 1;
    if (gap !== undefined) while (isNext(next)) next += 1;
    const body = pieces.slice(first, next);
    if (!body.some((piece) => isEncoded(source, piece))) continue;
    const tails = lastPieces(source, body[body.length - 1]!, body.length === 1 ? undefined : gap);
    // The first line may have less room, behind a name.
    const lead = first > 0 && gapAfter(source, pieces, first - 1) !== undefined ? [pieces[first - 1]!] : [];
    const put = (blocks: Block[], block: Block): void => {
      // By itself a piece only says that what may follow it is not needed.
      if (block.length > 1 || tails.length > 0) blocks.push(block);
      if (block.length > 1 && block.every(isSigned(source))) blocks.push(withoutSigns(block));
      if (lead.length > 0) blocks.push([...lead, ...block]);
    };
    const certain = tails.find((tail) => !isWord(source, tail));
    put(sure, certain ? [...body, certain] : body);
    for (const tail of tails) if (tail !== certain) put(maybe, [...body, tail]);
  }
  return { sure, maybe };
}

/** Letters of one case, short, as words are: the last piece of an encoding is seldom such a word. */
const isWord = (source: string, { start, end }: Piece): boolean =>
  end - start < 16 &&
  source.charAt(end) !== '=' &&
  /^(?:[A-Za-z]?[a-z]*|[A-Z]*)$/.test(source.slice(start, end));

/** The sign of a diff is a digit of base64 too. */
const isSigned =
  (source: string) =>
  ({ start }: Piece): boolean =>
    source.charAt(start) === '+' || source.charAt(start) === '-';
const withoutSigns = (block: Block): Block => block.map(({ start, end }) => ({ start: start + 1, end }));

const isEncoded = (source: string, { start, end }: Piece): boolean =>
  hasDigitsOfEncoding(source.slice(start, Math.min(end, start + LOOK_MAX)));

/** One piece by itself says what it is: digits, and letters of either case or as hex and base32 have them. */
export function hasDigitsOfEncoding(piece: string): boolean {
  const run = piece.slice(0, LOOK_MAX).replace(/^[+-]/, '');
  const isMixed = /[A-Z].*[a-z]|[a-z].*[A-Z]/.test(run);
  if (/\d/.test(run)) return isMixed || /^(?:[\da-f]+|[\dA-F]+|[2-7A-Z]+|[2-7a-z]+)$/.test(run);
  // Chance writes some lines without a digit, and changes the case more often than names do.
  return isMixed && run.replaceAll(/[a-z]+|[A-Z]+/g, '.').length > 0.45 * run.length;
}

const LOOK_MAX = 80;

const gapAfter = (source: string, pieces: readonly Piece[], at: number): string | undefined => {
  const next = pieces[at + 1];
  return next && gapOf(source, pieces[at]!.end, next.start);
};

/** What stands between two pieces, whatever its digits and however wide its blanks; undefined where that is too much. */
const gapOf = (source: string, from: number, to: number): string | undefined =>
  to - from > GAP_MAX ? undefined : signsOf(source.slice(from, to));

const signsOf = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/[ \t]+/g, ' ');

/** What may be left for the last line: shorter than the others, and behind the same signs. */
function lastPieces(source: string, last: Piece, gap: string | undefined): readonly Piece[] {
  // Filled up: it was the last.
  if (source.charAt(last.end) === '=') return [];
  const rest = source.slice(last.end, last.end + GAP_MAX + Math.min(LINE_MAX, widthOf(last)));
  const before = `\n${source.slice(Math.max(0, last.start - GAP_MAX), last.start)}`;
  const signs = signsOf(before.slice(before.lastIndexOf('\n')));
  const pieces = [...rest.matchAll(/[\w+/-]{2,}/g)].flatMap(({ 0: run, index }) => {
    const start = last.end + index;
    const between = signsOf(rest.slice(0, index));
    return run.length > widthOf(last) ? [] : [{ start, end: start + run.length, between }];
  });
  const found =
    gap === undefined
      ? [
          pieces.find(({ between }) => between.endsWith(signs) && between.split('\n').length <= 3),
          pieces.findLast(({ between }) => between.length <= GAP_IN_LINE && !between.includes('\n')),
          pieces.find(({ between }) => SIGNS_ONLY.test(between)),
        ]
      : [pieces.find(({ between }) => between === gap)];
  return [...new Set(found)].filter((piece) => piece !== undefined);
}

/** The end of a line, and what the next one begins with. */
const SIGNS_ONLY = /^["'`,;+\\\s]{0,12}\n[>#|*+/;"'\s-]{0,80}$/;
