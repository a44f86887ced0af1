import { guard } from '@cuebook/guard';
import { foldLine } from './fold.js';

/** What a line means to the machines that read prompts and answers. */
export type Structure = 'header' | 'field' | 'role' | 'tool-call';

/**
 * The structure a line has, or looks to have once folded, if any. A line that begins with a backslash is
 * escaped text and never structure. Printer, parser and forgery gate all ask this one function. A caller that
 * knows the line to be plain (see `isPlain`) spares it the folding.
 */
export function structureOf(line: string, isPlain = false): Structure | undefined {
  const first = line.charCodeAt(0);
  if (first === BACKSLASH || !mayStartStructure(line)) return undefined;
  const plain = lexPlain(line);
  // Folding a plain line takes white space from its ends; behind, that changes nothing.
  if (plain !== undefined || (isPlain && first > 0x20)) return plain;
  const folded = foldLine(line);
  return guard('shell.escape.fold', folded !== line) ? lexPlain(folded) : undefined;
}

/**
 * Whether the line at `start` can have structure at all, judged by its first two characters behind blanks.
 * Control characters and whatever is not ASCII may fold away, so they can stand anywhere in structure.
 */
export function mayStartStructure(text: string, start = 0): boolean {
  let at = start;
  let first = text.charCodeAt(at);
  while (first === 0x20 || first === 0x09) {
    at += 1;
    first = text.charCodeAt(at);
  }
  if (first > 0x7e || first < 0x20) return true;
  const starts = STARTS[first];
  if (starts === undefined || starts === NEVER) return false;
  if (starts === ALWAYS) return true;
  const second = text.charCodeAt(at + 1);
  if (second > 0x7e || second < 0x20) return true;
  const isHeader = first < 0x61 && HEADER_CODES[second] === 1;
  return isHeader || ROLE_PAIRS.has(((first | 0x20) << 8) | (second | 0x20));
}

/** The name of the header on this line, exactly as the printer writes it. */
export function headerOn(line: string): string | undefined {
  return HEADER.test(line) ? line : undefined;
}

/** True for a name that can stand as a header. */
export const isHeaderName = (name: string): boolean => HEADER.test(name) && !name.endsWith(END_SUFFIX);

/** True for a name that can stand as a field's key. */
export const isFieldKey = (key: string): boolean => FIELD_KEY.test(key);

/** A shell with an explicit end closes with its header's name and this. */
export const END_SUFFIX = '_END';

function lexPlain(line: string): Structure | undefined {
  const first = line.charCodeAt(0);
  if (first === DASH) return guard('shell.escape.field', FIELD.test(line)) ? 'field' : undefined;
  if (first === BRACE) return guard('shell.escape.tool-call', isToolCall(line)) ? 'tool-call' : undefined;
  if (guard('shell.escape.header', HEADER_LIKE.test(line))) return 'header';
  if (guard('shell.escape.role', ROLE.test(line))) return 'role';
  return undefined;
}

/** JSON may spell any letter as an escape, so the name is looked for in the unescaped text. */
export function isToolCall(line: string): boolean {
  if (line.includes('tool_call')) return true;
  if (!line.includes('\\u')) return false;
  return line
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .includes('tool_call');
}

const BACKSLASH = 0x5c;
const DASH = 0x2d;
const BRACE = 0x7b;
const HEADER = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const HEADER_LIKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[ \t]*:?$/;
const FIELD_KEY = /^[A-Za-z][A-Za-z0-9_.]*$/;
const FIELD = /^-[ \t]*[A-Za-z][A-Za-z0-9_.]*[ \t]*:/;
const ROLE =
  /^(?:<\||<<<dotprompt:|<<\/?SYS>>|\[\/?INST\]|<(?:start|end)_of_turn>|(?:#{1,6}[ \t]*)?(?:system|developer|assistant|user|human)(?:[ \t]*(?:message|prompt|turn))?[ \t]*:|#{1,6}[ \t]*(?:instruction|response)s?[ \t]*:)/i;

const NEVER = 0;
const ALWAYS = 1;
const LETTER = 2;
/** What structure starts with, by ASCII code. */
const STARTS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if ('-{<[#'.includes(char)) return ALWAYS;
  return /[A-Za-z]/.test(char) ? LETTER : NEVER;
});
/** What may follow the first letter of a header. */
const HEADER_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Z0-9_]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** The first two letters of the names of roles, in lower case. */
const ROLE_PAIRS = new Set(
  ['sy', 'de', 'as', 'us', 'hu'].map((pair) => (pair.charCodeAt(0) << 8) | pair.charCodeAt(1)),
);
