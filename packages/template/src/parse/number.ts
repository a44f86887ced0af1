import { quoteString } from '../fmt/quote.js';

/**
 * A number constant before it has a type: each way to read it that is possible. `int` and `uint` are exact.
 */
export interface NumberConstant {
  readonly int?: bigint;
  readonly uint?: bigint;
  readonly float?: number;
  readonly complex?: readonly [real: number, imaginary: number];
}

/** The constant that a number token is; otherwise what is wrong with it. */
export function readNumber(text: string): NumberConstant | { readonly problem: string } {
  if (text.endsWith('i')) {
    const imaginary = readFloat(text.slice(0, -1));
    if (imaginary !== undefined) return complexConstant(0, imaginary);
  }
  const int = readInteger(text);
  if (int !== undefined) return integerConstant(int, text);
  const float = readFloat(text);
  if (float === undefined) return { problem: `illegal number syntax: ${quoteString(text)}` };
  if (!/[.eEpP]/.test(text)) return { problem: `integer overflow: ${quoteString(text)}` };
  return floatConstant(float);
}

/** The constant of a token such as `1+2i`, read as Go's `Sscan` does. */
export function readComplex(text: string): NumberConstant | { readonly problem: string } {
  const match = COMPLEX.exec(text);
  if (!match) return { problem: 'syntax error scanning complex number' };
  const [, real = '', imaginary = ''] = match;
  const problem = floatProblem(real) ?? floatProblem(imaginary);
  return problem === undefined
    ? complexConstant(readFloat(real) as number, readFloat(imaginary) as number)
    : { problem };
}

function floatProblem(text: string): string | undefined {
  if (readFloat(text) !== undefined) return undefined;
  const plain = text.replaceAll('_', '');
  const isFloat = areUnderscoresGood(text) && (DECIMAL.test(plain) || HEX_FLOAT.test(plain));
  return `strconv.ParseFloat: parsing ${quoteString(text)}: ${isFloat ? 'value out of range' : 'invalid syntax'}`;
}

/** The constant that a character is. */
export const characterConstant = (code: number): NumberConstant => ({
  int: BigInt(code),
  uint: BigInt(code),
  float: code,
});

function integerConstant(int: bigint, text: string): NumberConstant | { readonly problem: string } {
  const isSigned = /^[+-]/.test(text);
  const isInt = int >= MIN_INT && int <= MAX_INT;
  const isUint = int === 0n || (!isSigned && int >= 0n && int <= MAX_UINT);
  if (!isInt && !isUint) {
    const isDecimal = readFloat(text) !== undefined;
    return { problem: `${isDecimal ? 'integer overflow' : 'illegal number syntax'}: ${quoteString(text)}` };
  }
  return { ...(isInt ? { int } : {}), ...(isUint ? { uint: int } : {}), float: Number(int) };
}

function floatConstant(float: number): NumberConstant {
  if (!Number.isInteger(float)) return { float };
  const int = BigInt(float);
  return {
    float,
    ...(int >= MIN_INT && int <= MAX_INT ? { int } : {}),
    ...(int >= 0n && int <= MAX_UINT ? { uint: int } : {}),
  };
}

function complexConstant(real: number, imaginary: number): NumberConstant {
  const complex = [real, imaginary] as const;
  return imaginary === 0 ? { ...floatConstant(real), complex } : { complex };
}

/** An integer of any size, base prefix and underscores as in Go; undefined when it is none. */
function readInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (!match || !areUnderscoresGood(text)) return undefined;
  const [, sign = '', digits = ''] = match;
  const plain = digits.replaceAll('_', '').toLowerCase();
  // An old octal: 017.
  const literal = /^0[0-7]+$/.test(plain) ? `0o${plain}` : plain;
  if (/^0[0-9]/.test(literal)) return undefined;
  const value = BigInt(literal);
  return sign === '-' ? -value : value;
}

/** A float64 as strconv.ParseFloat reads it; undefined when it is none, or out of range. */
export function readFloat(text: string): number | undefined {
  if (!areUnderscoresGood(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const value = HEX_FLOAT.test(plain) ? readHexFloat(plain) : DECIMAL.test(plain) ? Number(plain) : undefined;
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function readHexFloat(text: string): number {
  const [, sign, whole = '', fraction = '', exponent = '0'] = HEX_FLOAT.exec(text) as RegExpExecArray;
  const digits = BigInt(`0x${whole}${fraction}`);
  const power = Number(exponent) - 4 * fraction.length;
  const value = scale(digits, power);
  return sign === '-' ? -value : value;
}

/** `digits * 2 ** power`, rounded once, to even. */
function scale(digits: bigint, power: number): number {
  if (digits === 0n) return 0;
  const bits = digits.toString(2).length;
  if (power + bits > 1100) return Number.POSITIVE_INFINITY;
  if (power + bits < -1100) return 0;
  // The least significant bit that the result can hold.
  const unit = Math.max(power + bits - 53, -1074);
  const shift = unit - power;
  if (shift <= 0) return Number(digits << BigInt(-shift)) * 2 ** Math.max(unit, -1074);
  const step = 1n << BigInt(shift);
  const rest = digits % step;
  let kept = digits / step;
  if (rest * 2n > step || (rest * 2n === step && kept % 2n === 1n)) kept += 1n;
  return unit < -1000 ? Number(kept) * 2 ** -1000 * 2 ** (unit + 1000) : Number(kept) * 2 ** unit;
}

/** Underscores stand between digits, or between a base prefix and a digit. */
function areUnderscoresGood(text: string): boolean {
  if (!text.includes('_')) return true;
  const body = text.replace(/^[+-]/, '');
  const isHex = /^0[xX]/.test(body);
  const digits = body.replace(/^0[xXoObB]/, '0');
  const spans = isHex ? digits.split(/[^0-9a-fA-F_]/) : digits.split(/[^0-9_]/);
  return spans.every((span) => !/^_|_$|__/.test(span));
}

export const MIN_INT = -(2n ** 63n);
export const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

const INTEGER = /^([+-]?)(0[xX]_?[0-9a-fA-F_]+|0[oO]_?[0-7_]+|0[bB]_?[01_]+|[0-9][0-9_]*)$/;
const PART = String.raw`(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)`;
/** Loose, but an imaginary part has something before its `i`. */
const COMPLEX = new RegExp(`^([+-]?${PART})([+-](?!i)${PART})i$`);
const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const HEX_FLOAT = /^([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/;
