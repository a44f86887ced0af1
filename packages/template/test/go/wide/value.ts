import { normal, toBytes } from '../../../src/fmt/bytes.js';
import {
  Complex,
  Float,
  Float32,
  Integer,
  type IntegerType,
  nilSlice,
  signed,
  slice,
  struct,
  Uint8,
  type Value,
} from '../../../src/index.js';
import type { Random } from '../random.js';

/** A value as both sides get it: with its type as JSON for Go, and as ours. */
export interface Typed {
  readonly json: unknown;
  readonly value: Value;
}

/** Any value of every kind there is. */
export function anyValue(random: Random, depth: number): Typed {
  const makers = depth > 0 ? [...SCALARS, ...HOLDERS, ...HOLDERS] : SCALARS;
  return random.pick(makers)(random, depth - 1);
}

export const text = (value: string): Typed => ({ json: ['string', base64(value)], value });
export const int = (value: bigint | number): Typed => {
  const number = Number(value);
  return { json: ['int', String(value)], value: Number.isSafeInteger(number) ? number : BigInt(value) };
};
export const float = (value: number): Typed => ({ json: ['float', bitsOf(value)], value: new Float(value) });
export const float32 = (value: number): Typed => ({
  json: ['float32', bitsOf(Math.fround(value))],
  value: new Float32(value),
});
export const sized = (type: IntegerType, value: bigint): Typed => ({
  json: ['sized', type, String(value)],
  value: type === 'uint8' ? new Uint8(value) : new Integer(type, value),
});

/** A struct with methods, each as the oracle has it. */
export const agent = (name: string, count: number): Typed => {
  const value: Value = struct(
    'main.Agent',
    { Name: name, Count: count },
    {
      Hi: signed([], () => `hi ${name}`),
      Greet: signed(['string'], (word: string) => normalText(`${word} ${name}`)),
      Self: signed([], () => value),
      Small: signed(['uint8', 'float32'], (n: Uint8, f: Float32) => [n, f]),
      Boom: signed(['any'], () => {
        throw new Error('it broke');
      }),
      Sum: signed(
        ['int', 'float64'],
        (first: number | bigint, ...rest: readonly (Float | number)[]) =>
          new Float(
            rest.reduce<number>(
              (sum, each) => sum + (each instanceof Float ? each.value : each),
              Number(first),
            ),
          ),
        { variadic: true },
      ),
    },
  );
  return { json: ['Agent', text(name).json, int(count).json], value };
};

export const bytes = (value: Uint8Array): Typed => ({
  json: ['bytes', Buffer.from(value).toString('base64')],
  value: slice('uint8', [...value]),
});
export const list = (...items: readonly Typed[]): Typed => ({
  json: ['list', ...items.map(({ json }) => json)],
  value: items.map(({ value }) => value),
});
export const map = (entries: readonly (readonly [string, Typed])[]): Typed => ({
  json: ['map', ...entries.flatMap(([key, { json }]) => [text(key).json, json])],
  value: new Map(entries.map(([key, { value }]) => [key, value])),
});
const bool = (value: boolean): Typed => ({ json: ['bool', String(value)], value });
export const nothing: Typed = { json: ['nil'], value: null };
export const callable: Typed = { json: ['func'], value: (...args: readonly unknown[]) => args.length };

/** A text of any runes, now and then with bytes that are not UTF-8 (lone surrogates, as values have them). */
export function anyText(random: Random): string {
  if (random.percent(30)) return random.pick(TEXTS);
  const length = random.below(random.pick([2, 5, 12]));
  let made = '';
  for (let at = 0; at < length; at++) made += anyRune(random);
  return made;
}

export function anyRune(random: Random): string {
  const [low, high] = random.pick(RUNES);
  return String.fromCodePoint(low + random.below(high - low + 1));
}

