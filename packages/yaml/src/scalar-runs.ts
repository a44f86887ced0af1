import type { Scalar } from 'yaml';

/** A run of a scalar's value: as it stands in the source, or decoded from an escape or a fold. */
export interface ScalarRun {
  readonly text: string;
  /** Where it starts in the source, in UTF-16 units. */
  readonly at: number;
  readonly verbatim: boolean;
}

/**
 * The runs of a text scalar, in order: their texts end to end are its value. Every run that is verbatim lies on one
 * line. Undefined for a value that its source does not spell, such as a number that is printed another way.
 */
export function scalarRuns(node: Scalar, source: string): readonly ScalarRun[] | undefined {
  const [start = 0, end = 0] = node.range ?? [];
  const value = String(node.value);
  const runs = isBlock(node)
    ? blockRuns(value, source, start, end)
    : flowRuns(source, start, end, node.type ?? 'PLAIN');
  return runs.map(({ text }) => text).join('') === value ? runs : undefined;
}

const isBlock = ({ type }: Scalar): boolean => type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';

/**
 * A literal or folded block. Each line of the source that is not blank is in the value as it is, without its
 * indentation; what stands between two of them is taken from the value.
 */
function blockRuns(value: string, source: string, start: number, end: number): readonly ScalarRun[] {
  const lines = blockLines(source, start, end);
  const indent = indentOf(value, lines);
  const runs: ScalarRun[] = [];
  let done = 0;
  /** Line ends since the last text, in the source. */
  let breaks: number[] = [];
  for (const { at, text } of lines) {
    const content = text.slice(indent);
    if (content !== '') {
      done += pushBreaks(runs, value, done, breaks);
      runs.push({ text: content, at: at + indent, verbatim: true });
      done += content.length;
      breaks = [];
    }
    breaks.push(at + text.length);
  }
  pushBreaks(runs, value, done, breaks);
  return joined(runs);
}

/** The line ends of the value from `done` on, each where it stands in the source; a fold is where its line ends. */
function pushBreaks(runs: ScalarRun[], value: string, done: number, breaks: readonly number[]): number {
  const first = breaks[0];
  if (first !== undefined && value.charAt(done) === ' ') {
    runs.push({ text: ' ', at: first, verbatim: false });
    return 1;
  }
  let count = 0;
  while (value.charAt(done + count) === '\n') count += 1;
  // Of several line ends in a row, folding takes the first.
  const kept = breaks.slice(Math.max(0, breaks.length - count));
  if (count > kept.length) return 0;
  const isAll = count === breaks.length;
  for (const at of isAll ? breaks : kept.slice(0, count)) runs.push({ text: '\n', at, verbatim: true });
  return count;
}

interface Line {
  readonly at: number;
  /** Without its line end. */
  readonly text: string;
}

function blockLines(source: string, start: number, end: number): readonly Line[] {
  const lines: Line[] = [];
  let at = source.indexOf('\n', start) + 1;
  while (at > 0 && at < end) {
    const next = source.indexOf('\n', at);
    const stop = next === -1 ? source.length : next;
    lines.push({ at, text: source.slice(at, stop).replace(/\r$/, '') });
    at = next + 1;
  }
  return lines;
}

/** How far the block is indented: the value begins with what stands behind it on the first line that is not blank. */
function indentOf(value: string, lines: readonly Line[]): number {
  const first = lines.find(({ text }) => text.trim() !== '');
  if (first === undefined) return Number.POSITIVE_INFINITY;
  const begin = value.replace(/^\n+/, '');
  const extra = begin.length - begin.trimStart().length;
  return first.text.length - first.text.trimStart().length - extra;
}

/** A plain or quoted scalar, whose lines are folded. */
function flowRuns(source: string, start: number, end: number, type: string): readonly ScalarRun[] {
  const isDouble = type === 'QUOTE_DOUBLE';
  const isSingle = type === 'QUOTE_SINGLE';
  const close = isDouble || isSingle ? end - 1 : end;
  const runs: ScalarRun[] = [];
  let at = isDouble || isSingle ? start + 1 : start;
  while (at < close) {
    const next = nextSpecial(source, at, close, { isDouble, isSingle });
    if (next > at) runs.push({ text: source.slice(at, next), at, verbatim: true });
    if (next >= close) break;
    const { text, length } = decodeAt(source, next, close, isDouble);
    if (text !== '') runs.push({ text, at: next, verbatim: false });
    at = next + length;
  }
  return runs;
}

/** Where the next fold or escape begins. */
function nextSpecial(
  source: string,
  from: number,
  close: number,
  { isDouble, isSingle }: { readonly isDouble: boolean; readonly isSingle: boolean },
): number {
  let blank = -1;
  for (let at = from; at < close; at += 1) {
    const char = source.charAt(at);
    if (char === '\n' || char === '\r') return blank === -1 ? at : blank;
    if (char !== ' ' && char !== '\t') blank = -1;
    else if (blank === -1) blank = at;
    if ((isDouble && char === '\\') || (isSingle && char === "'")) return at;
  }
  return close;
}

interface Decoded {
  readonly text: string;
  /** In the source. */
  readonly length: number;
}

function decodeAt(source: string, at: number, close: number, isDouble: boolean): Decoded {
  const char = source.charAt(at);
  if (char === "'") return { text: "'", length: 2 };
  if (char === '\\') return isDouble ? readEscape(source, at, close) : { text: char, length: 1 };
  return readFold(source, at, close, 1);
}

/** Blanks and line ends up to the next text: a single line end is a space, of several the first is dropped. */
function readFold(source: string, at: number, close: number, dropped: number): Decoded {
  let end = at;
  let count = 0;
  for (; end < close && ' \t\r\n'.includes(source.charAt(end)); end += 1)
    if (source.charAt(end) === '\n') count += 1;
  const isSpace = dropped === 1 && count === 1;
  return { text: isSpace ? ' ' : '\n'.repeat(Math.max(0, count - dropped)), length: end - at };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

function readEscape(source: string, at: number, close: number): Decoded {
  const rest = source.slice(at + 1, Math.min(close, at + 10));
  const [digits] = /^(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})/i.exec(rest) ?? [];
  if (digits !== undefined) {
    const point = Number.parseInt(digits.slice(1), 16);
    return { text: point <= 0x10ffff ? String.fromCodePoint(point) : '', length: 1 + digits.length };
  }
  if (/^\r?\n/.test(rest)) {
    const fold = readFold(source, at + 1, close, 1);
    return { text: fold.text === ' ' ? '' : fold.text, length: 1 + fold.length };
  }
  const char = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  return { text: Object.hasOwn(ESCAPES, char) ? (ESCAPES[char] as string) : char, length: 1 + char.length };
}

/** A line and its line end are one run. */
function joined(runs: readonly ScalarRun[]): readonly ScalarRun[] {
  const out: ScalarRun[] = [];
  for (const run of runs) {
    const last = out.at(-1);
    const follows =
      last?.verbatim === true &&
      run.verbatim &&
      !last.text.endsWith('\n') &&
      last.at + last.text.length === run.at;
    if (follows) out[out.length - 1] = { ...last, text: last.text + run.text };
    else out.push(run);
  }
  return out;
}
