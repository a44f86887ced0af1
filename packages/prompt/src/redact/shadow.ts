import { hexValue, isAlnum, isLetter, isSpace } from './chars.js';
import { byteOf, type EscapeTail, followsScheme, isByte, push, QUIET } from './escapes.js';
import { foldCodePoint, foldsToItself, lowerOf } from './fold.js';

/**
 * A text with every spelling undone, and the way back. `text` and `lower` have the same length. A range of
 * the shadow maps to a range of the source that never cuts an escape sequence in half.
 */
export interface Shadow {
  readonly source: string;
  /** Decoded, case kept, accents gone. Separators are `/` or `\` as written; runs of them are one. */
  readonly text: string;
  /** For matching: lower case, every separator `/`. */
  lower(): string;
  /** Where in the source the shadow's character `at` starts. */
  startOf(at: number): number;
  /** Where in the source the character before `at` ends. */
  endOf(at: number): number;
}

/** The canonical shadow of a text, in linear time; `from`: nothing before it is special. */
export function shadowOf(source: string, from = 0): Shadow {
  const first = nextSpecial(source, from);
  return first < source.length ? buildShadow(source, first, 'joined') : plainShadow(source);
}

/**
 * The shadow in which lines stay apart, of a text with a line end that may be soft; undefined for any other text. An
 * `=` at the end of a line may be that of an entry: what the next line begins with is then no part of a word.
 */
export function shadowOfLines(source: string, from: number): Shadow | undefined {
  for (let at = source.indexOf('=', from); at !== -1; at = source.indexOf('=', at + 1))
    if (isSoftBreakAt(source, at)) return buildShadow(source, nextSpecial(source, from), 'apart');
  return undefined;
}

/** The shadow of a text that is known to have no special character: the text itself. */
export function plainShadow(source: string): Shadow {
  let lower: string | undefined;
  return {
    source,
    text: source,
    lower: () => {
      lower ??= lowerOf(source);
      return lower;
    },
    startOf: (at) => at,
    endOf: (at) => at,
  };
}

/** True when the character at `at` may be spelled differently from what it means. */
export function isSpecialAt(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  if (code >= 128) return !foldsToItself(code);
  const next = source.charCodeAt(at + 1);
  switch (code) {
    case 92:
      return true;
    case 37:
      return hexValue(next) >= 0 || opensEscape(source, at + 1);
    case 38:
      return next === 35 || isLetter(next) || opensEscape(source, at + 1);
    case 61:
      return isPrintableAt(source, at);
    case 47:
      if (next === 46) return source.charCodeAt(at + 2) === 47;
      return next === 47 && !followsScheme(source, at) && !isSpace(source.charCodeAt(at + 2));
    default:
      return false;
  }
}

/** `&&` and `%%` are ordinary text unless the run ends in an escape; a long run is not looked to the end of. */
const LONG_RUN = 4;

/** True when an escape may stand at `at`, whose letter would go on with the escape before it. */
function opensEscape(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  if (code === 92) return true;
  if (code >= 128) return !foldsToItself(code);
  if (code !== 37 && code !== 38) return false;
  let end = at;
  while (end - at < LONG_RUN && isOpener(source.charCodeAt(end))) end += 1;
  return end - at === LONG_RUN || isSpecialAt(source, end - 1);
}

const isOpener = (code: number): boolean => code === 37 || code === 38;

/** `=2F` or a soft line break inside a word: quoted-printable, unless the text shows no other sign of it. */
function isPrintableAt(source: string, at: number): boolean {
  const next = source.charCodeAt(at + 1);
  if (next === 10 || next === 13) return isSoftBreak(source, at);
  return isUpperHex(next) && isUpperHex(source.charCodeAt(at + 2));
}

const isUpperHex = (code: number): boolean => hexValue(code) >= 0 && code < 97;

function isSoftBreak(source: string, at: number): boolean {
  const after = source.charCodeAt(at + 1) === 13 && source.charCodeAt(at + 2) === 10 ? at + 3 : at + 2;
  const before = source.charCodeAt(at - 1);
  const next = source.charCodeAt(after);
  if (isSpace(before) || before === 61 || Number.isNaN(before) || isSpace(next) || Number.isNaN(next))
    return false;
  return !isPadding(source, at, after);
}

/** The `=` at the end of base64: a run too long for a word before it, a new key behind it. */
function isPadding(source: string, at: number, after: number): boolean {
  return (
    /^(?:[A-Z_][A-Z0-9_]*=|[A-Z][A-Za-z-]*: )/.test(source.slice(after, after + 40)) &&
    /[A-Za-z0-9+/_-]{20}$/.test(source.slice(Math.max(0, at - 20), at))
  );
}

/** Signs of quoted-printable, which is undone only in a text that has one. */
export const PRINTABLE = /=(?:2F|5C|3D|2E|7E|5F)|(?:=[0-9A-F]{2}){2}/;

const specialTable = new Uint8Array(65_536).fill(1, 128);
for (const code of [37, 38, 47, 61, 92]) specialTable[code] = 1;

/** The first place at or after `from` that is special, or the text's length. */
export function nextSpecial(source: string, from: number): number {
  for (let at = from; at < source.length; at += 1) {
    if (specialTable[source.charCodeAt(at)] === 1 && isSpecialAt(source, at)) return at;
  }
  return source.length;
}

