import { isCjk, isLetter, isSpace, isWord } from './chars.js';

/**
 * True when a path may start at `at` of a shadow's text: after nothing, space, a quote, a bracket, `=`, `:`,
 * `,`, `;`, `|`, `>`, a word of a script without spaces, or a joined flag such as `-I`. Inside a word,
 * a relative path, a glob, a regular expression or a JSON pointer it may not.
 */
export function isPathStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (before >= 128) return isCjk(before) || !isWord(before);
  if (isSpace(before) || OPENERS.has(before) || isInterpreter(text, at)) return true;
  if (before === 64) return isArgumentFile(text, at);
  return isLetter(before) && isAfterFlag(text, at);
}

/** `-d @/x`, `--data=@/x`: a program reads its arguments there. Elsewhere `@/x` is a module of a program. */
function isArgumentFile(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - 32), at - 1);
  return (
    /(?:^|\s)--?[\w-]{1,24}[= ]["']?$|[=;]$/.test(near) ||
    (/^\/(?:srv|workdir|mnt|data\d+)\//.test(text.slice(at, at + 12)) && /(?:^|\s)$/.test(near))
  );
}

/** `#!/x`: the program of a script. */
export const isInterpreter = (text: string, at: number): boolean =>
  text.charCodeAt(at - 1) === 33 && text.charCodeAt(at - 2) === 35;

/** `-I/x`: a dash and one letter stand before `at`. */
function isAfterFlag(text: string, at: number): boolean {
  if (text.charCodeAt(at - 2) !== 45) return false;
  const before = text.charCodeAt(at - 3);
  return Number.isNaN(before) || isSpace(before) || OPENERS.has(before);
}

/** ASCII characters, other than spaces, after which a path may start. */
export const OPENERS: ReadonlySet<number> = new Set([...'"\'`([{<>=:,;|'].map((char) => char.charCodeAt(0)));
