/**
 * The offset of the first byte that is not part of valid UTF-8, -1 when all is valid. Overlong forms,
 * surrogates, code points past U+10FFFF and a cut sequence are invalid; the offset is where that sequence
 * begins. One pass.
 */
export function findInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const form = FORMS.find((candidate) => lead >= candidate.from && lead <= candidate.to);
    if (form === undefined) return at;
    const second = bytes[at + 1];
    if (second === undefined || second < form.low || second > form.high) return at;
    for (let next = 2; next < form.length; next += 1) {
      const byte = bytes[at + next];
      if (byte === undefined || (byte & 0xc0) !== 0x80) return at;
    }
    at += form.length;
  }
  return -1;
}

/** Lead byte range, whole length, and the range of the second byte: the table of the Unicode standard. */
const FORMS = [
  { from: 0xc2, to: 0xdf, length: 2, low: 0x80, high: 0xbf },
  { from: 0xe0, to: 0xe0, length: 3, low: 0xa0, high: 0xbf },
  { from: 0xe1, to: 0xec, length: 3, low: 0x80, high: 0xbf },
  { from: 0xed, to: 0xed, length: 3, low: 0x80, high: 0x9f },
  { from: 0xee, to: 0xef, length: 3, low: 0x80, high: 0xbf },
  { from: 0xf0, to: 0xf0, length: 4, low: 0x90, high: 0xbf },
  { from: 0xf1, to: 0xf3, length: 4, low: 0x80, high: 0xbf },
  { from: 0xf4, to: 0xf4, length: 4, low: 0x80, high: 0x8f },
] as const;