export function anyInt(random: Random): bigint {
  if (random.percent(45)) return BigInt(random.below(300) - 20);
  if (random.percent(25)) return BigInt(random.pick(INTS));
  return BigInt.asIntN(64, bits(random) >> BigInt(random.below(64)));
}

export function anyFloat(random: Random): number {
  if (random.percent(40)) return random.pick(FLOATS);
  if (random.percent(40))
    return (random.below(200_000) - 100_000) / random.pick([1, 2, 8, 10, 100, 1e3, 1e7]);
  if (random.percent(40)) return Number(`${1 + random.below(9)}e${random.below(660) - 330}`);
  view.setBigUint64(0, bits(random));
  return view.getFloat64(0);
}

const bits = (random: Random): bigint =>
  (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));

const SIZES: readonly (readonly [IntegerType, number])[] = [
  ['int8', 8], ['int16', 16], ['int32', 32], ['int64', 64], ['uint', 64], ['uint8', 8], ['uint16', 16], ['uint32', 32], ['uint64', 64],
]; // biome-ignore format: a table

function anySized(random: Random): Typed {
  const [type, size] = random.pick(SIZES);
  return sizedFrom(type, size, anyInt(random));
}

const sizedFrom = (type: IntegerType, size: number, value: bigint): Typed =>
  sized(type, type.startsWith('u') ? BigInt.asUintN(size, value) : BigInt.asIntN(size, value));

export function anyFloat32(random: Random): number {
  if (random.percent(40)) return Math.fround(anyFloat(random));
  // Powers of two are where the fewest digits are hard to find.
  if (random.percent(30)) return 2 ** (random.below(277) - 149);
  view.setUint32(0, random.below(2 ** 32));
  return view.getFloat32(0);
}

type Maker = (random: Random, depth: number) => Typed;

const SCALARS: readonly Maker[] = [
  () => nothing,
  (random) => bool(random.percent(50)),
  (random) => int(anyInt(random)),
  (random) => int(anyInt(random)),
  (random) => float(anyFloat(random)),
  (random) => text(normalText(anyText(random))),
  (random) => text(normalText(anyText(random))),
  (random) => {
    const byte = random.below(256);
    return { json: ['uint8', String(byte)], value: new Uint8(byte) };
  },
  (random) => anySized(random),
  (random) => anySized(random),
  (random) => float32(anyFloat32(random)),
  (random) => {
    const [real, imaginary] = [anyFloat(random), anyFloat(random)];
    return { json: ['complex', bitsOf(real), bitsOf(imaginary)], value: new Complex(real, imaginary) };
  },
];

const many = <Item>(random: Random, make: () => Item): Item[] =>
  Array.from({ length: random.below(4) }, make);

const typedList = (form: string, element: string, items: readonly Typed[]): Typed => ({
  json: [form, ...items.map(({ json }) => json)],
  value: slice(
    element,
    items.map(({ value }) => value),
  ),
});

const point = (random: Random): Typed => {
  const [x, y] = [int(random.below(3)), float(random.pick([0, 1.5, Number.NaN]))];
  return {
    json: ['Point', x.json, y.json],
    value: struct('main.Point', { X: x.value, Y: y.value }),
  };
};

/** A map of other keys than strings; the value of each is the key itself. */
const keyed = (form: string, entries: ReadonlyMap<number | boolean, Typed>): Typed => ({
  json: [form, ...[...entries.values()].flatMap(({ json }) => [json, json])],
  value: new Map([...entries].map(([key, { value }]) => [key, value])) as Value,
});

