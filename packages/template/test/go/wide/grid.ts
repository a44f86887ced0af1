import type { MissingKey } from '../../../src/index.js';
import { Complex, nilSlice, slice, struct, Uint8 } from '../../../src/index.js';
import type { WideCase } from './case.js';
import { bytes, float, float32, int, list, map, nothing, sized, type Typed, text } from './value.js';

/** Every verb with every flag, width and precision on a value of every kind: a template for each value and flags. */
export function gridCases(): readonly WideCase[] {
  return VALUES.flatMap((one, at) =>
    FLAGS.map((flags, index) => {
      const { json, value } = map([['v', one]]);
      const directives = VERBS.flatMap((verb) => MEASURES.map((measure) => `%${flags}${measure}[1]${verb}`));
      return {
        id: `grid-${at}-${index}`,
        tmpl: `{{printf ${JSON.stringify(directives.join('|'))} .v}}`,
        delimiters: ['{{', '}}'] as const,
        missingKey: 'default' as MissingKey,
        data: { value, json: JSON.stringify(json) },
      };
    }),
  );
}

/** All subsets of the five flags. */
const FLAGS = Array.from({ length: 32 }, (_, bits) =>
  [...'+-# 0'].filter((_flag, at) => (bits >> at) & 1).join(''),
);
/** Never `p`: it prints an address. */
const VERBS = [...'vdbOoxXcqUeEfFgGstTwz%é'];
const MEASURES = ['', '1', '7', '12', '.', '.0', '.1', '.3', '.20', '9.2', '3.7', '30.0'];

const number = (value: number): Typed => {
  return { json: ['uint8', String(value)], value: new Uint8(value) };
};

const complex = (real: number, imaginary: number): Typed => {
  const [, left] = float(real).json as [string, string];
  const [, right] = float(imaginary).json as [string, string];
  return { json: ['complex', left, right], value: new Complex(real, imaginary) };
};

const point: Typed = {
  json: ['Point', int(-3).json, float(2.5).json],
  value: struct('main.Point', { X: int(-3).value, Y: float(2.5).value }),
};

const strings: Typed = {
  json: ['strings', text('a').json, text('é\udcff').json],
  value: slice('string', ['a', 'é\udcff']),
};

const VALUES: readonly Typed[] = [
  ...[0n, 1n, -1n, 9n, 65n, 255n, -300n, 8364n, 55296n, 65533n, 128512n, 1114112n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n - 1n].map(int),
  int(-(2n ** 63n)),
  ...[0, -0, 1, -1.5, 0.1, 2.5, 999999.5, 1e6, 123456789.125, 1e20, 1e21, -1e-5, 5e-324, 1.7976931348623157e308].map(float),
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(float),
  ...['', 'a', 'hello', 'é日😀', '\udcff', 'a\udcc3z', '\0\x07\n"\\`', '\ufeff', '100%'].map(text),
  ...[0, 65, 255].map(number),
  ...[0, -0, 0.1, 16777216, 1.17549435e-38, 3.4028234663852886e38, 1e-45, 2 ** -126, 8388608.5, 1e21, Number.NaN].map(float32),
  sized('int8', -128n), sized('int16', 300n), sized('int32', -65n), sized('int64', 2n ** 62n), sized('uint', 0n), sized('uint16', 8364n),
  sized('uint32', 4294967295n), sized('uint64', 18446744073709551615n),
  ...[complex(1, -2.5), complex(Number.NaN, Number.POSITIVE_INFINITY), complex(-0, 0)],
  { json: ['bool', 'true'], value: true },
  { json: ['bool', 'false'], value: false },
  nothing,
  { json: ['nil-bytes'], value: nilSlice('uint8') },
  { json: ['nil-strings'], value: nilSlice('string') },
  bytes(new Uint8Array()),
  bytes(new Uint8Array([0, 104, 195, 169, 255])),
  strings,
  point,
  list(),
  list(int(7), text('x'), nothing, float(1.5), point, bytes(new Uint8Array([97])), list(int(-1))),
  map([]),
  map([['b', int(1)], ['a', list(text('y'))], ['', nothing]]),
]; // biome-ignore format: a table
