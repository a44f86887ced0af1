import type { SecretRange } from './secret/secret-value.js';

/** Shorter ones could be put together from the letters of a sentence. */
const LEAST = 8;

/**
 * What may stand between two characters of a secret that is cut: quotes of a shell or a program with a `+` between them,
 * the end of a line with what a diff, a comment, a quotation or a folded text begins the next one with, colours of a
 * terminal, a backslash, a space.
 */
const CUT = String.raw`(?:\x1b\[[0-9;]{0,12}[mK]|["'\x60]{1,5}(?:[ \t]{0,4}[+.&,]?\s{0,40}["'\x60]{1,5})?|\\?\r?\n[ \t]{0,40}(?:[+>#|*-]{1,2}[ \t]{0,4})?["'\x60]?|\\n[ \t]{0,40}|\\{1,4}|<wbr ?/?>|[ \t])?`;
/** Between the numbers of a list of bytes. */
const COMMA = String.raw`[,;\s]{1,40}`;

/** Finds known secrets that are cut into pieces, or written as a list of the numbers of their bytes. */
export function compileSplit(credentials: readonly string[]): (text: string) => readonly SecretRange[] {
  const known = [...new Set(credentials)].filter(({ length }) => length >= LEAST);
  if (known.length === 0) return () => NONE;
  const cut = new RegExp(known.map((secret) => [...secret].map(escaped).join(CUT)).join('|'), 'gu');
  const listed = new RegExp(
    known.map((secret) => [...bytesOf(secret)].map(numeral).join(COMMA)).join('|'),
    'gi',
  );
  return (text) => {
    if (text.length < LEAST) return NONE;
    const pieces = rangesOf(cut, text);
    const numbers = LIST.test(text) ? rangesOf(listed, text) : NONE;
    return numbers.length === 0 ? pieces : [...pieces, ...numbers].sort((a, b) => a.start - b.start);
  };
}

/**
 * Where a known secret may have begun that is cut and goes on in what follows the text, or the text's length. A
 * beginning of fewer characters than `BEGUN` is too common to be held back.
 */
export function compileOpen(credentials: readonly string[]): (text: string) => number {
  const known = [...new Set(credentials)].filter(({ length }) => length >= LEAST);
  if (known.length === 0) return ({ length }) => length;
  let open: RegExp | undefined;
  return (text) => {
    open ??= new RegExp(`(?:${known.map(begun).join('|')})${CUT_BEGUN}$`, 'u');
    const from = Math.max(0, text.length - OPEN_MAX);
    const at = text.slice(from).search(open);
    return at === -1 ? text.length : from + at;
  };
}

const BEGUN = 3;
/** How much of the end of a text is looked at, and of a secret: it is cut once or a few times. */
const OPEN_MAX = 400;
const SECRET_MAX = 100;
/** The beginning of what may stand between two characters. */
const CUT_BEGUN = String.raw`[\s"'\x60+.&,\\>#|*<wbr/\x1b\[0-9;-]{0,60}`;

/** The beginnings of a secret, the longest first, each of `BEGUN` characters or more. */
function begun(secret: string): string {
  const chars = [...secret].slice(0, SECRET_MAX).map(escaped);
  const rest = chars.slice(BEGUN).reduceRight((more, char) => `(?:${CUT}${char}${more})?`, '');
  return chars.slice(0, BEGUN).join(CUT) + rest;
}

const NONE: readonly SecretRange[] = [];
/** Eight numbers, one after the other. */
const LIST = /(?:\b(?:0x[0-9a-f]{2}|\d{2,3})[,;\s]{1,40}){7}/i;

/** By the pattern itself: a copy of it would be compiled for each text. */
function rangesOf(pattern: RegExp, text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
    found.push({ start: match.index, end: pattern.lastIndex });
  return found;
}

const escaped = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const bytesOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);
/** A byte in hex or as a number. */
const numeral = (byte: number): string => `(?:0x${byte.toString(16).padStart(2, '0')}|${byte})`;
