import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { isSameNumber } from './same-number.js';

describe('a number', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

  it('is the same in every way to write it', () => {
    fc.assert(
      fc.property(finite, fc.nat(9), fc.nat(9), (value, front, back) => {
        const [digits = '', exponent = '0'] = String(value).replace(/^-/, '').split('e');
        const zeros = `${'0'.repeat(front)}${digits}${digits.includes('.') ? '' : '.'}${'0'.repeat(back)}`;
        const shifted = `${digits.replace('.', '')}E${Number(exponent) - (digits.split('.')[1]?.length ?? 0)}`;
        for (const written of [String(value), `${zeros}e${exponent}`, shifted])
          expect(isSameNumber(written, Number(written))).toBe(true);
      }),
      runs(60, 300),
    );
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        for (const written of [`0x${value.toString(16)}`, `0o${value.toString(8)}`])
          expect(isSameNumber(written, value)).toBe(true);
      }),
    );
  });

  it('is another one when it is written with more digits than a number holds', () => {
    const digit = fc.integer({ min: 1, max: 9 });
    const rest = fc.array(fc.nat(9), { minLength: 17, maxLength: 40 });
    fc.assert(
      fc.property(digit, rest, digit, fc.nat(40), (first, middle, last, point) => {
        const digits = [first, ...middle, last].join('');
        const written = `${digits.slice(0, point)}.${digits.slice(point)}`;
        expect(isSameNumber(written, Number(written))).toBe(false);
        expect(isSameNumber(digits, Number(digits))).toBe(false);
      }),
      runs(60, 300),
    );
    expect(isSameNumber(`0x${'f'.repeat(20)}`, Number(`0x${'f'.repeat(20)}`))).toBe(false);
    expect(isSameNumber('1e400', Number.POSITIVE_INFINITY)).toBe(false);
    expect(isSameNumber('1e-400', 0)).toBe(false);
  });
});
