/** The folder in which a runtime keeps packages, projects and runs: paths below it are nobody's business. */
const STORE = 'runtime-store';
const TAIL = '-store';
const HEAD = STORE.length - TAIL.length;
/** No path is followed further than this, either way. */
const MAX = 400;

/** Where a text names something below a runtime's own store, with the path before it that leads there. */
export function storePaths(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  let last = 0;
  for (let at = next(text, 0); at !== -1; at = next(text, last)) {
    let start = at;
    while (start > last && at - start < MAX && isPathCode(text.charAt(start - 1))) start -= 1;
    let end = at + STORE.length + 1;
    while (end < text.length && end - at < MAX && isPathCode(text.charAt(end))) end += 1;
    const lead = text.slice(start, at);
    // An address and an alias say where they are; what stands before the store in them is told.
    const isTold = lead.includes('://') || lead.startsWith('@');
    found.push({ start: isTold ? at : start, end });
    last = end;
  }
  return found;
}

/** With the separator behind it, a backslash too, as Windows writes it. A short needle with a rare head is found fastest. */
function next(text: string, from: number): number {
  for (let at = text.indexOf(TAIL, from + HEAD); at !== -1; at = text.indexOf(TAIL, at + 1)) {
    const start = at - HEAD;
    if (isSeparator(text.charCodeAt(start + STORE.length)) && text.startsWith(STORE, start)) return start;
  }
  return -1;
}

const isSeparator = (code: number): boolean => code === 47 || code === 92;

const isPathCode = (char: string): boolean => !/[\s"'`<>|;,()[\]{}*?]/.test(char);
