import { signOf } from './sign.js';
import { holds } from './survey.js';

/** The folder in which a runtime keeps packages, projects and runs: paths below it are nobody's business. */
const STORE = 'runtime-store';
const SIGN = signOf(STORE);
/** No path is followed further than this, either way. */
const MAX = 400;

/** Where a text names something below a runtime's own store, with the path before it that leads there. */
export function storePaths(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  if (!holds(text, SIGN)) return found;
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

/** With the separator behind it, a backslash too, as Windows writes it. */
function next(text: string, from: number): number {
  let at = text.indexOf(STORE, from);
  while (at !== -1 && !isSeparator(text.charCodeAt(at + STORE.length))) at = text.indexOf(STORE, at + 1);
  return at;
}

const isSeparator = (code: number): boolean => code === 47 || code === 92;

const isPathCode = (char: string): boolean => !/[\s"'`<>|;,()[\]{}*?]/.test(char);
