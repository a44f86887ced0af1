import { expect, it } from 'vitest';
import { inKeyOrder } from './key-order.js';

it('keys are in the order of the journal, all the way down, and what is in order is not copied', () => {
  const value = { b: [{ y: 1, x: null }], a: 'z' };
  expect(JSON.stringify(inKeyOrder(value))).toBe('{"a":"z","b":[{"x":null,"y":1}]}');
  const kept = { a: [{ x: undefined }], b: 2 };
  expect(inKeyOrder(kept)).toBe(kept);
});

it('a key that means something to objects is a key like any other', () => {
  const value = JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}') as object;
  expect(JSON.stringify(inKeyOrder(value))).toBe('{"__proto__":{"c":2,"d":1},"b":1}');
});
