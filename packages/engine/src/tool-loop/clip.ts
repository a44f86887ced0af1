/** The text when it has at most so many UTF-8 bytes; else its beginning, cut between characters, and a mark. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  const mark = `\n[cut: ${bytes.length} bytes in all]`;
  return `${beginning(bytes, Math.max(0, maxBytes - mark.length))}${mark}`;
}

/** UTF-8 bytes of a text. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** At most so many UTF-16 units, for samples and messages, never half a character. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A text that somebody else wrote, as one short quoted line. */
export const quote = (text: string): string => JSON.stringify(clipText(text, 80));

function beginning(bytes: Uint8Array, end: number): string {
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
