import { isPlain } from './shell/fold.js';

/**
 * ASCII text as bytes, which loops read several times faster than a string. Good until the next text is read:
 * there is one buffer, and the same text asked for again is not encoded again.
 */
export interface Ascii {
  readonly bytes: Uint8Array;
  /** The same buffer, two bytes a number. */
  readonly pairs: Uint16Array;
  /** And four. */
  readonly fours: Int32Array;
}

interface Buffer extends Ascii {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();
const KEPT_MAX = 1 << 20;
/** Shorter texts are not worth it. */
const LENGTH_MIN = 32;
/** Nor are these a buffer of their own. */
const OWN_MIN = 1024;
let kept = createBuffer(1 << 16);
let keptText: string | undefined;
/** The last text that was none: it is asked for as often. */
let otherText: string | undefined;
let loose = createBuffer(1 << 12);
let looseText: string | undefined;

/** The bytes of a text that is ASCII throughout and long enough to be worth it. */
export function readAscii(text: string): Ascii | undefined {
  if (text.length < LENGTH_MIN) return undefined;
  if (text === keptText) return kept;
  if (text === otherText) return undefined;
  const buffer = bufferFor(text.length);
  const isAscii = encodeInto(buffer, text);
  if (buffer === kept) keptText = isAscii ? text : undefined;
  if (!isAscii) otherText = text;
  return isAscii ? buffer : undefined;
}

/**
 * The same of any text, with zeros for what is not ASCII. Of the text that was read last these are its bytes; another
 * one is read into a second buffer, so it disturbs nobody who reads the first: good until the next text is read loosely.
 */
export function readLoosely(text: string): Ascii {
  if (text === keptText) return kept;
  if (text === looseText) return loose;
  const isKept = text.length <= KEPT_MAX;
  if (isKept && text.length > loose.bytes.length) loose = createBuffer(text.length);
  const buffer = isKept ? loose : createBuffer(text.length);
  const { bytes } = buffer;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes[at] = code < 128 ? code : 0;
  }
  if (isKept) looseText = text;
  return buffer;
}

/** The same in a buffer of its own, for a text that is read while another one is; only long ones are worth it. */
export function encodeAscii(text: string): Ascii | undefined {
  if (text.length < OWN_MIN) return undefined;
  const buffer = createBuffer(text.length);
  return encodeInto(buffer, text) ? buffer : undefined;
}

/** Whether the text is ASCII; then the buffer holds it. */
function encodeInto({ bytes }: Buffer, text: string): boolean {
  const { read, written } = encoder.encodeInto(text, bytes);
  return read === text.length && written === text.length;
}

function bufferFor(length: number): Buffer {
  if (length <= kept.bytes.length) return kept;
  const fresh = createBuffer(length);
  if (length <= KEPT_MAX) kept = fresh;
  return fresh;
}

function createBuffer(length: number): Buffer {
  const bytes = new Uint8Array((length + 3) & ~3);
  return { bytes, pairs: new Uint16Array(bytes.buffer), fours: new Int32Array(bytes.buffer) };
}

/** `isPlain` for a whole block, which is about to be read as bytes anyway. */
export function isPlainBlock(text: string): boolean {
  const ascii = readAscii(text);
  return ascii === undefined ? isPlain(text) : isPlainAscii(ascii, text.length);
}

const PLAIN_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  isPlain(String.fromCharCode(code)) ? 1 : 0,
);

const HIGH_BITS = 0x80808080 | 0;

/** Four bytes at a time, two fours a step: a byte below 0x20 borrows, a 0x7f carries, and either shows in its highest bit. */
function isPlainAscii({ bytes, fours }: Ascii, length: number): boolean {
  const whole = (length >> 3) << 1;
  for (let at = 0; at < whole; at += 2) {
    const one = fours[at]!;
    const other = fours[at + 1]!;
    const odd = (one - 0x20202020) | (one + 0x01010101) | (other - 0x20202020) | (other + 0x01010101);
    if ((odd & HIGH_BITS) !== 0 && !arePlain(bytes, 4 * at, 4 * at + 8)) return false;
  }
  return arePlain(bytes, 4 * whole, length);
}

function arePlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (PLAIN_CODES[bytes[at]!] === 0) return false;
  return true;
}
