import { readLoosely } from '../../ascii.js';

/** A part of a text, from `start` to `end`. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Fewer characters are told by no words. */
const LEAST = 12;
/** How far before a secret the words may begin that tell it: what may stand between them, and the longest of them. */
const BEFORE = 200;
/** What stands behind a secret is looked at too. */
const BEHIND = 4;
/** One that is this long may have no digit. */
const LONG = 32;

const [WORD, DIGIT, UPPER] = [1, 2, 4];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return WORD | DIGIT;
  if (/[A-Z]/.test(char)) return WORD | UPPER;
  return /[a-z_+/=.~!@#%^&*-]/.test(char) ? WORD : 0;
});

/**
 * The parts of a text in which words could tell a secret: around each word that is long enough and has digits as no
 * name of a person or a file has them. Most texts have none, and are not looked at any further.
 */
export function toldWindows(text: string, read = readLoosely(text)): readonly Window[] {
  const { length } = text;
  const windows: { start: number; end: number }[] = [];
  if (length < LEAST) return windows;
  const { bytes, fours } = read;
  for (let at = nextLong(fours, 0, length), last = 0; at < length; at = nextLong(fours, last, length)) {
    let [digits, capitals] = [0, 0];
    let end = at;
    for (; end < length; end += 1) {
      const kind = KINDS[bytes[end]!]!;
      if (kind === 0) break;
      digits += kind & DIGIT;
      capitals |= kind & UPPER;
    }
    let start = at;
    for (; start > last && end > at; start -= 1) {
      const kind = KINDS[bytes[start - 1]!]!;
      if (kind === 0) break;
      digits += kind & DIGIT;
      capitals |= kind & UPPER;
    }
    last = end + 1;
    if (end - start < LEAST) continue;
    const isOdd = digits >= 3 * DIGIT || (digits > 0 && capitals > 0) || end - start >= LONG;
    if (isOdd && !isFile(text, start, end)) add(windows, text, start, end);
  }
  return windows;
}

/** Of a byte from `!` on the sum has the highest bit. */
const FROM_SIGN = 0x5f5f5f5f;
const HIGH_BITS = 0x80808080 | 0;

/**
 * The next place from `from` on that may lie in a long word. Whichever word has twelve characters has two whole fours
 * of the buffer, so every second one is asked whether it is without a blank, and then those beside it.
 */
function nextLong(fours: Int32Array, from: number, length: number): number {
  for (let at = ((from + 3) >> 2) | 1; 4 * at < length; at += 2) {
    if (((fours[at]! + FROM_SIGN) & HIGH_BITS) !== HIGH_BITS) continue;
    const isLong =
      ((fours[at - 1]! + FROM_SIGN) & HIGH_BITS) === HIGH_BITS ||
      ((fours[at + 1]! + FROM_SIGN) & HIGH_BITS) === HIGH_BITS;
    if (isLong) return 4 * at;
  }
  return length;
}

/** So many characters of a word are taken for a secret: of a longer one the end says nothing. */
const TAKEN = 120;
/** The name of a file: it is told by no words. */
const FILE = /^[\w./-]*[A-Za-z0-9]\.[a-z]{1,4}[.!*_&]{0,3}$/;
const isFile = (text: string, start: number, end: number): boolean =>
  end - start <= TAKEN && FILE.test(text.slice(start, end));

/** Parts that touch each other are one. */
function add(
  windows: { start: number; end: number }[],
  text: string,
  wordStart: number,
  wordEnd: number,
): void {
  const start = Math.max(0, wordStart - BEFORE);
  const end = Math.min(text.length, wordEnd + BEHIND);
  const last = windows.at(-1);
  if (last !== undefined && last.end >= start) last.end = end;
  else windows.push({ start, end });
}
