import { lineSigns } from './line-signs.js';
import { signOf } from './sign.js';
import { holds } from './survey.js';

/** A text that another one holds, as somebody reads it who undoes what it was put into, and the way back. */
export interface HeldText {
  readonly text: string;
  /** What of the source a range of the reading stands for; none where it goes over lines that were left out. */
  sourceOf(start: number, end: number): { readonly start: number; readonly end: number } | undefined;
}

/**
 * A text that holds other texts hides how they begin: the `\n` before a path in a string literal, the colour of a
 * terminal, the `+` of a diff, the name and number of a found line, the stars of emphasis. These are the readings
 * without them; none for a text that has none of them. What is found in one is private wherever it was put.
 * `isStraight`: nothing in the text can be an escape.
 */
export function heldTexts(source: string, isStraight = false): readonly HeldText[] {
  const readings: HeldText[] = [];
  const signs = lineSigns(source);
  const bare =
    signs.isDecorated || isDecorated(source, isStraight)
      ? rewritten(source, DECORATION, () => '')
      : undefined;
  if (bare) readings.push(bare);
  const said = !isStraight && isEscaped(source) ? rewritten(source, ESCAPED, meaningOf) : undefined;
  if (said) readings.push(said);
  // A literal inside of a literal.
  const inner = said && LITERAL.test(said.text) ? rewritten(said.text, ESCAPED, meaningOf) : undefined;
  if (said && inner) readings.push(behind(said, inner));
  const lines =
    signs.goesOn || (signs.hasMargin && goesOverLines(source))
      ? rewritten(source, MARGIN, () => '')
      : undefined;
  if (lines) readings.push(lines);
  return readings;
}

/** No comment of a program is one: `/** `. */
const EMPHASIS = /\*\*(?=[^\s*][^*]{0,400}\*\*)/;
const COLOUR = String.raw`(?:\x1b|\\(?:x1b|u001b|033|e))\[[0-9;?]{0,24}[A-Za-z]`;
const DECORATION = new RegExp(
  [
    COLOUR,
    // A line of a diff, a line that was found in a file.
    String.raw`^[+-](?=[^\s+-])`,
    String.raw`^(?:[\w.@/-]{1,160}:\d{1,6}[:-]|\d{1,6}[:-](?=\S))(?:\d{1,6}[:-])?(?=\D)`,
    // What is emphasised goes up to its other end.
    EMPHASIS.source,
  ].join('|'),
  'gm',
);
const isDecorated = (source: string, isStraight: boolean): boolean =>
  source.includes('\x1b') ||
  (source.includes('**') && EMPHASIS.test(source)) ||
  (!isStraight && source.includes('\\') && ESCAPED_COLOUR.test(source));
const ESCAPED_COLOUR = /\\(?:x1b|u001b|033|e)\[/;

const LITERAL = /\\[nrt"'\\/]/;
const ESCAPED = new RegExp(`${COLOUR}|${LITERAL.source}|%(?:0[AaDd]|2[0267])|&quot;`, 'g');
const isEscaped = (source: string): boolean =>
  source.includes('\\') || source.includes('%2') || source.includes('%0') || source.includes('&quot;');

function meaningOf(match: string): string {
  if (match.length === 2) return LETTERS[match.charAt(1)] ?? match.charAt(1);
  if (match.startsWith('%')) return String.fromCharCode(Number.parseInt(match.slice(1), 16));
  return match === '&quot;' ? '"' : '';
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** What goes on over lines, so that what each line begins with stands in its middle. */
const goesOverLines = (source: string): boolean =>
  holds(source, PACKED) ||
  (holds(source, SECRET) && /\bkind\b["']?: ?["']?Secret\b/.test(source)) ||
  (holds(source, MACHINE) && /\bmachine [\w.]/.test(source));
const [PACKED, SECRET, MACHINE] = [signOf('H4sI'), signOf('Secret'), signOf('machine ')];
const MARGIN = /^[ \t]{0,12}(?:\d{1,6}[ \t]{0,4}[:|\t\u2192]|[>#|*+]{1,3}|\/\/)[ \t]?/gm;

/**
 * The lines that hold a match, with each of them replaced by what it means, at most one character; undefined when
 * nothing matches. The other lines read as they are written.
 */
export function rewritten(
  source: string,
  pattern: RegExp,
  meaning: (match: string) => string,
): HeldText | undefined {
  const places: Place[] = [];
  /** Where lines were left out. */
  const gaps: number[] = [];
  const chunks: string[] = [];
  let length = 0;
  let last = 0;
  let lineEnd = 0;
  const copy = (to: number): void => {
    chunks.push(source.slice(last, to));
    length += to - last;
  };
  const put = (text: string, start: number, end: number): void => {
    places.push({ at: length, size: text.length, start, end });
    chunks.push(text);
    length += text.length;
    last = end;
  };
  for (const { 0: match, index } of source.matchAll(pattern)) {
    if (index >= lineEnd) {
      copy(lineEnd);
      const lineStart = source.lastIndexOf('\n', index - 1) + 1;
      if (index > 0 && lineStart > lineEnd) {
        gaps.push(length);
        put('', lineEnd, lineStart);
      } else last = lineEnd;
      const next = source.indexOf('\n', index);
      lineEnd = next === -1 ? source.length : next + 1;
    }
    copy(index);
    put(meaning(match), index, index + match.length);
  }
  if (places.length === 0) return undefined;
  copy(lineEnd);
  const startOf = (at: number): number => {
    const place = lastPlace(places, at);
    if (!place) return at;
    return at < place.at + place.size ? place.start : place.end + at - place.at - place.size;
  };
  const endOf = (at: number): number => {
    const place = lastPlace(places, at - 1);
    if (!place) return at;
    return at <= place.at + place.size ? place.end : place.end + at - place.at - place.size;
  };
  return {
    text: chunks.join(''),
    sourceOf: (start, end) => {
      if (gaps.some((at) => start < at && at < end)) return undefined;
      return { start: startOf(start), end: endOf(end) };
    },
  };
}

/** A match: `[start, end)` of the source stands for `size` characters at `at`. */
interface Place {
  readonly at: number;
  readonly size: number;
  readonly start: number;
  readonly end: number;
}

/** The last place that begins at or before `at`. */
function lastPlace(places: readonly Place[], at: number): Place | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return places[low - 1];
}

/** A reading of a reading. */
export const behind = (outer: HeldText, inner: HeldText): HeldText => ({
  text: inner.text,
  sourceOf: (start, end) => {
    const range = inner.sourceOf(start, end);
    return range && outer.sourceOf(range.start, range.end);
  },
});
