/** A number of zero or more as decimal digits: `0.DIGITS` times ten to the power of `point`. */
export interface Decimal {
  /** Neither begins nor ends with a zero; empty for zero. */
  readonly digits: string;
  readonly point: number;
}

export type FloatType = 'float32' | 'float64';

/** The fewest digits that read back as the same float. */
export function shortestDecimal(value: number, type: FloatType): Decimal {
  if (value === 0) return ZERO;
  if (type === 'float32') return shortestOf32(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** Nine digits are enough for any float32. Of equally short ones the nearest is taken. */
function shortestOf32(value: number): Decimal {
  const exact = exactDecimal(value);
  for (let count = 1; count < 9; count++) {
    const near = roundDecimal(exact, count);
    if (isThe32(near, value)) return near;
    // Below a power of two lie twice as many: the nearest may be out of reach where the one above is not.
    const above = roundedUp(exact, count);
    if (isThe32(above, value)) return above;
  }
  return roundDecimal(exact, 9);
}

const isThe32 = ({ digits, point }: Decimal, value: number): boolean =>
  Math.fround(Number(`0.${digits}e${point}`)) === value;

function roundedUp({ digits, point }: Decimal, count: number): Decimal {
  return count >= digits.length ? { digits, point } : increased(digits.slice(0, count), point);
}

/** All digits of the float64, which are finitely many. */
export function exactDecimal(value: number): Decimal {
  if (value === 0) return ZERO;
  const { mantissa, exponent } = binary(value);
  const scaled = exponent < 0 ? mantissa * 5n ** BigInt(-exponent) : mantissa << BigInt(exponent);
  const digits = scaled.toString();
  return { digits: digits.replace(/0+$/, ''), point: digits.length + Math.min(exponent, 0) };
}

/** Rounded to `count` digits, halves to even. A negative count leaves nothing. */
export function roundDecimal(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return ZERO;
  const kept = digits.slice(0, count);
  if (!isRoundedUp(digits, count)) return { digits: kept.replace(/0+$/, ''), point };
  return increased(kept, point);
}

/** One more in the last digit. */
function increased(kept: string, point: number): Decimal {
  const head = kept.replace(/9+$/, '');
  if (head === '') return { digits: '1', point: point + 1 };
  return { digits: head.slice(0, -1) + (Number(head.at(-1)) + 1), point };
}

/** The float as `mantissa` times two to the power of `exponent`. */
export function binary(
  value: number,
  type: FloatType = 'float64',
): { readonly mantissa: bigint; readonly exponent: number } {
  if (type === 'float32') {
    view.setFloat32(0, value);
    const bits = view.getUint32(0);
    const biased = (bits >> 23) & 0xff;
    const fraction = BigInt(bits & 0x7fffff);
    return biased === 0
      ? { mantissa: fraction, exponent: -149 }
      : { mantissa: fraction | 0x800000n, exponent: biased - 150 };
  }
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

const ZERO: Decimal = { digits: '', point: 0 };
const view = new DataView(new ArrayBuffer(8));

function isRoundedUp(digits: string, count: number): boolean {
  const isHalf = digits[count] === '5' && count + 1 === digits.length;
  if (isHalf) return count > 0 && Number(digits[count - 1]) % 2 === 1;
  return (digits[count] as string) >= '5';
}
