import { isDigit } from './chars.js';
import { surveyOf } from './survey.js';

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
  const { hasNumbers } = surveyOf(text);
  const { length } = text;
  let isDecorated = false;
  let hasMargin = false;
  let goesOn = false;
  for (let at = 0; ; ) {
    isDecorated ||= isSigned(text, at, length) || isFoundLine(text, at, length, hasNumbers);
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

/** Whether a part of a text reads otherwise at the start of a line than elsewhere. `hasNumbers`: see `Survey`. */
export const startsDecorated = (text: string, start: number, end: number, hasNumbers: boolean): boolean =>
  isSigned(text, start, end) || isFoundLine(text, start, end, hasNumbers);

const isBlank = (code: number): boolean => code === 32 || code === 9;
const MARGINS = tableOf((char) => /[>#|*+/\d]/.test(char));

/** `+x`, `-x`: a line that a diff adds or removes. */
function isSigned(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  if ((code !== 43 && code !== 45) || at + 1 >= end) return false;
  const next = text.charCodeAt(at + 1);
  return next > 32 && next !== 43 && next !== 45;
}

/** `src/a.ts:12:`, `12:`, `12-`. */
function isFoundLine(text: string, from: number, end: number, hasNumbers: boolean): boolean {
  if (hasNumbers) {
    const at = pastName(text, from, end);
    if (at > from && at + 1 < end && text.charCodeAt(at) === 58 && isDigit(text.charCodeAt(at + 1)))
      return true;
  }
  if (from >= end || !isDigit(text.charCodeAt(from))) return false;
  const behind = pastDigits(text, from, end);
  const code = behind < end ? text.charCodeAt(behind) : 0;
  return code === 58 || code === 45;
}

function pastName(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && at - from <= NAME_MAX) {
    const code = text.charCodeAt(at);
    if (code >= 128 || OF_NAME[code] === 0) break;
    at += 1;
  }
  return at;
}

/** No name of a file is longer. */
const NAME_MAX = 160;
const OF_NAME = tableOf((char) => /[\w.@/-]/.test(char));

/** One entry for each ASCII character. */
function tableOf(isIn: (char: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (isIn(String.fromCharCode(code)) ? 1 : 0));
}

function pastDigits(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && at - from < 6 && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** The line that ends at `end` says that something follows. */
function isOpenLine(text: string, end: number): boolean {
  let at = end - 1;
  while (at >= 0 && (isBlank(text.charCodeAt(at)) || text.charCodeAt(at) === 13) && end - at < 6) at -= 1;
  const code = text.charCodeAt(at);
  return code === 58 || code === 61;
}
