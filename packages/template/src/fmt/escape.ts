import type { Value } from '../value/value.js';
import { toBytes } from './bytes.js';
import { isPrint } from './is-print.js';
import { printOperands } from './print-value.js';
import { PRINT_LIMIT } from './sprint.js';

// Each bounds the printed operands by `limit` as `sprint` does; the escapes come on top, at most sixfold.

/** The `html` function: the operands as printed, safe in HTML text and attributes. */
export function htmlEscape(args: readonly Value[], limit: number = PRINT_LIMIT): string {
  return printOperands(args, limit).replace(HTML, (character) => HTML_ESCAPES[character] as string);
}

/** The `js` function: the operands as printed, safe inside a JavaScript string. */
export function jsEscape(args: readonly Value[], limit: number = PRINT_LIMIT): string {
  return printOperands(args, limit).replace(JS, jsCharacter);
}

/** The `urlquery` function: the operands as printed, safe as a value in the query of a URL. */
export function urlQueryEscape(args: readonly Value[], limit: number = PRINT_LIMIT): string {
  const text = printOperands(args, limit);
  if (!URL_UNSAFE.test(text)) return text;
  let escaped = '';
  for (const byte of toBytes(text)) escaped += URL_BYTES[byte];
  return escaped;
}

const HTML = /[\0"'&<>]/g;
const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

const JS = /[\0-\x1f"&'<=>\\]|[^\0-\x7f]/gu;
const JS_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '"': '\\"' };

function jsCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  // A byte that is not UTF-8 stays as it is.
  if (code >= 0x80 && (isPrint(code) || isSurrogate(code))) return character;
  return JS_ESCAPES[character] ?? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

const URL_UNSAFE = /[^\w.~-]/;

/** How each byte is written. */
const URL_BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === ' ') return '+';
  return URL_UNSAFE.test(character) ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}` : character;
});
