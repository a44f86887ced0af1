import { expect, test } from 'vitest';
import { Float, Uint8 } from '../value/number.js';
import { Complex, Slice, Struct, type Value } from '../value/value.js';
import { typeName } from './type-name.js';

const CASES: readonly (readonly [Value, string])[] = [
  [undefined, '<nil>'],
  [null, '<nil>'],
  [true, 'bool'],
  [1, 'int'],
  [-0, 'int'],
  [2n ** 62n, 'int'],
  [1.5, 'float64'],
  [1e300, 'float64'],
  [Number.NaN, 'float64'],
  [new Float(1), 'float64'],
  [new Complex(1, 2), 'complex128'],
  [new Uint8(1), 'uint8'],
  ['', 'string'],
  [[], '[]interface {}'],
  [new Slice('string', []), '[]string'],
  [new Slice('map[string]int', []), '[]map[string]int'],
  [{}, 'map[string]interface {}'],
  [new Map(), 'map[string]interface {}'],
  [Object.create(null), 'map[string]interface {}'],
  [new Struct('agent.Context', []), 'agent.Context'],
  [() => 1, 'func(...interface {}) interface {}'],
];

test.each(CASES)('%#: %s is %s', (value, expected) => {
  expect(typeName(value)).toBe(expected);
});
