import { describe, expect, test } from 'vitest';
import { RefusedData } from '../value/data.js';
import { Float, Uint8 } from '../value/number.js';
import { Complex, Slice, Struct, Tagged, type Value } from '../value/value.js';
import { sprint, sprintln } from './sprint.js';

const float = (value: number) => new Float(value);
const uint8 = (value: number) => new Uint8(value);
const complex = (real: number, imaginary: number) => new Complex(real, imaginary);
const strings = (...items: string[]) => new Slice('string', items);
const nilStrings = new Slice('string', [], true);
const T = (a: Value, b: Value, c: Value, d: Value) =>
  new Struct('main.T', [
    ['A', a],
    ['B', b],
    ['C', c],
    ['D', d],
  ]);

type Case = readonly [readonly Value[], string];

const PRINT: readonly Case[] = [
  [[], ''],
  [[null], '<nil>'],
  [[undefined, undefined], '<nil> <nil>'],
  [['a'], 'a'],
  [['a', 'b'], 'ab'],
  [[1, 2], '1 2'],
  [[1, 'a', 2, 3], '1a2 3'],
  [['a', 1, 2, 'b', 3, 'c'], 'a1 2b3c'],
  [[1.5, float(1), float(1e21), float(1e6), 0.00001], '1.5 1 1e+21 1e+06 1e-05'],
  [[true, false], 'true false'],
  [[[1, 2], [3]], '[1 2] [3]'],
  [[{ a: 1 }, 2], 'map[a:1] 2'],
  [[strings('a', 'b'), 'c'], '[a b]c'],
  [[nilStrings, null], '[] <nil>'],
  [['\uDCC3', '\uDCA9'], 'é'],
  [[T('x', null, nilStrings, 1)], '{x <nil> [] 1}'],
  [[complex(1, 2), uint8(97)], '(1+2i) 97'],
  [[9223372036854775807n, -1], '9223372036854775807 -1'],
  [['', ''], ''],
  [['', 1, 2], '1 2'],
];

const PRINT_LINE: readonly Case[] = [
  [[], '\n'],
  [[null], '<nil>\n'],
  [[undefined, undefined], '<nil> <nil>\n'],
  [['a'], 'a\n'],
  [['a', 'b'], 'a b\n'],
  [[1, 2], '1 2\n'],
  [[1, 'a', 2, 3], '1 a 2 3\n'],
  [['a', 1, 2, 'b', 3, 'c'], 'a 1 2 b 3 c\n'],
  [[1.5, float(1), float(1e21), float(1e6), 0.00001], '1.5 1 1e+21 1e+06 1e-05\n'],
  [[true, false], 'true false\n'],
  [[[1, 2], [3]], '[1 2] [3]\n'],
  [[{ a: 1 }, 2], 'map[a:1] 2\n'],
  [[strings('a', 'b'), 'c'], '[a b] c\n'],
  [[nilStrings, null], '[] <nil>\n'],
  [['\uDCC3', '\uDCA9'], '\udcc3 \udca9\n'],
  [[T('x', null, nilStrings, 1)], '{x <nil> [] 1}\n'],
  [[complex(1, 2), uint8(97)], '(1+2i) 97\n'],
  [[9223372036854775807n, -1], '9223372036854775807 -1\n'],
  [['', ''], ' \n'],
  [['', 1, 2], ' 1 2\n'],
];

describe('sprint, with the answers of Go', () => {
  test.each(PRINT)('%#', (args, expected) => {
    expect(sprint(args)).toBe(expected);
  });
});

describe('sprintln, with the answers of Go', () => {
  test.each(PRINT_LINE)('%#', (args, expected) => {
    expect(sprintln(args)).toBe(expected);
  });
});

describe('the limit of sprint', () => {
  test('a long list of operands stops soon after it', () => {
    const length = sprint(
      Array.from({ length: 1000 }, () => 'ab'),
      100,
    ).length;
    expect(length).toBeGreaterThan(100);
    expect(length).toBeLessThan(110);
    expect(
      sprintln(
        Array.from({ length: 1000 }, () => 'ab'),
        100,
      ).length,
    ).toBeLessThan(110);
  });

  test('a value that holds itself is refused', () => {
    const loop: Record<string, Value> = {};
    loop.a = [1, loop];
    let thrown: unknown;
    try {
      sprint([loop]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(
      new RefusedData(thrown instanceof RefusedData && thrown.value, 'something that holds itself'),
    );
  });

  test('depth costs no stack', () => {
    let value: Value = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(sprint([value])).toBe(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  });
});

test('tagged text is a string', () => {
  const tagged = new Tagged('a', 'here');
  expect(sprint([1, tagged, 2, [tagged], { k: tagged }])).toBe('1a2 [a] map[k:a]');
});
