import { isAlnum, isDigit, isInner, isLetter, isSeparator, isSpace } from './chars.js';
import type { Cursor } from './cursor.js';
import { continueAfterSpace, isNewPath } from './path-words.js';
import type { Shadow } from './shadow.js';

/** A path being measured: it starts at `start`, and all before `from` is certainly part of it. */
export interface PathHead {
  readonly start: number;
  readonly from: number;
}

/**
 * Where a path ends in the shadow. Paths have no grammar in prose, so the rules lean to the safe side: inside
 * quotes it goes to the closing quote; else punctuation goes on when a separator or a file extension follows
 * in the same run, a space goes on when the words after it look like the rest of a path, and line numbers and
 * the sentence's own punctuation stay outside. Each call looks at most a bounded distance past the answer.
 */
export function extentEnd(shadow: Shadow, head: PathHead, cursor: Cursor): number {
  const quoted = quotedEnd(shadow.text, head, cursor);
  const end = quoted ?? trimEnd(shadow.text, head, bareEnd(shadow, head, cursor));
  return Math.max(end, head.from);
}

/** The longest quoted path; a quote further away is not the path's own. */
const QUOTED_MAX = 600;

function quotedEnd(text: string, { start, from }: PathHead, cursor: Cursor): number | undefined {
  const open = text.charCodeAt(start - 1);
  const close = CLOSERS.get(open);
  if (close === undefined) return undefined;
  const end = cursor.indexOf(close, from);
  if (end === -1 || end - start > QUOTED_MAX || end > cursor.lineEnd(from)) return undefined;
  if (open === 40 && !isLinkTarget(text, start, end)) return undefined;
  if (open === 39 && isLetter(text.charCodeAt(end + 1)) && isLetter(text.charCodeAt(end - 1)))
    return undefined;
  return open === 40 ? linkEnd(text, start, end) : withoutLineNumber(text, end, from);
}

const CLOSERS: ReadonlyMap<number, string> = new Map(
  ['""', "''", '``', '<>', '()', '“”', '‘’', '«»', '「」', '『』', '《》', '〈〉', '【】'].map(
    (pair) => [pair.charCodeAt(0), pair.charAt(1)] as const,
  ),
);

/** In parentheses a path with spaces is a whole only as the target of a Markdown link. */
const isLinkTarget = (text: string, start: number, end: number): boolean =>
  text.charCodeAt(start - 2) === 93 && !text.slice(start, end).includes('(');

/** `(path "title")`: the title is not part of the path. */
function linkEnd(text: string, start: number, end: number): number {
  const title = /\s+["'(]/.exec(text.slice(start, end));
  return title ? start + title.index : end;
}

function bareEnd(shadow: Shadow, { start, from }: PathHead, cursor: Cursor): number {
  const { text } = shadow;
  const style = styleOf(shadow, start, from);
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code) || HARD_STOPS.has(code) || (isSpace(code) && code !== 32)) return at;
    if (code === 32) {
      const next = style.encoded ? -1 : continueAfterSpace(text, at, start);
      if (next === -1) return at;
      at = next;
    } else if (code === 92) {
      if (!style.backslashes && isBreakEscape(text, at)) return at;
      if (
        style.backslashes &&
        shadow.endOf(at + 1) - shadow.startOf(at) < style.run &&
        isBreakEscape(text, at)
      )
        return at;
      at += 1;
    } else if (code === 40 || code === 91 || code === 123) {
      const close = closingOf(text, at);
      if (close === -1) return at;
      at = close + 1;
    } else if (style.encoded && ENCODED_STOPS.has(code)) return at;
    else if (SOFT_STOPS.has(code) || isWidePunctuation(code)) {
      if (!goesOnAfter(text, at, code, start, cursor)) return at;
      at += 1;
    } else at += 1;
  }
}

interface Style {
  readonly backslashes: boolean;
  /** How many backslashes the source writes for one separator. */
  readonly run: number;
  /** Separators are spelled by escapes: raw `&`, `#` and spaces are not the path's. */
  readonly encoded: boolean;
}

function styleOf(shadow: Shadow, start: number, from: number): Style {
  let run = Number.POSITIVE_INFINITY;
  let backslashes = false;
  let encoded = false;
  for (let at = start; at < from; at += 1) {
    const code = shadow.text.charCodeAt(at);
    if (!isSeparator(code)) continue;
    const source = shadow.startOf(at);
    if (shadow.source.charCodeAt(source) === 37) encoded = true;
    if (code === 92) {
      backslashes = true;
      run = Math.min(run, shadow.endOf(at + 1) - source);
    }
  }
  return { backslashes, run, encoded };
}

/** `\n`, `\t` or `\r` of a string literal, not a folder's first letter. */
const isBreakEscape = (text: string, at: number): boolean => {
  const letter = text.charCodeAt(at + 1);
  return letter === 110 || letter === 116 || letter === 114;
};

