/** A text as UTF-7 reads it, and as names of mail folders are written in it, where anything in it is encoded so. */
export function* utf7Readings(text: string): Iterable<string> {
  for (const [sign, shifted, slash] of FORMS) {
    if (!text.includes(sign)) continue;
    let found = false;
    const read = text.replace(shifted, (whole, digits: string) => {
      const words = utf16(digits.replaceAll(slash, '/'));
      found ||= words !== undefined;
      return words ?? whole;
    });
    if (found) yield read;
  }
}

const FORMS: readonly (readonly [string, RegExp, string])[] = [
  ['+', /\+([A-Za-z0-9+/]{2,4000})-?/g, '/'],
  ['&', /&([A-Za-z0-9+,]{2,4000})-/g, ','],
];

/** Whole characters of UTF-16, one of them of Latin, with nothing left but zero bits. */
function utf16(digits: string): string | undefined {
  const bytes = Buffer.from(digits, 'base64');
  const even = bytes.length & ~1;
  const spare = digits.length * 6 - even * 8;
  if (even === 0 || spare >= 16 || (even < bytes.length && bytes[even] !== 0)) return undefined;
  const words = Buffer.from(bytes.subarray(0, even)).swap16().toString('utf16le');
  if (!/[\x20-\xff]/.test(words)) return undefined;
  return /[\0-\x08\x0e-\x1f\ud800-\udfff]/.test(words) ? undefined : words;
}
