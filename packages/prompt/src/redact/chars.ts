/** Character tests on UTF-16 code units. `NaN`, the code past the end of a string, is in no class. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isUpper = (code: number): boolean => code >= 65 && code <= 90;
export const isLower = (code: number): boolean => code >= 97 && code <= 122;
export const isLetter = (code: number): boolean => isLower(code | 32) && code < 128;
export const isAlnum = (code: number): boolean => isDigit(code) || isLetter(code);
/** Space, tab, line breaks and the wide spaces that folding leaves alone. */
export const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0x85 || code === 0x2028 || code === 0x2029;
/** The value of a hex digit, or -1. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 && code < 128 ? lower - 87 : -1;
}
/** `/`, or the backslash that stands for it. */
export const isSeparator = (code: number): boolean => code === 47 || code === 92;

/**
 * A character that was spelled by an escape (`%20`, `\ `) cannot end a word or a path. The shadow's `text`
 * holds it moved into the private use area; `lower` holds it plain.
 */
const INNER = 0xe000;
export const innerOf = (code: number): number => INNER + code;
export const isInner = (code: number): boolean => code > INNER && code < INNER + 128;
export const plainOf = (code: number): number => (isInner(code) ? code - INNER : code);

/** Part of a word in any script: not ASCII punctuation, not space, not general or CJK punctuation. */
export function isWord(code: number): boolean {
  if (code < 128) return isAlnum(code) || code === 95;
  return code >= 0xc0 && !isPunctuationBeyondAscii(code) && !isInner(code) && !Number.isNaN(code);
}

const isPunctuationBeyondAscii = (code: number): boolean =>
  (code >= 0x2000 && code <= 0x2e7f) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xff00 && code <= 0xff0f) ||
  code === 0xfeff ||
  code === 0xfffd;

/** Scripts written without spaces, where a word may stand right beside a path. */
export const isCjk = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x11ff) ||
  (code >= 0x2e80 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xfaff);
