import { readAlready } from '../../ascii.js';

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
/** All hexadecimal digits may be letters in one that is this long. */
const LONG = 32;

const [WORD, DIGIT, UPPER] = [1, 2, 4];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return WORD | DIGIT;
  if (/[A-Z]/.test(char)) return WORD | UPPER;
  return /[a-z_+/=.~!@#%^&*-]/.test(char) ? WORD : 0;
});

/** The kind of the character at a place. Above ASCII there is no word. */
const kindAt = (text: string, bytes: Uint8Array | undefined, at: number): number =>
  bytes === undefined ? (KINDS[text.charCodeAt(at)] ?? 0) : KINDS[bytes[at]!]!;

/**
 * The parts of a text in which words could tell a secret: around each word that is long enough and has digits as no
 * name of a person or a file has them. Most texts have none, and are not looked at any further.
 */
export function toldWindows(text: string): readonly Window[] {
  const bytes = readAlready(text)?.bytes;
  const windows: { start: number; end: number }[] = [];
  for (let start = 0; start + LEAST <= text.length; ) {
    let at = start + LEAST - 1;
    while (at >= start && kindAt(text, bytes, at) !== 0) at -= 1;
    if (at < start) {
      at = start + LEAST;
      while (at < text.length && kindAt(text, bytes, at) !== 0) at += 1;
      if (mayBeTold(text, bytes, start, at)) add(windows, start, Math.min(text.length, at + BEHIND));
    }
    start = at + 1;
  }
  return windows;
}

function mayBeTold(text: string, bytes: Uint8Array | undefined, start: number, end: number): boolean {
  let [digits, capitals] = [0, 0];
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(text, bytes, at);
    digits += kind & DIGIT;
    capitals += kind & UPPER;
  }
  const isOdd = digits >= 3 * DIGIT || (digits > 0 && capitals > 0) || end - start >= LONG;
  return isOdd && (end - start > TAKEN || !FILE.test(text.slice(start, end)));
}

/** So many characters of a word are taken for a secret: of a longer one the end says nothing. */
const TAKEN = 120;
/** The name of a file: it is told by no words. */
const FILE = /^[\w./-]*[A-Za-z0-9]\.[a-z]{1,4}[.!*_&]{0,3}$/;

/** Parts that touch each other are one. */
function add(windows: { start: number; end: number }[], wordStart: number, end: number): void {
  const start = Math.max(0, wordStart - BEFORE);
  const last = windows.at(-1);
  if (last !== undefined && last.end >= start) last.end = end;
  else windows.push({ start, end });
}
