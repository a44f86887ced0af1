import { isDigit, isWord } from './chars.js';

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
    if (MARGINS.has(first) || isDigit(first)) {
      hasMargin = true;
      goesOn ||= isOpenLine(text, at - 1);
    }
    const end = text.indexOf('\n', at);
    if (end === -1 || (isDecorated && goesOn)) return { isDecorated, hasMargin, goesOn };
    at = end + 1;
  }
}

const isBlank = (code: number): boolean => code === 32 || code === 9;
const MARGINS: ReadonlySet<number> = new Set([...'>#|*+/'].map((char) => char.charCodeAt(0)));

/** `+x`, `-x`: a line that a diff adds or removes. */
function isSigned(text: string, at: number, code: number): boolean {
  if (code !== 43 && code !== 45) return false;
  const next = text.charCodeAt(at + 1);
  return next > 32 && next !== 43 && next !== 45;
}

/** `src/a.ts:12:`, `12:`, `12-`. */
function isFoundLine(text: string, from: number): boolean {
  let at = from;
  while (at - from <= NAME_MAX && isOfName(text.charCodeAt(at))) at += 1;
  if (text.charCodeAt(at) === 58 && isDigit(text.charCodeAt(at + 1))) return at > from;
  return isDigit(text.charCodeAt(from)) && /[:-]/.test(text.charAt(pastDigits(text, from)));
}

/** No name of a file is longer. */
const NAME_MAX = 160;
const isOfName = (code: number): boolean =>
  (code < 128 && isWord(code)) || code === 46 || code === 64 || code === 47 || code === 45 || code === 95;

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