/** Segments: `at` in the shadow, `from` in the source, `size` source units for one character, or 0: one to one. */
interface Segments {
  readonly at: number[];
  readonly from: number[];
  readonly size: number[];
}

function buildShadow(source: string, first: number, lines: 'joined' | 'apart'): Shadow {
  const segments: Segments = { at: [], from: [], size: [] };
  const chunks: string[] = [];
  let length = 0;
  /** Where the source continues the last one-to-one segment, or -1. */
  let linear = -1;
  const tail: EscapeTail = { source, printable: PRINTABLE.test(source), codes: [], from: [], to: [] };

  const copy = (from: number, to: number): void => {
    if (from >= to) return;
    if (linear !== from) addSegment(from, 0);
    chunks.push(source.slice(from, to));
    length += to - from;
    linear = to;
  };
  const addSegment = (from: number, size: number): void => {
    segments.at.push(length);
    segments.from.push(from);
    segments.size.push(size);
  };
  const unit = (code: number, from: number, to: number): void => {
    addSegment(from, to - from);
    chunks.push(String.fromCharCode(code));
    length += 1;
    linear = -1;
  };
  const flush = (): void => {
    const { codes, from, to } = tail;
    for (let index = 0; index < codes.length; index += 1) {
      const code = codes[index]!;
      const start = from[index]!;
      const end = to[index]!;
      if (end - start === 1 && source.charCodeAt(start) === code) {
        let last = index + 1;
        while (last < codes.length && isRaw(last, start + last - index)) last += 1;
        copy(start, start + last - index);
        index = last - 1;
      } else if (!isByte(code)) unit(code, start, end);
      else if (source.charCodeAt(start) === 37) unit(latinOf(byteOf(code)), start, end);
      else copy(start, end);
    }
    codes.length = 0;
    from.length = 0;
    to.length = 0;
  };
  const isRaw = (index: number, at: number): boolean =>
    tail.from[index] === at && tail.to[index] === at + 1 && source.charCodeAt(at) === tail.codes[index];

  let at = pullBack(source, first, 0);
  copy(0, at);
  let quiet = 0;
  while (at < source.length) {
    if (quiet >= QUIET) {
      flush();
      const special = nextSpecial(source, at);
      const next = pullBack(source, special, at);
      copy(at, next);
      at = next;
      quiet = 0;
      continue;
    }
    const code = source.charCodeAt(at);
    if (code === 61 && lines === 'joined' && isSoftBreakAt(source, at)) {
      at = source.charCodeAt(at + 1) === 13 && source.charCodeAt(at + 2) === 10 ? at + 3 : at + 2;
      continue;
    }
    const point = code >= 0xd800 && code <= 0xdbff ? source.codePointAt(at)! : code;
    const size = point > 0xffff ? 2 : 1;
    push(tail, point, at, at + size);
    at += size;
    // What the push left at the end counts, not what was read: `%25` leaves a new `%`.
    const top = tail.codes[tail.codes.length - 1] ?? 0;
    quiet = top < 128 && specialTable[top] === 0 ? quiet + 1 : 0;
  }
  flush();
  return mappedShadow(source, chunks.join(''), segments);
}

const isSoftBreakAt = (source: string, at: number): boolean => {
  const next = source.charCodeAt(at + 1);
  return (next === 10 || next === 13) && isSoftBreak(source, at);
};

/** Separators right before an escape belong to it: `/` and `%2F` are one separator. */
function pullBack(source: string, at: number, floor: number): number {
  let back = at;
  while (back > floor && at - back < 3 && PULLED.has(source.charCodeAt(back - 1))) back -= 1;
  return back;
}

const PULLED = new Set([46, 47, 58]);

const latinOf = (byte: number): number => {
  const folded = foldCodePoint(byte);
  return folded.length === 0 ? 0xfffd : folded.charCodeAt(0);
};

function mappedShadow(source: string, text: string, segments: Segments): Shadow {
  let lower: string | undefined;
  const { at: starts, from, size } = segments;
  const segmentAt = (at: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    source,
    text,
    lower: () => {
      lower ??= matchingForm(text);
      return lower;
    },
    startOf: (at) => {
      if (at >= text.length) return source.length;
      const segment = segmentAt(at);
      return size[segment] === 0 ? from[segment]! + at - starts[segment]! : from[segment]!;
    },
    endOf: (at) => {
      if (at <= 0) return 0;
      const segment = segmentAt(at - 1);
      return size[segment] === 0 ? from[segment]! + at - starts[segment]! : from[segment]! + size[segment]!;
    },
  };
}

function matchingForm(text: string): string {
  const lower = lowerOf(text).replaceAll('\\', '/');
  return lower.replace(/[\ue001-\ue07f]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xe000));
}

/** True when a name could not go on across this place: neither spelling has a letter or digit there. */
export function isFlank(shadow: Shadow, at: number, side: 'before' | 'after'): boolean {
  const { text, source } = shadow;
  const inShadow = text.charCodeAt(side === 'before' ? at - 1 : at);
  if (!isWordish(inShadow)) return true;
  const inSource = source.charCodeAt(side === 'before' ? shadow.startOf(at) - 1 : shadow.endOf(at));
  return !isWordish(inSource);
}

const isWordish = (code: number): boolean =>
  code < 128 ? isAlnum(code) : code >= 0xc0 && !(code >= 0x2000 && code <= 0x303f) && code < 0xe000;