const HOLDERS: readonly Maker[] = [
  (random, depth) => list(...many(random, () => anyValue(random, depth))),
  (random, depth) => list(...many(random, () => anyValue(random, depth))),
  (random, depth) => map(keys(random).map((key) => [key, anyValue(random, depth)] as const)),
  (random, depth) => map(keys(random).map((key) => [key, anyValue(random, depth)] as const)),
  (random) => bytes(toBytes(anyText(random))),
  () => ({ json: ['nil-bytes'], value: nilSlice('uint8') }),
  () => ({ json: ['nil-strings'], value: nilSlice('string') }),
  (random) =>
    typedList(
      'strings',
      'string',
      many(random, () => text(normalText(anyText(random)))),
    ),
  (random) =>
    typedList(
      'ints',
      'int',
      many(random, () => int(anyInt(random))),
    ),
  (random) =>
    typedList(
      'floats',
      'float64',
      many(random, () => float(anyFloat(random))),
    ),
  (random) =>
    typedList(
      'float32s',
      'float32',
      many(random, () => float32(anyFloat32(random))),
    ),
  (random) => {
    const [form, type, size] = random.pick([
      ['int8s', 'int8', 8],
      ['int32s', 'int32', 32],
      ['uint64s', 'uint64', 64],
    ] as const);
    return typedList(
      form,
      type,
      many(random, () => sizedFrom(type, size, anyInt(random))),
    );
  },
  (random) => agent(normalText(anyText(random)), random.below(9)),
  (random) =>
    typedList(
      'points',
      'main.Point',
      many(random, () => point(random)),
    ),
  (random) => point(random),
  (random) =>
    keyed('int-map', new Map([10, 9, -1, 2 ** 40].slice(random.below(4)).map((key) => [key, int(key)]))),
  (random) =>
    keyed(
      'float-map',
      new Map([0.5, Number.NaN, -1e21].slice(random.below(3)).map((key) => [key, float(key)])),
    ),
  (random) => keyed('bool-map', new Map([true, false].slice(random.below(2)).map((key) => [key, bool(key)]))),
  (random, depth) => {
    const name = text(normalText(anyText(random)));
    const inner = anyValue(random, depth);
    const tags = typedList(
      'strings',
      'string',
      many(random, () => text(normalText(anyText(random)))),
    );
    return {
      json: ['Box', name.json, inner.json, tags.json],
      value: struct('main.Box', { Name: name.value, Any: inner.value, Tags: tags.value }),
    };
  },
];

const keys = (random: Random): string[] =>
  random.some(['a', 'b', 'c', 'é', '', 'x y', 'B', '10', '9'], random.below(4));

const base64 = (value: string): string => Buffer.from(toBytes(value)).toString('base64');

/** Raw bytes that together are valid stand as their character. */
export const normalText = (value: string): string => normal(value);

const view = new DataView(new ArrayBuffer(8));
const bitsOf = (value: number): string => {
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
};

const TEXTS = [
  '', 'a', 'abc', 'Hello, World', '日本語', '😀 ok', 'a<b>&"c"\'d\'', 'one\ntwo\n', ' \t ', '{{.x}}', '100%d', 'a=1&b=2/?',
  '\0\x01\x7f', '\u2028\ufeff\u00a0', 'e\u0301', '\\ ` $', '\udcff', 'a\udcc3z', '\udce2\udc82', '\udcf0\udc9f\udc98', '\ufffd',
]; // biome-ignore format: a table
const RUNES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e], [0x20, 0x7e], [0x00, 0xff], [0x100, 0x52f], [0x5d0, 0x2fff], [0x2000, 0x206f], [0x3000, 0xd7ff], [0xe000, 0xffff],
  [0x10000, 0x1ffff], [0x20000, 0x10ffff], [0xdc80, 0xdcff],
]; // biome-ignore format: a table
const INTS = [
  '0', '1', '-1', '127', '128', '255', '256', '55296', '57343', '65533', '65536', '1114111', '1114112', '2147483648', '4294967295',
  '9007199254740991', '9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808',
]; // biome-ignore format: a table
const FLOATS = [
  0, -0, 1, -1, 1.5, 0.1, 2.5, 1e20, 1e21, 1e-5, 1e-4, 123456789.125, 1e6, 100000, 999999.5, Number.NaN, Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.30000000000000004, 2 ** 53, 2 ** 63, -(2 ** 63),
]; // biome-ignore format: a table
