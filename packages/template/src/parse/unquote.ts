import { normal } from '../fmt/bytes.js';
import { runeAt, unitsAt } from './chars.js';

/** What a string constant says, quotes included in `literal`; undefined when an escape is wrong. */
export function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1);
  if (literal[0] === '`') return inner.replaceAll('\r', '');
  if (!inner.includes('\\')) return inner.includes('\n') ? undefined : inner.toWellFormed();
  let text = '';
  for (let at = 0; at < inner.length; ) {
    const character = readCharacter(inner, at, '"');
    if (!character) return undefined;
    text += character.isByte ? byteText(character.code) : String.fromCodePoint(character.code);
    at = character.end;
  }
  return normal(text);
}

/** The number that a character constant is; otherwise what is wrong with it. */
export function unquoteCharacter(literal: string): number | { readonly problem: string } {
  const character = readCharacter(literal, 1, "'");
  if (!character) return { problem: 'invalid syntax' };
  if (literal.slice(character.end) !== "'") return { problem: `malformed character constant: ${literal}` };
  return character.code;
}

interface Character {
  readonly code: number;
  /** An escape that names a byte and no character. */
  readonly isByte: boolean;
  readonly end: number;
}

function readCharacter(text: string, at: number, quote: string): Character | undefined {
  if (at >= text.length || text[at] === quote) return undefined;
  if (text[at] !== '\\') {
    // A byte that is not UTF-8 is U+FFFD here; only a raw string keeps it.
    return { code: runeAt(text, at), isByte: false, end: at + unitsAt(text, at) };
  }
  const letter = text[at + 1] ?? '';
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { code: simple, isByte: false, end: at + 2 };
  if (letter === quote) return { code: letter.charCodeAt(0), isByte: false, end: at + 2 };
  const size = HEX_SIZES[letter];
  if (size !== undefined) return hexEscape(text, at + 2, size);
  const octal = /^[0-7]{3}/.exec(text.slice(at + 1, at + 4));
  const code = octal ? Number.parseInt(octal[0], 8) : 256;
  return code < 256 ? { code, isByte: true, end: at + 4 } : undefined;
}

function hexEscape(text: string, at: number, size: number): Character | undefined {
  const digits = text.slice(at, at + size);
  if (digits.length < size || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  const isByte = size === 2;
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isByte || isCharacter ? { code, isByte, end: at + size } : undefined;
}

const byteText = (byte: number): string => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 | byte);

const HEX_SIZES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '\\': 92,
};
