import { hasDigitsOfEncoding } from './packed-lines.js';

/** Where a known value may have begun in lines that go on, by the text so far; its length when there is none. */
export type Opens = (text: string) => number;

/**
 * A value that is encoded over lines, each behind the same signs (`# `, a number, the time of a log), is known when its last
 * line is there. So of lines that hold a piece of an encoding the last ones are held: as many as the longest value takes.
 */
export function linesOpen(values: readonly string[]): Opens {
  let most: number | undefined;
  return (text) => {
    most ??= values.reduce((longest, value) => Math.max(longest, new TextEncoder().encode(value).length), 0);
    return openIn(text, Math.min(most * DIGITS_OF_BYTE, DIGITS_MAX));
  };
}

/** Hex has most. */
const DIGITS_OF_BYTE = 2;
/** Of a longer value so much is enough to know it by. */
const DIGITS_MAX = 4_000;
/** No line of an encoding is longer. */
const LINE_MAX = 1_000;
const EMPTY_MAX = 2;

function openIn(text: string, most: number): number {
  let open = text.length;
  let digits = 0;
  let empty = 0;
  for (let end = text.length; digits < most; ) {
    const start = Math.max(text.lastIndexOf('\n', end - 1) + 1, end - LINE_MAX);
    const line = text.slice(start, end);
    const piece = pieceOf(line);
    if (piece === undefined) {
      // The line that is being written may bring one yet.
      if (end < text.length && line.trim() !== '') break;
      empty += 1;
      if (empty > EMPTY_MAX) break;
    } else {
      open = start + piece.start;
      digits += piece.length;
      empty = 0;
    }
    if (start === 0 || text.charCodeAt(start - 1) !== 10) break;
    end = start - 1;
  }
  return open;
}

/** The first run of a line that is one of an encoding. */
function pieceOf(line: string): { readonly start: number; readonly length: number } | undefined {
  for (const { 0: run, index } of line.matchAll(RUN))
    if (hasDigitsOfEncoding(run)) return { start: index, length: run.length };
  return undefined;
}

const RUN = /[A-Za-z0-9+/_-]{18,}/g;
