import { rawByte } from './bytes.js';
import { isPrint } from './is-print.js';

/** A Go string literal in double quotes (`strconv.Quote`); with `ascii` all beyond ASCII is escaped. */
export function quoteString(text: string, ascii = false): string {
  return `"${text.replace(SPECIAL, (character) => quoteCharacter(character, '"', ascii))}"`;
}

/** A Go character literal (`strconv.QuoteRune`). What is no character at all becomes U+FFFD. */
export function quoteRune(codePoint: number, ascii = false): string {
  return `'${quoteCharacter(runeText(codePoint), "'", ascii)}'`;
}

/** The text of a code point; U+FFFD for surrogates and numbers beyond Unicode. */
export function runeText(codePoint: number): string {
  const isCharacter = codePoint >= 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return isCharacter ? String.fromCodePoint(codePoint) : '\ufffd';
}

/** Whether a raw literal in back quotes can hold the text. */
export const canBackquote = (text: string): boolean => !NOT_IN_BACKQUOTES.test(text) && text.isWellFormed();

const SPECIAL = /[^ !#-[\]-~]/gu;
const NOT_IN_BACKQUOTES = /[\0-\x08\x0a-\x1f`\x7f\ufeff]/;

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

function quoteCharacter(character: string, quote: string, ascii: boolean): string {
  if (character === quote) return `\\${quote}`;
  const code = character.codePointAt(0) as number;
  const byte = rawByte(code);
  if (byte !== undefined) return `\\x${byte.toString(16)}`;
  if (code < 0x80 || !ascii) {
    const known = ESCAPES[character];
    if (known !== undefined) return known;
    if (isPrint(code)) return character;
  }
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}
