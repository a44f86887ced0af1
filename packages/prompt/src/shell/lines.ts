import { guard } from '@cuebook/guard';

/** One line of a text: `[start, end)` without its break, which is `[end, next)`. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/**
 * The line that starts at `start`. A line ends at anything a reader or a model may take for a line break:
 * LF, CR, CRLF, vertical tab, form feed, the file, group and record separators (at which Python splits), NEL, and
 * Unicode's line and paragraph separators.
 */
export function lineAt(text: string, start: number): Line {
  const end = lineEnd(text, start);
  if (end === text.length) return { start, end, next: end };
  const crlf = text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a;
  return { start, end, next: end + (crlf ? 2 : 1) };
}

/** Where the line that starts at `start` ends: at its break, or at the end of the text. */
export function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isBreak(text.charCodeAt(end))) end += 1;
  return end;
}

/** Every line in order; a text that ends with a break has an empty last line. */
export function* linesOf(text: string): Generator<Line> {
  for (let start = 0; ; ) {
    const line = lineAt(text, start);
    yield line;
    if (line.next === line.end) return;
    start = line.next;
  }
}

/** True for text that has no line break of any kind. */
export function isOneLine(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (isBreak(text.charCodeAt(i))) return false;
  return true;
}

function isBreak(code: number): boolean {
  if (code > 0x1e && code < 0x85) return false;
  if (code === 0x0a || code === 0x0d) return true;
  const unusual =
    code === 0x0b ||
    code === 0x0c ||
    (code >= 0x1c && code <= 0x1e) ||
    code === 0x85 ||
    code === 0x2028 ||
    code === 0x2029;
  return guard('shell.break.unicode', unusual);
}
