/**
 * Code of the same length in which only code and short strings are left: comments, template literals, and strings that
 * hold quotes themselves are blank, so that words in a prompt never look like code. Half-written code is read as far as
 * it goes; nothing runs.
 */
export function maskCode(text: string): string {
  let made = '';
  let at = 0;
  for (const { index, 0: found } of text.matchAll(PIECES)) {
    made += text.slice(at, index);
    const isString = /^["']/.test(found) && !/["'`]/.test(found.slice(1, -1));
    made += isString ? found : found.replaceAll(/[^\n]/g, ' ');
    at = index + found.length;
  }
  return made + text.slice(at);
}

const PIECES =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|`(?:[^`\\]|\\[\s\S])*(?:`|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** Code without what stands in the lists of a key, as in `variables: [...]`: its length stays the same. */
export function withoutList(code: string, key: RegExp): string {
  let made = code;
  for (const { index, 0: head } of code.matchAll(key)) {
    const start = index + head.length;
    const end = closeOf(code, start);
    made = made.slice(0, start) + made.slice(start, end).replaceAll(/[^\n]/g, ' ') + made.slice(end);
  }
  return made;
}

/** Where the bracket that was opened before `start` is closed; the end where it is not. */
function closeOf(code: string, start: number): number {
  let open = 1;
  for (const { index, 0: mark } of code.slice(start).matchAll(MARKS)) {
    open += /[[({]/.test(mark) ? 1 : /[\])}]/.test(mark) ? -1 : 0;
    if (open === 0) return start + index;
  }
  return code.length;
}

/** The strings that stand in a list itself, not in what is in it; `start` is behind its bracket. */
export function stringsInList(
  code: string,
  start: number,
): readonly { readonly name: string; readonly start: number }[] {
  const found: { readonly name: string; readonly start: number }[] = [];
  let open = 0;
  for (const { index, 0: mark } of code.slice(start).matchAll(MARKS)) {
    if (/^["']/.test(mark)) {
      if (open === 0) found.push({ name: mark.slice(1, -1), start: start + index + 1 });
      continue;
    }
    open += /[[({]/.test(mark) ? 1 : -1;
    if (open < 0) break;
  }
  return found;
}

/** How many brackets are open at each of the places, which are in order. */
export function depthsAt(code: string, places: readonly number[]): readonly number[] {
  const marks = [...code.matchAll(MARKS)];
  let open = 0;
  let next = 0;
  return places.map((place) => {
    for (let mark = marks[next]; mark !== undefined && mark.index < place; mark = marks[next]) {
      open += /[[({]/.test(mark[0]) ? 1 : /[\])}]/.test(mark[0]) ? -1 : 0;
      next += 1;
    }
    return open;
  });
}

/** Brackets; strings are taken whole, so that what is in them does not count. */
const MARKS = /"[^"\n]*"|'[^'\n]*'|[[\](){}]/g;
