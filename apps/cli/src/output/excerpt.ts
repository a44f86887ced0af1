import type { Prompt } from '@cuebook/prompt';

/** The words around a place: what stands before it on its line, and from it on. */
export interface Excerpt {
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  readonly before: string;
  readonly after: string;
}

/** The words around a byte of the prompt's text, on its line. */
export function excerptAt({ text }: Pick<Prompt, 'text'>, byte: number): Excerpt {
  const bytes = Buffer.from(text);
  const at = startOfCharacter(bytes, byte);
  const before = bytes.subarray(0, at).toString();
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const column = [...before.slice(lineStart)].length + 1;
  const start = Math.max(lastBreak(bytes, at), at - WINDOW);
  const end = Math.min(nextBreak(bytes, at), at + WINDOW);
  return { line, column, before: clean(bytes.subarray(start, at)), after: clean(bytes.subarray(at, end)) };
}

const WINDOW = 60;

/** Whole characters only: what the window cut in half at its ends is dropped. */
const clean = (bytes: Buffer): string =>
  bytes
    .toString()
    .replace(/^\ufffd+|\ufffd+$/g, '')
    .replace(/\n$/, '');

function startOfCharacter(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

const lastBreak = (bytes: Buffer, at: number): number => (at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1);

function nextBreak(bytes: Buffer, at: number): number {
  const found = bytes.indexOf(10, at);
  return found === -1 ? bytes.length : found;
}
