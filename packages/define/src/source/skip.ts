/** Behind the blanks and comments that start at `at`. */
export function skipBlank(text: string, at: number): number {
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at += 1;
    if (text.charCodeAt(at) !== SLASH) return at;
    const next = text.charCodeAt(at + 1);
    if (next === SLASH) at = endOr(text, text.indexOf('\n', at));
    else if (next === STAR) at = endOr(text, text.indexOf('*/', at + 2), 2);
    else return at;
  }
}

const SLASH = 47;
const STAR = 42;
const BACKSLASH = 92;
const LINE_FEED = 10;

const isBlank = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0xfeff ||
  code === 0x2028 ||
  code === 0x2029;

/** Letters, digits, `_`, `$`, and whatever is not ASCII. */
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 36 ||
  (code >= 0x80 && !isBlank(code));

/** Behind the expression that starts at `at`: at the comma or bracket that ends it, or at the end of the text. */
export function skipExpression(text: string, at: number): number {
  let depth = 0;
  // What a slash means depends on what stands before it: a value is divided, anything else starts a pattern.
  let isValue = false;
  for (at = skipBlank(text, at); at < text.length; at = skipBlank(text, at)) {
    const char = text.charAt(at);
    if (depth === 0 && (char === ',' || char === ';' || isCloser(char))) return at;
    if (char === "'" || char === '"') {
      at = skipString(text, at);
      isValue = true;
    } else if (char === '`') {
      at = skipTemplate(text, at);
      isValue = true;
    } else if (char === '/' && !isValue) {
      at = skipPattern(text, at);
      isValue = true;
    } else if (isWord(text.charCodeAt(at))) {
      const end = skipWord(text, at);
      isValue = !KEYWORD.test(text.slice(at, end));
      at = end;
    } else {
      if (isOpener(char)) depth += 1;
      if (isCloser(char)) depth -= 1;
      isValue = char === ')' || char === ']' || char === '}';
      at += 1;
    }
  }
  return at;
}

/** Behind the quoted string that starts at `at`. A line break ends it, as it would a real one. */
export function skipString(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  // Most strings have no escape: then the next quote ends them, unless the line ends before.
  const close = text.indexOf(text.charAt(at), at + 1);
  const body = close === -1 ? '\\' : text.slice(at + 1, close);
  if (!body.includes('\\') && !body.includes('\n')) return close + 1;
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === BACKSLASH) next += 1;
    else if (code === quote) return next + 1;
    else if (code === LINE_FEED) return next;
  }
  return text.length;
}

/** Behind the template literal that starts at `at`. Its `${}` may hold literals again, at any depth. */
export function skipTemplate(text: string, at: number): number {
  // One entry for each open literal: how many braces are open inside its current `${}`.
  const open: number[] = [];
  let next = at;
  let inText = false;
  for (; next < text.length; next += 1) {
    const char = text.charAt(next);
    if (inText) {
      if (char === '\\') next += 1;
      else if (char === '`') {
        open.pop();
        if (open.length === 0) return next + 1;
        inText = false;
      } else if (char === '$' && text.charAt(next + 1) === '{') {
        inText = false;
        next += 1;
      }
    } else if (char === '`') {
      open.push(0);
      inText = true;
    } else if (char === '{') open[open.length - 1] = (open.at(-1) ?? 0) + 1;
    else if (char === '}') {
      const braces = open.at(-1) ?? 0;
      if (braces === 0) inText = true;
      else open[open.length - 1] = braces - 1;
    } else if (char === "'" || char === '"') next = skipString(text, next) - 1;
  }
  return text.length;
}

/** Behind the name or number that starts at `at`. */
export function skipWord(text: string, at: number): number {
  while (isWord(text.charCodeAt(at))) at += 1;
  return at;
}

/** Behind a regular expression; on a line without an end of one it is a lone slash. */
export function skipPattern(text: string, at: number): number {
  let inClass = false;
  for (let next = at + 1; next < text.length; next += 1) {
    const char = text.charAt(next);
    if (char === '\n') break;
    if (char === '\\') next += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return next + 1;
  }
  return at + 1;
}

const KEYWORD = /^(?:return|typeof|case|in|of|new|void|delete|await|yield|throw|else|do)$/;

const isOpener = (char: string): boolean => char === '(' || char === '[' || char === '{';
const isCloser = (char: string): boolean => char === ')' || char === ']' || char === '}';

const endOr = (text: string, found: number, behind = 0): number =>
  found === -1 ? text.length : found + behind;
