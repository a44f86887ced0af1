import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { type FloatVerb, floatText } from './float-text.js';

const CASES: readonly (readonly [number, FloatVerb, number | undefined, string])[] = [
  [0, 'g', undefined, '0'],
  [0, 'e', undefined, '0e+00'],
  [0, 'b', undefined, '0p-1074'],
  [0, 'x', undefined, '0x0p+00'],
  [-0, 'g', undefined, '-0'],
  [-0, 'e', undefined, '-0e+00'],
  [-0, 'b', undefined, '-0p-1074'],
  [-0, 'x', undefined, '-0x0p+00'],
  [1, 'g', undefined, '1'],
  [1, 'e', undefined, '1e+00'],
  [1, 'b', undefined, '4503599627370496p-52'],
  [1, 'x', undefined, '0x1p+00'],
  [-1.5, 'g', undefined, '-1.5'],
  [-1.5, 'e', undefined, '-1.5e+00'],
  [-1.5, 'b', undefined, '-6755399441055744p-52'],
  [-1.5, 'x', undefined, '-0x1.8p+00'],
  [0.1, 'g', undefined, '0.1'],
  [0.1, 'e', undefined, '1e-01'],
  [0.1, 'b', undefined, '7205759403792794p-56'],
  [0.1, 'x', undefined, '0x1.999999999999ap-04'],
  [0.30000000000000004, 'g', undefined, '0.30000000000000004'],
  [0.30000000000000004, 'e', undefined, '3.0000000000000004e-01'],
  [0.30000000000000004, 'b', undefined, '5404319552844596p-54'],
  [0.30000000000000004, 'x', undefined, '0x1.3333333333334p-02'],
  [100000, 'g', undefined, '100000'],
  [100000, 'e', undefined, '1e+05'],
  [100000, 'b', undefined, '6871947673600000p-36'],
  [100000, 'x', undefined, '0x1.86ap+16'],
  [1e6, 'g', undefined, '1e+06'],
  [1e6, 'e', undefined, '1e+06'],
  [1e6, 'b', undefined, '8589934592000000p-33'],
  [1e6, 'x', undefined, '0x1.e848p+19'],
  [123456789, 'g', undefined, '1.23456789e+08'],
  [123456789, 'e', undefined, '1.23456789e+08'],
  [123456789, 'b', undefined, '8285044862877696p-26'],
  [123456789, 'x', undefined, '0x1.d6f3454p+26'],
  [1e20, 'g', undefined, '1e+20'],
  [1e20, 'e', undefined, '1e+20'],
  [1e20, 'b', undefined, '6103515625000000p+14'],
  [1e20, 'x', undefined, '0x1.5af1d78b58c4p+66'],
  [1e21, 'g', undefined, '1e+21'],
  [1e21, 'e', undefined, '1e+21'],
  [1e21, 'b', undefined, '7629394531250000p+17'],
  [1e21, 'x', undefined, '0x1.b1ae4d6e2ef5p+69'],
  [1e-4, 'g', undefined, '0.0001'],
  [1e-4, 'e', undefined, '1e-04'],
  [1e-4, 'b', undefined, '7378697629483821p-66'],
  [1e-4, 'x', undefined, '0x1.a36e2eb1c432dp-14'],
  [1e-5, 'g', undefined, '1e-05'],
  [1e-5, 'e', undefined, '1e-05'],
  [1e-5, 'b', undefined, '5902958103587057p-69'],
  [1e-5, 'x', undefined, '0x1.4f8b588e368f1p-17'],
  [5e-324, 'g', undefined, '5e-324'],
  [5e-324, 'e', undefined, '5e-324'],
  [5e-324, 'b', undefined, '1p-1074'],
  [5e-324, 'x', undefined, '0x1p-1074'],
  [1.7976931348623157e308, 'g', undefined, '1.7976931348623157e+308'],
  [1.7976931348623157e308, 'e', undefined, '1.7976931348623157e+308'],
  [1.7976931348623157e308, 'b', undefined, '9007199254740991p+971'],
  [1.7976931348623157e308, 'x', undefined, '0x1.fffffffffffffp+1023'],
  [2.2250738585072014e-308, 'g', undefined, '2.2250738585072014e-308'],
  [2.2250738585072014e-308, 'e', undefined, '2.2250738585072014e-308'],
  [2.2250738585072014e-308, 'b', undefined, '4503599627370496p-1074'],
  [2.2250738585072014e-308, 'x', undefined, '0x1p-1022'],
  [0, 'f', undefined, '0'],
  [0, 'G', undefined, '0'],
  [0, 'E', undefined, '0E+00'],
  [0, 'X', undefined, '0X0P+00'],
  [1.5, 'f', undefined, '1.5'],
  [1.5, 'G', undefined, '1.5'],
  [1.5, 'E', undefined, '1.5E+00'],
  [1.5, 'X', undefined, '0X1.8P+00'],
  [1e6, 'f', undefined, '1000000'],
  [1e6, 'G', undefined, '1E+06'],
  [1e6, 'E', undefined, '1E+06'],
  [1e6, 'X', undefined, '0X1.E848P+19'],
  [0.1, 'f', undefined, '0.1'],
  [0.1, 'G', undefined, '0.1'],
  [0.1, 'E', undefined, '1E-01'],
  [0.1, 'X', undefined, '0X1.999999999999AP-04'],
  [0.5, 'f', 0, '0'],
  [0.5, 'f', 2, '0.50'],
  [0.5, 'e', 0, '5e-01'],
  [0.5, 'e', 3, '5.000e-01'],
  [0.5, 'g', 0, '0.5'],
  [0.5, 'g', 3, '0.5'],
  [0.5, 'g', 17, '0.5'],
  [0.5, 'x', 0, '0x1p-01'],
  [0.5, 'x', 1, '0x1.0p-01'],
  [1.5, 'f', 0, '2'],
  [1.5, 'f', 2, '1.50'],
  [1.5, 'e', 0, '2e+00'],
  [1.5, 'e', 3, '1.500e+00'],
  [1.5, 'g', 0, '2'],
  [1.5, 'g', 3, '1.5'],
  [1.5, 'g', 17, '1.5'],
  [1.5, 'x', 0, '0x1p+01'],
  [1.5, 'x', 1, '0x1.8p+00'],
  [2.5, 'f', 0, '2'],
  [2.5, 'f', 2, '2.50'],
  [2.5, 'e', 0, '2e+00'],
  [2.5, 'e', 3, '2.500e+00'],
  [2.5, 'g', 0, '2'],
  [2.5, 'g', 3, '2.5'],
  [2.5, 'g', 17, '2.5'],
  [2.5, 'x', 0, '0x1p+01'],
  [2.5, 'x', 1, '0x1.4p+01'],
  [0.05, 'f', 0, '0'],
  [0.05, 'f', 2, '0.05'],
  [0.05, 'e', 0, '5e-02'],
  [0.05, 'e', 3, '5.000e-02'],
  [0.05, 'g', 0, '0.05'],
  [0.05, 'g', 3, '0.05'],
  [0.05, 'g', 17, '0.050000000000000003'],
  [0.05, 'x', 0, '0x1p-04'],
  [0.05, 'x', 1, '0x1.ap-05'],
  [9.5, 'f', 0, '10'],
  [9.5, 'f', 2, '9.50'],
  [9.5, 'e', 0, '1e+01'],
  [9.5, 'e', 3, '9.500e+00'],
  [9.5, 'g', 0, '1e+01'],
  [9.5, 'g', 3, '9.5'],
  [9.5, 'g', 17, '9.5'],
  [9.5, 'x', 0, '0x1p+03'],
  [9.5, 'x', 1, '0x1.3p+03'],
  [99.5, 'f', 0, '100'],
  [99.5, 'f', 2, '99.50'],
  [99.5, 'e', 0, '1e+02'],
  [99.5, 'e', 3, '9.950e+01'],
  [99.5, 'g', 0, '1e+02'],
  [99.5, 'g', 3, '99.5'],
  [99.5, 'g', 17, '99.5'],
  [99.5, 'x', 0, '0x1p+07'],
  [99.5, 'x', 1, '0x1.9p+06'],
  [999999.5, 'f', 0, '1000000'],
  [999999.5, 'f', 2, '999999.50'],
  [999999.5, 'e', 0, '1e+06'],
  [999999.5, 'e', 3, '1.000e+06'],
  [999999.5, 'g', 0, '1e+06'],
  [999999.5, 'g', 3, '1e+06'],
  [999999.5, 'g', 17, '999999.5'],
  [999999.5, 'x', 0, '0x1p+20'],
  [999999.5, 'x', 1, '0x1.fp+19'],
  [0.000123456, 'f', 0, '0'],
  [0.000123456, 'f', 2, '0.00'],
  [0.000123456, 'e', 0, '1e-04'],
  [0.000123456, 'e', 3, '1.235e-04'],
  [0.000123456, 'g', 0, '0.0001'],
  [0.000123456, 'g', 3, '0.000123'],
  [0.000123456, 'g', 17, '0.00012345600000000001'],
  [0.000123456, 'x', 0, '0x1p-13'],
  [0.000123456, 'x', 1, '0x1.0p-13'],
  [123456, 'f', 0, '123456'],
  [123456, 'f', 2, '123456.00'],
  [123456, 'e', 0, '1e+05'],
  [123456, 'e', 3, '1.235e+05'],
  [123456, 'g', 0, '1e+05'],
  [123456, 'g', 3, '1.23e+05'],
  [123456, 'g', 17, '123456'],
  [123456, 'x', 0, '0x1p+17'],
  [123456, 'x', 1, '0x1.ep+16'],
  [1e21, 'f', 0, '1000000000000000000000'],
  [1e21, 'f', 2, '1000000000000000000000.00'],
  [1e21, 'e', 0, '1e+21'],
  [1e21, 'e', 3, '1.000e+21'],
  [1e21, 'g', 0, '1e+21'],
  [1e21, 'g', 3, '1e+21'],
  [1e21, 'g', 17, '1e+21'],
  [1e21, 'x', 0, '0x1p+70'],
  [1e21, 'x', 1, '0x1.bp+69'],
  [5e-324, 'f', 0, '0'],
  [5e-324, 'f', 2, '0.00'],
  [5e-324, 'e', 0, '5e-324'],
  [5e-324, 'e', 3, '4.941e-324'],
  [5e-324, 'g', 0, '5e-324'],
  [5e-324, 'g', 3, '4.94e-324'],
  [5e-324, 'g', 17, '4.9406564584124654e-324'],
  [5e-324, 'x', 0, '0x1p-1074'],
  [5e-324, 'x', 1, '0x1.0p-1074'],
  [-2.675, 'f', 0, '-3'],
  [-2.675, 'f', 2, '-2.67'],
  [-2.675, 'e', 0, '-3e+00'],
  [-2.675, 'e', 3, '-2.675e+00'],
  [-2.675, 'g', 0, '-3'],
  [-2.675, 'g', 3, '-2.67'],
  [-2.675, 'g', 17, '-2.6749999999999998'],
  [-2.675, 'x', 0, '-0x1p+01'],
  [-2.675, 'x', 1, '-0x1.5p+01'],
  [0, 'f', 0, '0'],
  [0, 'f', 2, '0.00'],
  [0, 'e', 0, '0e+00'],
  [0, 'e', 3, '0.000e+00'],
  [0, 'g', 0, '0'],
  [0, 'g', 3, '0'],
  [0, 'g', 17, '0'],
  [0, 'x', 0, '0x0p+00'],
  [0, 'x', 1, '0x0.0p+00'],
  [0.1, 'f', 30, '0.100000000000000005551115123126'],
  [0.1, 'e', 60, '1.000000000000000055511151231257827021181583404541015625000000e-01'],
  [1e23, 'f', 3, '99999999999999991611392.000'],
  [0.1, 'g', 40, '0.1000000000000000055511151231257827021182'],
  [1, 'x', 16, '0x1.0000000000000000p+00'],
  [0.1, 'x', 13, '0x1.999999999999ap-04'],
  [0.1, 'x', 12, '0x1.99999999999ap-04'],
  [1.9999999999, 'x', 2, '0x1.00p+01'],
  [1, 'f', 20, '1.00000000000000000000'],
];

