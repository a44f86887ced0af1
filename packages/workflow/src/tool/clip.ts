/** The beginning of a text and the way to the rest. */
export function preview(text: string, bytes: number) {
  return {
    truncated: true,
    contentPreview: clip(text, bytes),
    totalLines: text.split('\n').length,
    hint: 'Read a window with startLine and endLine, or find the place with fs.search.',
  };
}

/** At most so many UTF-8 bytes, whole characters only. */
export function clip(text: string, bytes: number): string {
  const encoded = Buffer.from(text.slice(0, bytes), 'utf8');
  if (encoded.length <= bytes) return encoded.toString('utf8');
  let end = bytes;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString('utf8', 0, end);
}
