import { wordCut } from '@cuebook/prompt';

/** The text when it has at most so many UTF-8 bytes; else its beginning, cut between characters and words, and a mark. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  const mark = `\n[cut: ${bytes.length} bytes in all]`;
  const begin = beginning(bytes, Math.max(0, maxBytes - mark.length));
  return `${text.slice(0, wordCut(text, begin.length))}${mark}`;
}

/** UTF-8 bytes of a text. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** At most so many UTF-16 units, for samples and messages, never half a character. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * The same of words that are masked later: no word is cut in two that may be a credential, because nobody would know the
 * half of it for one.
 */
export function clipWords(text: string, max: number): string {
  return text.length <= max ? text : clipText(text, wordCut(text, max - 1) + 1);
}

/** A text that somebody else wrote, as one short quoted line. */
export const quote = (text: string): string => JSON.stringify(clipWords(text, 80));

function beginning(bytes: Uint8Array, end: number): string {
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
