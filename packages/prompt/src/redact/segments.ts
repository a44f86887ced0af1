import { isAlnum, isInner, isSeparator, isSpace, isWord } from './chars.js';

/** A character of an account's name. */
export const isUserCode = (code: number): boolean =>
  isAlnum(code) || code === 45 || code === 46 || code === 95;

/** A segment starts like a name, not like a placeholder (`{id}`, `:id`, `<you>`, `$USER`, `*`, `...`). */
export const isNameCode = (code: number): boolean => isWord(code) || isInner(code);

/** A name, or a hidden one such as `.config`. */
export const isSegmentStart = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return (
    isNameCode(code) ||
    ((code === 46 || code === 45 || code === 43 || code === 35) && isNameCode(text.charCodeAt(at + 1)))
  );
};

/** The end of the segment that starts at `from`: at a separator, or where no name goes on. */
export function segmentEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < 256) {
    const code = text.charCodeAt(at);
    if (isSeparator(code) || isSpace(code) || SEGMENT_STOPS.has(code)) break;
    at += 1;
  }
  return at;
}

const SEGMENT_STOPS = new Set([...'"\'`<>|*?:;,()[]{}$&=!'].map((char) => char.charCodeAt(0)));
