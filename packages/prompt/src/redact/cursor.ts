import { isAlnum, isLetter, isSeparator, isSpace } from './chars.js';

/**
 * Answers questions about what lies ahead in a text without ever reading a stretch twice: each answer is
 * kept until the questions move past it. Questions must come in rising order of place, or they cost a
 * fresh look.
 */
export interface Cursor {
  /** The next place of `needle` at or after `from`, or -1. */
  indexOf(needle: string, from: number): number;
  /** The end of the line that `from` is in. */
  lineEnd(from: number): number;
  /** True when a separator or a file extension follows `at` before the next space, quote or angle. */
  pathGoesOn(at: number): boolean;
}

export function createCursor(text: string): Cursor {
  let seen: Map<string, { asked: number; answer: number }> | undefined;
  const indexOf = (needle: string, from: number): number => {
    seen ??= new Map();
    const last = seen.get(needle);
    if (last && last.asked <= from && (last.answer === -1 || last.answer >= from)) return last.answer;
    const answer = text.indexOf(needle, from);
    seen.set(needle, { asked: from, answer });
    return answer;
  };
  let runStart = 0;
  let runEnd = 0;
  let lastSign = -1;
  return {
    indexOf,
    lineEnd: (from) => {
      const at = indexOf('\n', from);
      return at === -1 ? text.length : at;
    },
    pathGoesOn: (at) => {
      if (at < runStart || at >= runEnd) {
        runStart = at;
        ({ runEnd, lastSign } = measureRun(text, at));
      }
      return lastSign > at;
    },
  };
}

/** The run of characters that may be one path, and the last separator or extension in it. */
function measureRun(text: string, from: number): { readonly runEnd: number; readonly lastSign: number } {
  let lastSign = -1;
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === 34 || code === 96 || code === 60 || code === 62 || code === 124) break;
    if (isSeparator(code)) lastSign = at;
    if (code === 46 && isAlnum(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at + 1))) lastSign = at;
  }
  return { runEnd: at + 1, lastSign };
}
