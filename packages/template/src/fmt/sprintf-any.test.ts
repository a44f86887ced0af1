import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { itInTurn, runs } from '../../../../test/runs.js';
import { Float, Uint8 } from '../value/number.js';
import { Complex, Slice, Struct, Tagged, type Value } from '../value/value.js';
import { fromBytes, normal } from './bytes.js';
import { sprintf } from './sprintf.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.uint8Array({ maxLength: 8 }).map(fromBytes),
);

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, undefined, true, false),
    fc.integer(),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.double(),
    fc.double().map((number) => new Float(number)),
    fc.tuple(fc.double(), fc.double()).map(([real, imaginary]) => new Complex(real, imaginary)),
    fc.nat(255).map((byte) => new Uint8(byte)),
    text,
    fc.array(text, { maxLength: 3 }).map((items) => new Slice('string', items)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    fc
      .array(tie('value'), { maxLength: 3 })
      .map((items) => new Map(items.map((item, at) => [`k${at}`, item]))),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => {
      return new Struct(
        'main.T',
        items.map((item, at) => [`F${at}`, item]),
      );
    }),
    fc.constant(() => 1),
  ),
}));

const format = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...'%%%[]*.0123+-# vTtbcdoOqxXUeEfFgGspwz') }, text),
    {
      maxLength: 15,
    },
  )
  .map((parts) => normal(parts.join('')));

test('any format takes any operands: nothing throws, and the text is normal', () => {
  fc.assert(
    fc.property(format, fc.array(value, { maxLength: 4 }), (one, args) => {
      const printed = sprintf(one, args, 10_000);
      expect(normal(printed)).toBe(printed);
    }),
    runs(5000, 500_000),
  );
});

test('the text passes the limit by one operand and no more', () => {
  const printed = sprintf('%1000d'.repeat(100), Array(100).fill(1), 5000);
  expect(printed.length).toBe(6000);
  expect(sprintf('', Array(1000).fill('ab'), 100).length).toBeLessThan(130);
});

test('a list of wide items stops soon after the limit', () => {
  expect(sprintf('%1000d', [Array(1000).fill(1)], 5000).length).toBeLessThan(7000);
});

test('tagged text is a string under every verb', () => {
  const tagged = new Tagged('é', 'here');
  for (const verb of ['%v', '%#v', '%q', '%x', '%T', '%d', '%p', '%w', '%4s|']) {
    expect(sprintf(verb, [tagged])).toBe(sprintf(verb, ['é']));
    if (verb !== '%T' && verb !== '%p' && verb !== '%w') {
      expect(sprintf(verb, [[tagged]])).toBe(sprintf(verb, [['é']]));
    }
  }
});

test('functions and lists show an address', () => {
  const run = () => 1;
  expect(sprintf('%v %p %d %x', [run, run, run, run])).toBe(
    '0xc000000000 0xc000000000 824633720832 c000000000',
  );
  expect(sprintf('%#v', [run])).toBe('(func(...interface {}) interface {})(0xc000000000)');
  expect(sprintf('%s', [run])).toBe('%!s(func(...interface {}) interface {}=0xc000000000)');
  expect(sprintf('%p %#p %p', [[], {}, new Slice('string', [], true)])).toBe('0xc000000000 c000000000 0x0');
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ['percent signs', '%'],
  ['open brackets', '%['],
  ['indexes', '%[1]'],
  ['missing operands', '%d'],
  ['stars', '%*'],
  ['points', '%.'],
  ['digits', '9'],
];

itInTurn.each(HOSTILE)('twice as many %s take about twice the time', (_, part) => {
  const run = (count: number) => sprintf(`%${part.repeat(count)}`, [1]);
  // Quadratic time would be 4.
  expect(growth(run, 100_000, 3)).toBeLessThan(3);
});
