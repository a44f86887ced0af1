import type { SecretRange } from './secret/secret-value.js';

/**
 * Finds known secrets in dumps of bytes, as `xxd`, `hexdump` and `od` write them: each line is an offset and the bytes
 * behind it, in hex or octal, one by one or as words of either byte order, or as characters. The lines go without their
 * offsets. Text without an offset of such a dump is not looked at.
 */
export function compileDump(credentials: readonly string[]): (text: string) => readonly SecretRange[] {
  const known = [...new Set(credentials)].filter(({ length }) => length >= LEAST).map(latin);
  if (known.length === 0) return () => NONE;
  return (text) => (text.includes(SIGN) ? dumpsOf(text).flatMap((lines) => secretsIn(lines, known)) : NONE);
}

/**
 * Where the lines of a dump begin that hold the beginning of a known secret, when the dump goes on behind the text; or the
 * text's length.
 */
export function compileDumpOpen(credentials: readonly string[]): (text: string) => number {
  const known = [...new Set(credentials)].filter(({ length }) => length >= LEAST).map(latin);
  return (text) => {
    if (known.length === 0 || !text.includes(SIGN)) return text.length;
    const from = Math.max(0, text.length - OPEN_MAX);
    // A word that is not written to its end says nothing yet.
    const tail = text.slice(from).replace(/[^\s]{1,16}$/, '');
    const lines = dumpsOf(tail).at(-1) ?? [];
    const end = lines.at(-1)?.end;
    if (end === undefined || !OFFSET.test(tail.slice(end))) return text.length;
    const starts = READINGS.flatMap((read) => {
      const parts = lines.map(read);
      const begun = Math.max(...known.map((secret) => begunAt(parts.join(''), secret)));
      return begun === 0 ? [] : [lines[lineOf(parts, begun)]!.start];
    });
    return Math.min(text.length, ...starts.map((start) => from + start));
  };
}

/** The longest dump of one secret that is looked at. */
const OPEN_MAX = 8_000;
/** The beginning of one more line. */
const OFFSET = /^\s*(?:(?:0x)?[0-9a-f]{0,16}:?[ \t]*)$/i;

/** How many of the last bytes are the beginning of the secret. */
function begunAt(bytes: string, secret: string): number {
  for (let length = Math.min(bytes.length, secret.length - 1); length > 0; length -= 1)
    if (bytes.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** The line that the last bytes of all begin in. */
function lineOf(parts: readonly string[], bytes: number): number {
  let line = parts.length - 1;
  for (let left = bytes - parts[line]!.length; left > 0 && line > 0; left -= parts[line]!.length) line -= 1;
  return line;
}

const NONE: readonly SecretRange[] = [];
/** Shorter ones are there by chance. */
const LEAST = 6;
/** What the offsets of every dump begin with. */
const SIGN = '0000';

/** UTF-8, one character for each byte. */
const latin = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

interface Line {
  readonly start: number;
  readonly end: number;
  readonly isHexDump: boolean;
  readonly rest: string;
}

const LINE = /(?<![\w.])(?:0x)?0[0-9a-f]{3,15}:?(?=[ \t])([^\n]{2,400})/gi;

/** Lines of dumps, those that follow each other together. */
function dumpsOf(text: string): readonly (readonly Line[])[] {
  const dumps: Line[][] = [];
  let last = -1;
  for (const { 0: all, 1: rest = '', index } of text.matchAll(LINE)) {
    const end = index + all.length;
    const start = end - rest.length;
    const line = { start, end, isHexDump: text[start - 1] === ':', rest };
    if (last !== -1 && text.slice(last, index).trim() === '') dumps.at(-1)?.push(line);
    else dumps.push([line]);
    last = line.end;
  }
  return dumps;
}

function secretsIn(lines: readonly Line[], known: readonly string[]): readonly SecretRange[] {
  const found: SecretRange[] = [];
  for (const read of READINGS) {
    const parts = lines.map(read);
    const bytes = parts.join('');
    for (const secret of known) {
      // Places only grow, so the lines are gone through once.
      let line = 0;
      let end = parts[0]?.length ?? 0;
      const lineAt = (place: number): Line | undefined => {
        while (end <= place && line + 1 < lines.length) {
          line += 1;
          end += parts[line]?.length ?? 0;
        }
        return lines[line];
      };
      for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + secret.length)) {
        const first = lineAt(at);
        const last = lineAt(at + secret.length - 1);
        if (first && last) found.push({ start: first.start + indentOf(first), end: last.end });
      }
    }
  }
  return joined(found);
}

const indentOf = ({ rest }: Line): number => rest.length - rest.trimStart().length;

function joined(found: readonly SecretRange[]): readonly SecretRange[] {
  const all: SecretRange[] = [];
  for (const range of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || last.end < range.start) all.push(range);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return all;
}

/** The numbers of a line: before the column of characters, which a bar or two spaces set off. */
function numbersOf({ rest, isHexDump }: Line): readonly string[] {
  const bar = rest.indexOf('|');
  const numbers = bar === -1 ? rest.trim() : rest.slice(0, bar).trim();
  const column = isHexDump ? (numbers.split(/ {2,}/)[0] ?? '') : numbers;
  return column.split(/\s+/);
}

const bytesOf = (word: string, digits: number, radix: number): readonly number[] => {
  const value = word.length === digits ? Number.parseInt(word, radix) : Number.NaN;
  if (!Number.isFinite(value)) return [];
  return digits === 6 ? [value & 0xff, value >> 8] : [value & 0xff];
};

const pairs = (word: string): readonly string[] => word.match(/../g) ?? [];
const isHexWord = (word: string): boolean => /^(?:[0-9a-f]{2}){1,8}$/i.test(word);
const charsOf = (bytes: readonly number[]): string =>
  String.fromCharCode(...bytes.map((byte) => byte & 0xff));
const hexOf = (word: string): string => charsOf(pairs(word).map((pair) => Number.parseInt(pair, 16)));

/** A line as characters, one for each byte; a zero for what is no byte. */
const READINGS: readonly ((line: Line) => string)[] = [
  (line) => whileHex(line).map(hexOf).join(''),
  (line) =>
    whileHex(line)
      .map((word) => [...hexOf(word)].reverse().join(''))
      .join(''),
  // The last word of a dump may be shorter, and stand apart.
  (line) =>
    whileHex({ ...line, isHexDump: false })
      .map((word) => [...hexOf(word)].reverse().join(''))
      .join(''),
  (line) => charsOf(numbersOf(line).flatMap((word) => bytesOf(word, 3, 8))),
  (line) => charsOf(numbersOf(line).flatMap((word) => bytesOf(word, 6, 8))),
  ({ rest }) => cellsOf(rest),
];

/** Up to what is no hex: the column of characters. */
function whileHex(line: Line): readonly string[] {
  const words = numbersOf(line);
  const end = words.findIndex((word) => !isHexWord(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Characters in cells of four, as `od -c` writes them. */
function cellsOf(rest: string): string {
  let chars = '';
  for (const cell of rest.match(/.{4}/gsu) ?? []) {
    const shown = cell.trim();
    if (shown.length > 1) chars += /^\d{3}$/.test(shown) ? charsOf([Number.parseInt(shown, 8)]) : '\0';
    else chars += shown === '' ? ' ' : shown;
  }
  return chars;
}
