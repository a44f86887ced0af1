export interface MatchOptions {
  readonly before?: number;
  readonly after?: number;
  /** The number of the first line. */
  readonly line: number;
  /** The most matches to answer. */
  readonly limit: number;
}

export interface LineMatch {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The lines of UTF-8 text that hold the needle, each once; undefined for bytes that are no text. */
export function findInBytes(
  bytes: Buffer,
  needle: Buffer,
  { before = 0, after = 0, limit, line: firstLine }: MatchOptions,
): readonly LineMatch[] | undefined {
  if (bytes.includes(0)) return undefined;
  const matches: LineMatch[] = [];
  let line = firstLine;
  let counted = 0;
  for (let at = bytes.indexOf(needle); at !== -1 && matches.length < limit; ) {
    const start = at === 0 ? 0 : bytes.lastIndexOf(FEED, at - 1) + 1;
    const end = lineEnd(bytes, start);
    line += countFeeds(bytes, counted, start);
    counted = start;
    matches.push({
      line,
      column: codePoints(bytes, start, at) + 1,
      text: lineText(bytes, start, end),
      before: linesBefore(bytes, start, before),
      after: linesAfter(bytes, end, after),
    });
    at = end + 1 > bytes.length ? -1 : bytes.indexOf(needle, end + 1);
  }
  return matches;
}

/** How many lines end in a range. */
export function countFeeds(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(FEED, from); at !== -1 && at < to; at = bytes.indexOf(FEED, at + 1)) count += 1;
  return count;
}

const FEED = 0x0a;
/** In bytes: more of a line tells a reader nothing. */
const MAX_LINE = 400;

function lineEnd(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(FEED, start);
  return feed === -1 ? bytes.length : feed;
}

/** Bytes that begin a character. */
function codePoints(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}

function lineText(bytes: Buffer, start: number, end: number): string {
  let stop = Math.min(end, start + MAX_LINE);
  while (stop < end && stop > start && ((bytes[stop] ?? 0) & 0xc0) === 0x80) stop -= 1;
  const text = bytes.toString('utf8', start, stop);
  return stop < end ? `${text}…` : text.replace(/\r$/, '');
}

function linesBefore(bytes: Buffer, start: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let end = start - 1; end >= 0 && lines.length < count; ) {
    const begin = end === 0 ? 0 : bytes.lastIndexOf(FEED, end - 1) + 1;
    lines.unshift(lineText(bytes, begin, end));
    end = begin - 1;
  }
  return lines;
}

function linesAfter(bytes: Buffer, end: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let start = end + 1; start < bytes.length && lines.length < count; ) {
    const stop = lineEnd(bytes, start);
    lines.push(lineText(bytes, start, stop));
    start = stop + 1;
  }
  return lines;
}