describe('floatText, with the answers of Go', () => {
  test.each(CASES)('%d %s %s', (value, verb, precision, expected) => {
    expect(floatText(value, verb, precision)).toBe(expected);
  });

  test('what is not finite has a name', () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(values.map((value) => floatText(value, 'g'))).toEqual(['NaN', '+Inf', '-Inf']);
  });
});

describe('floatText reads back as the same number', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

  test.each(['e', 'E', 'f', 'g', 'G'] as const)('%%%s in the fewest digits', (verb) => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(Number(floatText(value, verb))).toBe(value);
      }),
      runs(1000, 100_000),
    );
  });

  test('%e with 16 decimals', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(Number(floatText(value, 'e', 16))).toBe(value);
      }),
      runs(1000, 100_000),
    );
  });

  test('%x and %b', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(readBinary(floatText(value, 'x'), 16)).toBe(value);
        expect(readBinary(floatText(value, 'b'), 10)).toBe(value);
      }),
      runs(1000, 100_000),
    );
  });
});

/** A number written as mantissa, `p` and a power of two. */
function readBinary(text: string, base: 10 | 16): number {
  const [mantissa, exponent] = text.replace(/^-/, '').replace(/^0x/, '').split('p') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const integer = base === 16 ? Number.parseInt(whole + fraction, 16) : Number(whole);
  // In two steps, because the power of two alone can be too small for a float64.
  const power = Number(exponent) - 4 * fraction.length;
  const half = Math.trunc(power / 2);
  const magnitude = integer * 2 ** half * 2 ** (power - half);
  return text.startsWith('-') ? -magnitude : magnitude;
}
