import { isAlnum, isCjk, isLetter, isSpace, isWord } from './chars.js';

/**
 * True when a path may start at `at` of a shadow's text: after nothing, space, a quote, a bracket, `=`, `:`,
 * `,`, `;`, `|`, `>`, a word of a script without spaces, or a joined flag such as `-I`. Inside a word,
 * a relative path, a glob, a regular expression or a JSON pointer it may not.
 */
export function isPathStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (before >= 128) return isCjk(before) || !isWord(before);
  if (isSpace(before) || OPENERS.has(before)) return true;
  return isLetter(before) && isAfterFlag(text, at);
}

/** `-I/x`, `-isystem/x`: the letters before `at` are a flag of one dash. */
function isAfterFlag(text: string, at: number): boolean {
  let start = at - 1;
  while (start > 0 && at - start < 10 && isAlnum(text.charCodeAt(start - 1))) start -= 1;
  if (text.charCodeAt(start - 1) !== 45) return false;
  const before = text.charCodeAt(start - 2);
  return Number.isNaN(before) || isSpace(before) || before === 34 || before === 39 || before === 44;
}

const OPENERS = new Set([...'"\'`([{<>=:,;|'].map((char) => char.charCodeAt(0)));
