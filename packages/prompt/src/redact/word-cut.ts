import { guard } from '@cuebook/guard';

/**
 * The last place up to `end` where a text may be cut before it is masked: no word is cut in two that may be a credential,
 * because no mask would know the half of it for one.
 */
export function wordCut(text: string, end: number): number {
  if (!isInside(text, end)) return end;
  let start = end;
  while (start > 0 && end - start < MAX_WORD && isOfWord(text.charCodeAt(start - 1))) start -= 1;
  const isWhole = end - start < MAX_WORD;
  return guard('word.cut', isWhole && isLikely(text.slice(start, end + NEAR))) ? start : end;
}

/** The first place from `start` on where the same holds of what follows it: the beginning of a tail. */
export function wordFrom(text: string, start: number): number {
  if (!isInside(text, start)) return start;
  let end = start;
  while (end < text.length && end - start < MAX_WORD && isOfWord(text.charCodeAt(end))) end += 1;
  const isWhole = end - start < MAX_WORD;
  return guard('word.from', isWhole && isLikely(text.slice(Math.max(0, start - NEAR), end))) ? end : start;
}

/** What is longer is a file in an encoding. */
const MAX_WORD = 4_096;
/** So much of the other half is looked at as well. */
const NEAR = 40;

const isInside = (text: string, at: number): boolean =>
  isOfWord(text.charCodeAt(at)) && isOfWord(text.charCodeAt(at - 1));

const isLikely = (word: string): boolean => /\d/.test(word) && /[A-Za-z]/.test(word);

/** Letters, digits and the signs that tokens have. */
const isOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 45 && code <= 57) || (code >= 65 && code <= 90) || OTHERS.has(code);
const OTHERS: ReadonlySet<number> = new Set([...'_+=~%!#$&*@'].map((char) => char.charCodeAt(0)));
