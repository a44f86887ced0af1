import type { CheckName } from './family.js';

/** True when the last digits of a token's body say that the body is one the vendor made. */
export function hasCheckDigits(check: CheckName, body: string): boolean {
  switch (check) {
    case 'crc32-base62':
      return body.length >= 12 && base62Of(crc32Of(body.slice(0, -6))) === body.slice(-6);
  }
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62Of(value: number): string {
  let rest = value;
  let digits = '';
  for (let count = 0; count < 6; count += 1) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 of ASCII text, as zip and PNG reckon it. */
function crc32Of(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    crc = (crc >>> 8) ^ TABLE[(crc ^ text.charCodeAt(at)) & 0xff]!;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
