import { pad, padding, padWithSpaces, type Spec } from '../spec.js';
import type { FloatType } from './decimal.js';
import { type FloatVerb, floatText } from './float-text.js';

/** A float under a verb with its flags; undefined when the verb is not for floats. */
export function printFloat(
  value: number,
  verb: string,
  spec: Spec,
  type: FloatType = 'float64',
): string | undefined {
  const form = FORMS[verb];
  if (!form) return undefined;
  const precision = spec.precision ?? form.precision;
  const text = floatText(value, form.verb, precision, type);
  const isNegative = text.startsWith('-');
  const sign = isNegative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  if (!Number.isFinite(value)) {
    // An infinity always has its sign, NaN only where one is asked for; neither is padded with zeros.
    const name = text.replace(/^[+-]/, '');
    return padWithSpaces((sign || (name === 'Inf' ? '+' : '')) + name, spec);
  }
  const magnitude = isNegative ? text.slice(1) : text;
  const shown = spec.sharp && verb !== 'b' ? withPoint(magnitude, form.verb, precision) : magnitude;
  const missing = (spec.width ?? 0) - sign.length - shown.length;
  // Zeros go between the sign and the digits.
  if (spec.zero && !spec.minus) return sign + padding(missing, spec) + shown;
  return pad(sign + shown, spec);
}

/** A complex128 under a verb: each part is printed as a float, the second always with its sign. */
export function printComplex(real: number, imaginary: number, verb: string, spec: Spec): string | undefined {
  const first = printFloat(real, verb, spec);
  const second = printFloat(imaginary, verb, { ...spec, plus: true });
  return first === undefined ? undefined : `(${first}${second}i)`;
}

interface Form {
  readonly verb: FloatVerb;
  /** The precision when the format has none; undefined for the fewest digits. */
  readonly precision?: number;
}

const FORMS: Readonly<Record<string, Form | undefined>> = {
  v: { verb: 'g' },
  g: { verb: 'g' },
  G: { verb: 'G' },
  b: { verb: 'b' },
  x: { verb: 'x' },
  X: { verb: 'X' },
  e: { verb: 'e', precision: 6 },
  E: { verb: 'E', precision: 6 },
  f: { verb: 'f', precision: 6 },
  F: { verb: 'f', precision: 6 },
};

/** The `#` flag: there is always a point, and %g keeps the zeros of its precision (6 when there is none). */
function withPoint(text: string, verb: FloatVerb, precision: number | undefined): string {
  const exponentAt = text.search(verb === 'x' || verb === 'X' ? /[pP]/ : /[eE]/);
  const number = exponentAt < 0 ? text : text.slice(0, exponentAt);
  const exponent = exponentAt < 0 ? '' : text.slice(exponentAt);
  const wanted = verb === 'g' || verb === 'G' || verb === 'x' ? (precision ?? 6) : 0;
  // Digits count from the first that is no zero; a zero alone counts as one. The x of 0x counts, as in Go.
  const digits = number.replace('.', '').replace(/^0+/, '').length;
  const counted = number === '0' ? 1 : digits;
  const point = number.includes('.') ? '' : '.';
  return number + point + '0'.repeat(Math.max(wanted - counted, 0)) + exponent;
}