/** The bracket that closes the one at `at`, on the same line and near, or -1. */
function closingOf(text: string, at: number): number {
  const open = text.charCodeAt(at);
  const close = open === 40 ? 41 : open + 2;
  for (let index = at + 1, depth = 1; index < text.length && index - at < 80; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10 || code === 13 || code === 34) return -1;
    if (code === open) depth += 1;
    if (code === close) depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** Whether a path goes on past the punctuation at `at`. */
function goesOnAfter(text: string, at: number, code: number, start: number, cursor: Cursor): boolean {
  const next = text.charCodeAt(at + 1);
  if (Number.isNaN(next) || isSpace(next)) {
    if (next !== 32 || !SPACED.has(code) || hasExtension(text, start, at)) return false;
    return continueAfterSpace(text, at + 1, start) !== -1 && nextWordHasSeparator(text, at + 2);
  }
  if (isNewPath(text, at + 1) || isAssignment(text, at + 1)) return false;
  if (code === 39) return isLetter(next) && isAlnum(text.charCodeAt(at - 1));
  if (code === 58 && (hasExtension(text, start, at) || isLineNumber(text, at))) return false;
  if (hasExtension(text, start, at) && (code === 44 || code === 59 || code > 127)) return false;
  return (
    cursor.pathGoesOn(at) ||
    (code === 58 && isTime(text, at) && continueAfterSpace(text, at + 3, start) !== -1)
  );
}

function nextWordHasSeparator(text: string, from: number): boolean {
  for (let at = from; at < text.length && at - from < 80; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) return false;
    if (isSeparator(code)) return true;
  }
  return false;
}

/** `&z=1`, `,mode=rw`. */
function isAssignment(text: string, from: number): boolean {
  let at = from;
  while (at - from < 24 && (isAlnum(text.charCodeAt(at)) || text.charCodeAt(at) === 95)) at += 1;
  return at > from && text.charCodeAt(at) === 61;
}

function isLineNumber(text: string, colon: number): boolean {
  let at = colon + 1;
  while (isDigit(text.charCodeAt(at)) && at - colon < 9) at += 1;
  if (isTime(text, colon)) return false;
  return at > colon + 1 && !isAlnum(text.charCodeAt(at)) && !isSeparator(text.charCodeAt(at));
}

/** `/10:30 notes.md`: the segment before the colon is one or two digits. */
const isTime = (text: string, colon: number): boolean =>
  /[\\/]\d{1,2}$/.test(text.slice(Math.max(0, colon - 3), colon)) && text.charCodeAt(colon + 3) === 32;

/** The last segment before `end` looks like a file name: `a.md`, `.env.local`. */
export function hasExtension(text: string, start: number, end: number): boolean {
  let at = end - 1;
  while (at >= start && end - at <= 7 && isAlnum(text.charCodeAt(at))) at -= 1;
  if (text.charCodeAt(at) !== 46 || at <= start || at === end - 1 || end - at > 7) return false;
  return (
    isLetter(text.charCodeAt(at + 1)) &&
    !isSeparator(text.charCodeAt(at - 1)) &&
    !isSpace(text.charCodeAt(at - 1))
  );
}

/** Drops what belongs to the sentence around: closing punctuation, emphasis, `:10:5`. */
function trimEnd(text: string, { start, from }: PathHead, bare: number): number {
  let end = bare;
  while (end > from) {
    const code = text.charCodeAt(end - 1);
    const isEmphasis = (code === 42 || code === 95) && text.charCodeAt(start - 1) === code;
    if (!isEmphasis && !TRAILING.has(code) && !isWidePunctuation(code) && code !== 32) break;
    end -= 1;
  }
  return withoutLineNumber(text, end, from);
}

function withoutLineNumber(text: string, end: number, from: number): number {
  let at = end;
  for (let count = 0; count < 2; count += 1) {
    let digits = at;
    while (digits > from && isDigit(text.charCodeAt(digits - 1))) digits -= 1;
    if (digits === at || digits <= from || text.charCodeAt(digits - 1) !== 58) break;
    at = digits - 1;
  }
  return at;
}

const isWidePunctuation = (code: number): boolean =>
  !isInner(code) &&
  ((code >= 0x2010 && code <= 0x206f) || (code >= 0x3001 && code <= 0x303f) || code === 0x300c);

const codesOf = (chars: string): ReadonlySet<number> => new Set([...chars].map((char) => char.charCodeAt(0)));
const HARD_STOPS = codesOf('"`<>|');
const SOFT_STOPS = codesOf(",;:!?'&#)]}*");
const ENCODED_STOPS = codesOf('&#\'";,)');
const SPACED = codesOf(',;:');
const TRAILING = codesOf(".,;:!?')]}*");
