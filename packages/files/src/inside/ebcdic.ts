/**
 * Bytes of EBCDIC as text, by the code pages that differ in the signs of ASCII, or nothing where the bytes do not look
 * like it: small letters, digits and blanks all stand where ASCII has none.
 */
export function* ebcdicReadings(bytes: Uint8Array): Iterable<string> {
  if (!isEbcdic(bytes)) return;
  for (const page of PAGES) {
    const out = Buffer.alloc(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) out[at] = page[bytes[at]!]!;
    yield out.toString('latin1');
  }
}

export function isEbcdic(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 4096);
  if (sample.length < 8) return false;
  let letters = 0;
  let known = 0;
  for (const byte of sample) {
    const kind = KINDS[byte]!;
    if (kind === 2) letters += 1;
    if (kind !== 0) known += 1;
  }
  return letters > 0.4 * sample.length && known > 0.9 * sample.length;
}

/** Where a row of characters begins. */
const ROWS: readonly (readonly [number, string])[] = [
  [0x81, 'abcdefghi'],
  [0x91, 'jklmnopqr'],
  [0xa1, '~stuvwxyz'],
  [0xc0, '{ABCDEFGHI'],
  [0xd0, '}JKLMNOPQR'],
  [0xe0, '\\'],
  [0xe2, 'STUVWXYZ'],
  [0xf0, '0123456789'],
  [0x40, ' '],
  [0x4b, '.<(+|&'],
  [0x5a, '!$*);'],
  [0x60, '-/'],
  [0x6b, ',%_>?'],
  [0x79, '`:#@\'="'],
  [0x05, '\t'],
  [0x0d, '\r'],
  [0x15, '\n'],
  [0x25, '\n'],
];
/** What the pages 037, 1047 and 500 have in other places. */
const DIFFERENT: readonly Readonly<Record<number, string>>[] = [
  { 186: '[', 187: ']', 176: '^' },
  { 173: '[', 189: ']', 95: '^' },
  { 74: '[', 90: ']', 95: '^', 79: '!', 187: '|' },
];

const PAGES: readonly Uint8Array[] = DIFFERENT.map((own) => {
  const page = new Uint8Array(256).fill(32);
  for (const [start, row] of ROWS)
    for (const [at, char] of [...row].entries()) page[start + at] = char.charCodeAt(0);
  for (const [byte, char] of Object.entries(own)) page[Number(byte)] = char.charCodeAt(0);
  return page;
});

/** 2 for small letters, 1 for anything else that such a text has. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const row = ROWS.find(([start, chars]) => byte >= start && byte < start + chars.length);
  const isOther = DIFFERENT.some((own) => own[byte] !== undefined);
  if (row === undefined) return isOther ? 1 : 0;
  return /[a-z]/.test(row[1][byte - row[0]]!) ? 2 : 1;
});
