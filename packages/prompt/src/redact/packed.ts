import { hexValue } from './chars.js';
import { BASE32, digitsOf, type EncodedRun, padded, unwrapped } from './encoded.js';
import { unpack } from './inflate.js';

/** Shorter lines are no wrapped ones of something packed. */
const PACKED_MIN = 16;

type Encoding = 'base64' | 'base32' | 'hex';

/** What gzip or zlib has packed begins with these bytes; nothing else has to be unpacked. */
const BEGINS: Readonly<Record<Encoding, RegExp>> = {
  base64: /H4sI|e(?:J[w-z]|A[E-H]|N[o-r]|F[4-7])/y,
  base32: /(?:D6FQ[QR]|PAA[Q-Z2-7]|PBP[A-P]|PCO[A-P]|PDN[A-P])[A-Z2-7]{16}/iy,
  hex: /(?:1f8b08|78(?:01|5e|9c|da))[\da-f]{12}/iy,
};

/** The first character of any of them. */
const FIRST: Readonly<Record<string, readonly Encoding[]>> = {
  H: ['base64'],
  e: ['base64'],
  D: ['base32'],
  d: ['base32'],
  P: ['base32'],
  p: ['base32'],
  1: ['hex'],
  7: ['hex'],
};

/** The encoding of the run at `start` when it begins as something packed does. */
export function packedEncoding(text: string, start: number): Encoding | undefined {
  return FIRST[text.charAt(start)]?.find((encoding) => {
    const begins = BEGINS[encoding];
    begins.lastIndex = start;
    return begins.test(text);
  });
}

/** The run `[start, end)` as something packed in this encoding, and what that is. */
export function packedRun(text: string, start: number, end: number, encoding: Encoding): EncodedRun {
  const last = unwrapped(text, start, padded(text, end), PACKED_MIN);
  const run = text.slice(start, last).replace(/[\r\n]/g, '');
  const unpacked = unpack(bytesOf(run, encoding));
  return { start, end: last, decoded: unpacked === undefined ? [] : [unpacked] };
}

function bytesOf(run: string, encoding: Encoding): Uint8Array {
  if (encoding === 'base64') return joined(digitsOf(run), 6);
  const value = encoding === 'hex' ? hexValue : base32Value;
  const digits = Uint8Array.from({ length: run.length }, (_, at) => Math.max(0, value(run.charCodeAt(at))));
  return joined(digits, encoding === 'hex' ? 4 : 5);
}

const base32Value = (code: number): number => BASE32.indexOf(String.fromCharCode(code).toUpperCase());

/** Digits of so many bits each as bytes. */
function joined(digits: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array((digits.length * size) >> 3);
  for (let at = 0, bits = 0, held = 0, length = 0; at < digits.length; at += 1) {
    held = ((held << size) | digits[at]!) & 0xffff;
    bits += size;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = held >> bits;
    length += 1;
  }
  return bytes;
}
