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
 * second reading has what may be the last piece of a block as well as a word that follows. `runs`: the long ones of the text.
 */
export function packedLines(source: string, runs: readonly number[]): readonly HeldText[] {
  if (!hasEncoded(source, runs)) return NONE;
  const { sure, maybe } = blocksOf(source, piecesOf(source, runs));
  return [sure, maybe].filter(({ length }) => length > 0).map((blocks) => readingOf(source, blocks));
}

const NONE: readonly HeldText[] = [];

/** Whether any of the runs is one of an encoding: nearly no text has one, and no block is without. */
function hasEncoded(source: string, runs: readonly number[]): boolean {
  for (let at = 0; at < runs.length; at += 2)
    if (isEncoded(source, { start: runs[at]!, end: runs[at + 1]! })) return true;
  return false;
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
function piecesOf(source: string, runs: readonly number[]): readonly Piece[] {
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
    const isAsWide = (at: number): boolean => at < pieces.length && widthOf(pieces[at]!) === width;
    const gap = isAsWide(first + 1) ? gapAfter(source, pieces, first) : undefined;
    next = first + 1;
    if (gap !== undefined) while (isAsWide(next) && gapAfter(source, pieces, next - 1) === gap) next += 1;
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

const isEncoded = (source: string, { start, end }: Piece): boolean => hasDigitsOfEncoding(source, start, end);

/** One piece by itself says what it is: digits, and letters of either case or as hex and base32 have them. */
export function hasDigitsOfEncoding(text: string, start = 0, end = text.length): boolean {
  const first = text.charCodeAt(start);
  const from = first === 43 || first === 45 ? start + 1 : start;
  const to = Math.min(end, start + LOOK_MAX);
  let [any, all] = [0, ALPHABETS];
  for (let at = from; at < to; at += 1) {
    const kind = kindOf(text.charCodeAt(at));
    any |= kind;
    all &= kind;
  }
  const isMixed = (any & SMALL) !== 0 && (any & CAPITAL) !== 0;
  if ((any & DIGIT) !== 0) return isMixed || all !== 0;
  // Chance writes some lines without a digit, and changes the case more often than names do.
  return isMixed && partsOf(text, from, to) > 0.45 * (to - from);
}

/** A row of letters of one case is one part, and so is everything else. */
function partsOf(text: string, from: number, to: number): number {
  let [parts, last] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const letters = kindOf(text.charCodeAt(at)) & (SMALL | CAPITAL);
    if (letters === 0 || letters !== last) parts += 1;
    last = letters;
  }
  return parts;
}

const kindOf = (code: number): number => (code < 128 ? KINDS[code]! : 0);

const LOOK_MAX = 80;
const [SMALL, CAPITAL, DIGIT] = [1, 2, 4];
/** Those of hex and base32, each in small letters or capitals. */
const DIGITS_OF = [/[\da-f]/, /[\dA-F]/, /[2-7A-Z]/, /[2-7a-z]/];
const ALPHABETS = 0b1111_000;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  const own = /[a-z]/.test(char) ? SMALL : /[A-Z]/.test(char) ? CAPITAL : /\d/.test(char) ? DIGIT : 0;
  return DIGITS_OF.reduce((kind, digits, at) => (digits.test(char) ? kind | (8 << at) : kind), own);
});

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
  if (source.charAt(last.end) === '=') return NO_PIECES;
  const rest = source.slice(last.end, last.end + GAP_MAX + Math.min(LINE_MAX, widthOf(last)));
  const lead = `\n${source.slice(Math.max(0, last.start - GAP_MAX), last.start)}`;
  const signs = signsOf(lead.slice(lead.lastIndexOf('\n')));
  let behindSigns: Piece | undefined;
  let inLine: Piece | undefined;
  let alone: Piece | undefined;
  for (const { 0: run, index } of rest.matchAll(WORDS)) {
    const start = last.end + index;
    const piece = run.length > widthOf(last) ? undefined : { start, end: start + run.length };
    const before = rest.slice(0, index);
    if (gap !== undefined) {
      const between = signsOf(before);
      if (between.length > gap.length) return NO_PIECES;
      if (between === gap && piece) return [piece];
      continue;
    }
    const lines = before.split('\n').length;
    const isOnlySigns = !OTHER.test(before);
    if (lines > 3 && !isOnlySigns) break;
    if (lines > 1 && lines <= 3 && signsOf(before.slice(before.lastIndexOf('\n'))) === signs)
      behindSigns ??= piece;
    if (lines === 1 && signsOf(before).length <= GAP_IN_LINE) inLine = piece ?? inLine;
    if (isOnlySigns && SIGNS_ONLY.test(signsOf(before))) alone ??= piece;
  }
  return [...new Set([behindSigns, inLine, alone])].filter((piece) => piece !== undefined);
}

const NO_PIECES: readonly Piece[] = [];
const WORDS = /[\w+/-]{2,}/g;
/** What is no sign at the end of a line or at the start of one. */
const OTHER = /[^"'`,;+\\\s>#|*/-]/;
/** The end of a line, and what the next one begins with. */
const SIGNS_ONLY = /^["'`,;+\\\s]{0,12}\n[>#|*+/;"'\s-]{0,80}$/;
