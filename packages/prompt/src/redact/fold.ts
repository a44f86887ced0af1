/**
 * How a character beyond ASCII is written in the canonical shadow: compatibility forms become plain
 * (full-width, mathematical, ligatures), accents go, look-alike slashes become slashes, invisible
 * characters become nothing, and tag characters become the ASCII they hide. Works code point by code point,
 * so a run of a million combining marks costs no more than a million characters.
 */
export function foldCodePoint(point: number): string {
  if (point < 128) return String.fromCharCode(point);
  const known = memo.get(point);
  if (known !== undefined) return known;
  const folded = compute(point);
  if (memo.size > 20_000) memo.clear();
  memo.set(point, folded);
  return folded;
}

/** True when a UTF-16 unit stands for itself in the shadow. Surrogates answer false. */
export function foldsToItself(unit: number): boolean {
  const known = plain[unit];
  if (known !== 0) return known === 1;
  const itself = !(unit >= 0xd800 && unit <= 0xdfff) && foldCodePoint(unit) === String.fromCharCode(unit);
  plain[unit] = itself ? 1 : 2;
  return itself;
}

/** Lower case of the same length: the few letters whose lower case is longer stay as they are. */
export function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  const even = lower.length === text.length ? lower : [...text].map(lowerOne).join('');
  return even.includes('ς') ? even.replaceAll('ς', 'σ') : even;
}

const memo = new Map<number, string>();
const plain = new Uint8Array(65_536);

const lowerOne = (char: string): string => {
  const lower = char.toLowerCase();
  return lower.length === char.length ? lower : char;
};

function compute(point: number): string {
  if (point >= 0xd800 && point <= 0xdfff) return '\ufffd';
  if (point >= 0xe0020 && point <= 0xe007e) return String.fromCharCode(point - 0xe0000);
  // The private use area carries the shadow's own marks.
  if (point >= 0xe000 && point <= 0xe0ff) return '\ufffd';
  const slash = SLASHES.get(point);
  if (slash !== undefined) return slash;
  const char = String.fromCodePoint(point);
  if (INVISIBLE.test(char)) return '';
  return char.normalize('NFKD').replace(MARKS, '');
}

const MARKS = /\p{M}+/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/u;

const SLASHES: ReadonlyMap<number, string> = new Map([
  [0x2044, '/'],
  [0x2215, '/'],
  [0x29f8, '/'],
  [0x2571, '/'],
  [0x2216, '\\'],
  [0x29f5, '\\'],
  [0x29f9, '\\'],
  [0xa789, ':'],
  [0x2236, ':'],
  [0x02d0, ':'],
]);
