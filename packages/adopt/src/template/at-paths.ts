import { codeRanges, isWithin } from './code-spans.js';

/** `@path` in a text: the offset of the `@`, and what stands behind it. */
export interface AtPath {
  readonly start: number;
  readonly path: string;
}

/** `@` at the beginning or behind a blank, up to the next blank. */
const AT = /(^|[\s(])@([^\s@]+)/g;

/** Every `@path` of a text of Markdown outside of code: tools put the file in its place. */
export function findAtPaths(text: string): readonly AtPath[] {
  const code = codeRanges(text);
  return [...text.matchAll(AT)]
    .map((match) => ({ start: match.index + (match[1] ?? '').length, path: match[2] ?? '' }))
    .filter(({ start }) => !isWithin(code, start));
}
