/**
 * A word of base 85 as bytes, by each alphabet that has all of its characters. Any dense line has some reading, so only
 * words and containers are one.
 */
export function* base85Readings(word: string): Iterable<Uint8Array> {
  const inner = /<~(.*?)~>/s.exec(word)?.[1] ?? word.replace(/^<~|~>$/g, '');
  for (const digits of [...new Set([inner, word.replace(/^["'`(]+|["'`),;]+$/g, '')])])
    for (const alphabet of ALPHABETS) {
      const bytes = decode(digits, alphabet);
      if (bytes !== undefined && isLikely(bytes)) yield bytes;
    }
}

const ASCII_85 = Array.from({ length: 85 }, (_, at) => String.fromCharCode(33 + at)).join('');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const Z_85 = `0123456789${LETTERS.toLowerCase()}${LETTERS}.-:+=^!/*?&<>()[]{}@%$#`;
const RFC_1924 = `0123456789${LETTERS}${LETTERS.toLowerCase()}!#$%&()*+-;<=>?@^_\x60{|}~`;

const ALPHABETS: readonly Int8Array[] = [ASCII_85, Z_85, RFC_1924].map((alphabet) => {
  const digits = new Int8Array(128).fill(-1);
  for (const [value, char] of [...alphabet].entries()) digits[char.charCodeAt(0)] = value;
  if (alphabet === ASCII_85) digits[122] = 85;
  return digits;
});

/** The value of `z` of ASCII 85: four zero bytes. */
const ZEROS = 85;

function decode(word: string, digits: Int8Array): Uint8Array | undefined {
  const bytes: number[] = [];
  let group = 0;
  let value = 0;
  const take = (digit: number): boolean => {
    value = value * 85 + digit;
    group += 1;
    if (group < 5) return true;
    if (value > 0xffffffff) return false;
    bytes.push(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
    [group, value] = [0, 0];
    return true;
  };
  for (let at = 0; at < word.length; at += 1) {
    const digit = digits[word.charCodeAt(at)] ?? -1;
    if (digit === -1) return undefined;
    if (digit === ZEROS) {
      if (group !== 0) return undefined;
      bytes.push(0, 0, 0, 0);
    } else if (!take(digit)) return undefined;
  }
  const left = group;
  while (group !== 0) if (!take(84)) return undefined;
  return Uint8Array.from(left === 0 ? bytes : bytes.slice(0, bytes.length - (5 - left)));
}

function isLikely(bytes: Uint8Array): boolean {
  if (CONTAINERS.test(Buffer.from(bytes.subarray(0, 8)).toString('latin1'))) return true;
  const head = bytes.subarray(0, 400);
  let plain = 0;
  for (const byte of head)
    if ((byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9) plain += 1;
  return plain > 0.9 * head.length;
}

/** How zip, gzip, zlib, PDF and what is packed otherwise begin. */
const CONTAINERS =
  /^(?:PK|\x1f\x8b|\x78[\x01\x5e\x9c\xda]|%PDF|BZh|7z\xbc|Rar!|\xfd7zXZ|\x28\xb5\x2f\xfd|\x04"M\x18)/;
