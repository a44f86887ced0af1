/** A number of zero or more as decimal digits: `0.DIGITS` times ten to the power of `point`. */
export interface Decimal {
  /** Neither begins nor ends with a zero; empty for zero. */
  readonly digits: string;
  readonly point: number;
}

/** The fewest digits that read back as the same float64. */
export function shortestDecimal(value: number): Decimal {
  if (value === 0) return ZERO;
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
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
  const head = kept.replace(/9+$/, '');
  if (head === '') return { digits: '1', point: point + 1 };
  return { digits: head.slice(0, -1) + (Number(head.at(-1)) + 1), point };
}

/** The float64 as `mantissa` times two to the power of `exponent`. */
export function binary(value: number): { readonly mantissa: bigint; readonly exponent: number } {
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
