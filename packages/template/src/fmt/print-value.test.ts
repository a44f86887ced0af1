import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { Float } from '../value/number.js';
import { Slice, Struct, type Value } from '../value/value.js';
import { printOperands, printValue } from './print-value.js';
import { sprint } from './sprint.js';

const CASES: readonly (readonly [Value, string])[] = [
  [undefined, '<no value>'],
  [null, '<no value>'],
  ['', ''],
  ['a\uDCC3', 'a\uDCC3'],
  [0, '0'],
  [-0, '0'],
  [-42, '-42'],
  [-(2n ** 63n), '-9223372036854775808'],
  [true, 'true'],
  [new Float(-0), '-0'],
  [new Float(1000000), '1e+06'],
  [0.1, '0.1'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [[null, undefined], '[<nil> <nil>]'],
  [new Slice('string', [], true), '[]'],
  [{ b: 1, a: null }, 'map[a:<nil> b:1]'],
  [new Map([['k', ['v']]]), 'map[k:[v]]'],
  [
    new Struct('agent.Context', [
      ['Name', 'x'],
      ['Tools', new Slice('string', ['a', 'b'])],
    ]),
    '{x [a b]}',
  ],
];

test.each(CASES)('%#: an action prints %s as %s', (value, expected) => {
  expect(printValue(value)).toBe(expected);
});

test('what is not nil prints as sprint does', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double(),
    fc.boolean(),
    fc.bigInt(),
  );
  fc.assert(
    fc.property(value, (one) => {
      expect(printValue(one)).toBe(sprint([one]));
      expect(printOperands([one])).toBe(sprint([one]));
    }),
    runs(1000, 100_000),
  );
});

test('nil operands of an escaping function are a string, so no space parts them', () => {
  expect(printOperands([null, 1, undefined])).toBe('<no value>1<no value>');
});
