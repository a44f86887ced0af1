import { CONFIDENTIAL_MASK, type Prompt } from '@cuebook/prompt';
import { guard } from '../guard.js';

/** The words around a place: what stands before it on its line, and from it on. */
export interface Excerpt {
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  readonly before: string;
  readonly after: string;
}

/** The words around a byte of the prompt's text, on its line, with confidential text masked. */
export function excerptAt(prompt: Prompt, byte: number, { reveal }: { reveal: boolean }): Excerpt {
  const bytes = Buffer.from(prompt.text);
  const at = startOfCharacter(bytes, byte);
  const before = bytes.subarray(0, at).toString();
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const column = [...before.slice(lineStart)].length + 1;
  const shown = guard('explain.mask', !reveal) ? maskedBytes(prompt, bytes) : bytes;
  const start = Math.max(lastBreak(shown, at), at - WINDOW);
  const end = Math.min(nextBreak(shown, at), at + WINDOW);
  return { line, column, before: clean(shown.subarray(start, at)), after: clean(shown.subarray(at, end)) };
}

const WINDOW = 60;

/** Bytes of the same length with confidential ones blanked, so that offsets stay true. */
function maskedBytes(prompt: Prompt, bytes: Buffer): Buffer {
  if (prompt.blocks.every(({ spans }) => spans.every(({ secrecy }) => secrecy === 'public'))) return bytes;
  const masked = Buffer.from(bytes);
  let base = 0;
  for (const { spans, text } of prompt.blocks) {
    for (const { start, end, secrecy } of spans)
      if (secrecy !== 'public') masked.fill(BLANK, base + start, base + end);
    if (text !== '') base += Buffer.byteLength(text) + 2;
  }
  return masked;
}

/** One byte that is a character by itself; a NUL that was in the text before is shown as masked too. */
const BLANK = 0;

/** Whole characters only: what the window cut in half at its ends is dropped. */
const clean = (bytes: Buffer): string =>
  bytes
    .toString()
    .replace(/^\ufffd+|\ufffd+$/g, '')
    .replace(/\u0000+/g, CONFIDENTIAL_MASK)
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
