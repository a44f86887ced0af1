import { wordCut } from '@cuebook/prompt';

/** The beginning of a text and the way to the rest. */
export function preview(text: string, bytes: number) {
  return {
    truncated: true,
    contentPreview: clip(text, bytes),
    totalLines: text.split('\n').length,
    hint: 'Read a window with startLine and endLine, or find the place with fs.search.',
  };
}

/** At most so many UTF-8 bytes: no character is cut, and no word that may be a credential. */
export function clip(text: string, bytes: number): string {
  const encoded = Buffer.from(text.slice(0, bytes), 'utf8');
  if (encoded.length <= bytes && text.length <= bytes) return encoded.toString('utf8');
  let end = Math.min(bytes, encoded.length);
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return text.slice(0, wordCut(text, encoded.toString('utf8', 0, end).length));
}
