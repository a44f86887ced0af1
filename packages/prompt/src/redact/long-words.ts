/** No word that is shorter is told by words beside it, a token or an encoding. */
export const LONG_WORD = 12;

const [WORD, DIGIT, UPPER] = [1, 2, 4];
/** By code: what a word has that the character is part of; 0 for what no word has. */
const WORD_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return WORD | DIGIT;
  if (/[A-Z]/.test(char)) return WORD | UPPER;
  return /[a-z_+/=.~!@#%^&*-]/.test(char) ? WORD : 0;
});

/** Of a byte from `!` on the sum has the highest bit. */
const FROM_SIGN = 0x5f5f5f5f;
const HIGH_BITS = 0x80808080 | 0;

/**
 * Whether four bytes of ASCII have no blank. A word of twelve characters has two such fours of a buffer that follow each
 * other, whichever place it begins at.
 */
export const isSolid = (four: number): boolean => ((four + FROM_SIGN) & HIGH_BITS) === HIGH_BITS;

/** One that is this long may have no digit. */
const LONGER = 32;

/**
 * Adds the word around a place, when it is long and not the one that was added last: where it starts and ends, and 1 when it
 * has digits as no name of a person or a file has them, or is as long as no word is.
 */
export function addWordAt(bytes: Uint8Array, at: number, length: number, words: number[]): void {
  const last = words.length === 0 ? 0 : words[words.length - 2]!;
  if (at < last) return;
  let [digits, capitals] = [0, 0];
  let start = at;
  for (; start > last; start -= 1) {
    const kind = WORD_KINDS[bytes[start - 1]!]!;
    if (kind === 0) break;
    digits += kind & DIGIT;
    capitals |= kind & UPPER;
  }
  let end = at;
  for (; end < length; end += 1) {
    const kind = WORD_KINDS[bytes[end]!]!;
    if (kind === 0) break;
    digits += kind & DIGIT;
    capitals |= kind & UPPER;
  }
  if (end - start < LONG_WORD) return;
  const isOdd = digits >= 3 * DIGIT || (digits > 0 && capitals > 0) || end - start >= LONGER;
  words.push(start, end, isOdd ? 1 : 0);
}
