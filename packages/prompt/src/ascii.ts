/**
 * ASCII text as bytes, which loops read several times faster than a string. Good until the next text is read:
 * there is one buffer, and the same text asked for again is not encoded again. Behind the text stand zeros, four at least.
 */
export interface Ascii {
  readonly bytes: Uint8Array;
  /** The same buffer, two bytes a number. */
  readonly pairs: Uint16Array;
  /** And four. */
  readonly fours: Int32Array;
}

/** The same of any text, with zeros for what is not ASCII. */
export interface LooseAscii extends Ascii {
  readonly isAscii: boolean;
}

interface Buffer extends LooseAscii {
  readonly bytes: Uint8Array<ArrayBuffer>;
  isAscii: boolean;
}

/** Zeros behind a text. */
const BEHIND = 4;
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
 * Any text as bytes. Of the text that was read last these are its bytes; another one is read into a second buffer, so it
 * disturbs nobody who reads the first: good until the next text is read loosely.
 */
export function readLoosely(text: string): LooseAscii {
  if (text === keptText) return kept;
  if (text === looseText) return loose;
  const isKept = text.length <= KEPT_MAX;
  if (isKept && text.length + BEHIND > loose.bytes.length) loose = createBuffer(text.length);
  const buffer = isKept ? loose : createBuffer(text.length);
  const { bytes } = buffer;
  if (isKept) looseText = text;
  buffer.isAscii = encodeInto(buffer, text);
  if (buffer.isAscii) return buffer;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes[at] = code < 128 ? code : 0;
  }
  endWithZeros(buffer, text.length);
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
  const isAscii = read === text.length && written === text.length;
  if (isAscii) endWithZeros({ bytes }, written);
  return isAscii;
}

function endWithZeros({ bytes }: Pick<Ascii, 'bytes'>, length: number): void {
  for (let at = length; at < length + BEHIND; at += 1) bytes[at] = 0;
}

function bufferFor(length: number): Buffer {
  if (length + BEHIND <= kept.bytes.length) return kept;
  const fresh = createBuffer(length);
  if (length <= KEPT_MAX) kept = fresh;
  return fresh;
}

function createBuffer(length: number): Buffer {
  const bytes = new Uint8Array((length + BEHIND + 3) & ~3);
  return {
    bytes,
    pairs: new Uint16Array(bytes.buffer),
    fours: new Int32Array(bytes.buffer),
    isAscii: true,
  };
}

/** Two neighbouring bytes as the number that this machine reads them as. */
export function pairOf(first: number, second: number): number {
  return IS_LITTLE ? first | (second << 8) : (first << 8) | second;
}

export const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
