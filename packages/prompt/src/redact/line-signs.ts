import { isDigit } from './chars.js';

/** What the lines of a text begin with. */
interface LineSigns {
  /** A sign of a diff, or the place of a line that was found in a file. */
  readonly isDecorated: boolean;
  /** A sign of a quotation, a comment or a list, or a number. */
  readonly hasMargin: boolean;
  /** A line with such a margin stands behind one that ends in a colon or an equals sign. */
  readonly goesOn: boolean;
}

/** A quick look at every line of a text: most have nothing of it, so nothing here makes a string. */
export function lineSigns(text: string): LineSigns {
  let isDecorated = false;
  let hasMargin = false;
  let goesOn = false;
  for (let at = 0; ; ) {
    const code = text.charCodeAt(at);
    isDecorated ||= isSigned(text, at, code) || isFoundLine(text, at);
    let from = at;
    while (isBlank(text.charCodeAt(from)) && from - at < 12) from += 1;
    const first = text.charCodeAt(from);
    if (first < 128 && MARGINS[first] === 1) {
      hasMargin = true;
      goesOn ||= isOpenLine(text, at - 1);
    }
    const end = text.indexOf('\n', at);
    if (end === -1 || (isDecorated && goesOn)) return { isDecorated, hasMargin, goesOn };
    at = end + 1;
  }
}

/** Whether a text reads otherwise at the start of a line than elsewhere. */
export const startsDecorated = (text: string): boolean =>
  isSigned(text, 0, text.charCodeAt(0)) || isFoundLine(text, 0);

const isBlank = (code: number): boolean => code === 32 || code === 9;
const MARGINS = tableOf((char) => /[>#|*+/\d]/.test(char));

/** `+x`, `-x`: a line that a diff adds or removes. */
function isSigned(text: string, at: number, code: number): boolean {
  if (code !== 43 && code !== 45) return false;
  const next = text.charCodeAt(at + 1);
  return next > 32 && next !== 43 && next !== 45;
}

/** `src/a.ts:12:`, `12:`, `12-`. */
function isFoundLine(text: string, from: number): boolean {
  let at = from;
  let code = text.charCodeAt(at);
  while (code < 128 && OF_NAME[code] === 1 && at - from <= NAME_MAX) {
    at += 1;
    code = text.charCodeAt(at);
  }
  if (code === 58 && isDigit(text.charCodeAt(at + 1))) return at > from;
  return isDigit(text.charCodeAt(from)) && /[:-]/.test(text.charAt(pastDigits(text, from)));
}

/** No name of a file is longer. */
const NAME_MAX = 160;
const OF_NAME = tableOf((char) => /[\w.@/-]/.test(char));

/** One entry for each ASCII character. */
function tableOf(isIn: (char: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (isIn(String.fromCharCode(code)) ? 1 : 0));
}

function pastDigits(text: string, from: number): number {
  let at = from;
  while (at - from < 6 && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** The line that ends at `end` says that something follows. */
function isOpenLine(text: string, end: number): boolean {
  let at = end - 1;
  while (at >= 0 && (isBlank(text.charCodeAt(at)) || text.charCodeAt(at) === 13) && end - at < 6) at -= 1;
  const code = text.charCodeAt(at);
  return code === 58 || code === 61;
}
