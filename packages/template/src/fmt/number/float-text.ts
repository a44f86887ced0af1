import { type Decimal, exactDecimal, type FloatType, roundDecimal, shortestDecimal } from './decimal.js';
import { binaryText, hexText } from './float-binary.js';

/** The verbs that print a float. */
export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X';

/** A float in the form of a verb (`strconv.FormatFloat`); no precision means the fewest digits. */
export function floatText(
  value: number,
  verb: FloatVerb,
  precision?: number,
  type: FloatType = 'float64',
): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const text = sign + magnitudeText({ value: Math.abs(value), precision, type }, verb.toLowerCase());
  return verb < 'a' ? text.toUpperCase() : text;
}

interface Magnitude {
  readonly value: number;
  readonly precision: number | undefined;
  readonly type: FloatType;
}

function magnitudeText(magnitude: Magnitude, verb: string): string {
  switch (verb) {
    case 'b':
      return binaryText(magnitude.value, magnitude.type);
    case 'x':
      return hexText(magnitude.value, magnitude.precision);
    case 'f':
      return fixed(magnitude);
    case 'e':
      return scientific(magnitude);
    default:
      return general(magnitude);
  }
}

function fixed({ value, precision, type }: Magnitude): string {
  if (precision === undefined) {
    const decimal = shortestDecimal(value, type);
    return fixedText(decimal, Math.max(decimal.digits.length - decimal.point, 0));
  }
  const decimal = exactDecimal(value);
  return fixedText(roundDecimal(decimal, decimal.point + precision), precision);
}

function scientific({ value, precision, type }: Magnitude): string {
  if (precision === undefined) {
    const decimal = shortestDecimal(value, type);
    return scientificText(decimal, Math.max(decimal.digits.length - 1, 0));
  }
  return scientificText(roundDecimal(exactDecimal(value), precision + 1), precision);
}

/** Scientific for exponents below -4 or from the precision on (6 when there is none), else fixed. */
function general({ value, precision, type }: Magnitude): string {
  const wanted = Math.max(precision ?? 0, 1);
  const decimal =
    precision === undefined ? shortestDecimal(value, type) : roundDecimal(exactDecimal(value), wanted);
  const count = decimal.digits.length;
  const threshold =
    precision === undefined ? SHORTEST_THRESHOLD : wanted > count && count >= decimal.point ? count : wanted;
  const exponent = decimal.point - 1;
  if (count > 0 && (exponent < -4 || exponent >= threshold)) return scientificText(decimal, count - 1);
  return fixedText(decimal, Math.max(count - decimal.point, 0));
}

const SHORTEST_THRESHOLD = 6;

function scientificText({ digits, point }: Decimal, precision: number): string {
  const first = digits[0] ?? '0';
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  const exponent = digits === '' ? 0 : point - 1;
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${first}${rest}e${exponent < 0 ? '-' : '+'}${size}`;
}

function fixedText({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (precision <= 0) return whole;
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`;
}
