import { binary, type FloatType } from './decimal.js';

/** A float of zero or more as its whole mantissa and power of two, `4503599627370496p-52`. */
export function binaryText(value: number, type: FloatType): string {
  const { mantissa, exponent } = binary(value, type);
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

/** A float of zero or more in hexadecimal, `0x1.8p+00`; halves round to even. */
export function hexText(value: number, precision?: number): string {
  const { lead, fraction, exponent } = roundedHex(value, precision);
  const digits = fraction.toString(16).padStart(DIGITS, '0');
  const shown =
    precision === undefined ? digits.replace(/0+$/, '') : digits.padEnd(precision, '0').slice(0, precision);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `0x${lead}${shown === '' ? '' : '.'}${shown}p${exponent < 0 ? '-' : '+'}${size}`;
}

/** Hexadecimal digits of the fraction of a float64. */
const DIGITS = 13;
const FRACTION_BITS = 52n;
const ONE = 1n << FRACTION_BITS;

interface Hex {
  readonly lead: 0 | 1;
  /** 52 bits. */
  readonly fraction: bigint;
  readonly exponent: number;
}

function roundedHex(value: number, precision?: number): Hex {
  if (value === 0) return { lead: 0, fraction: 0n, exponent: 0 };
  let { mantissa, exponent } = binary(value);
  while (mantissa < ONE) {
    mantissa <<= 1n;
    exponent--;
  }
  if (precision !== undefined && precision < DIGITS) {
    const dropped = BigInt(4 * (DIGITS - precision));
    const half = 1n << (dropped - 1n);
    const rest = mantissa & ((1n << dropped) - 1n);
    mantissa >>= dropped;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++;
    mantissa <<= dropped;
  }
  if (mantissa >= ONE << 1n) {
    mantissa >>= 1n;
    exponent++;
  }
  return { lead: 1, fraction: mantissa - ONE, exponent: exponent + Number(FRACTION_BITS) };
}
