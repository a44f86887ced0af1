import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { ENGINES, outcome, said } from '../../test/engines.js';

class Account {
  static count = 0;
  #secret = 'kept';
  name = 'ada';
  get greeting(): string {
    return `hello ${this.name}`;
  }
  get broken(): string {
    throw new Error('no account');
  }
  close(): string {
    return this.#secret;
  }
}

class Sub extends Account {
  override get broken(): string {
    return 'fixed';
  }
  get own(): number {
    return 1;
  }
}

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
  toJSON(): unknown {
    return { cents: this.cents };
  }
}

class Query {}
Object.defineProperty(Query.prototype, 'then', { value: () => undefined });

class Loop {
  toJSON(): unknown {
    return this;
  }
}

const cyclic: { name: string; items: unknown[] } = { name: 'c', items: [] };
cyclic.items.push({ back: cyclic });

/** What each kind of JavaScript data is to a template. */
const TABLE: readonly (readonly [name: string, text: string, data: unknown, expected: string])[] = [
  ['a Date', '{{.}} {{printf "%T" .}}', new Date(0), '1970-01-01T00:00:00.000Z string'],
  ['a Date in a list', '{{.}}', [new Date(1)], '[1970-01-01T00:00:00.001Z]'],
  ['Dates compare', '{{lt .a .b}} {{eq .a .a}}', { a: new Date(0), b: new Date(1) }, 'true true'],
  ['an invalid Date', '{{.d}}', { d: new Date('x') }, '.d is an invalid Date'],
  ['a Set', '{{.}} {{len .}} {{index . 1}}{{range .}} <{{.}}>{{end}}', new Set(['b', 'a']), '[b a] 2 a <b> <a>'],
  ['an empty Set is false', '{{if .}}y{{else}}n{{end}}', new Set(), 'n'],
  ['a Map of strings', '{{.}} {{.a}} {{index . "b"}}', new Map([['b', 1], ['a', 2]]), 'map[a:2 b:1] 2 1'],
  ['a Map of integers', '{{.}} {{index . 10}} {{printf "%T" .}}', new Map([[10, 'x'], [9, 'y']]), 'map[9:y 10:x] x map[int]interface {}'],
  ['its keys are ints', '{{range $k, $v := .}}{{printf "%T" $k}}{{$v}}{{end}}', new Map([[2, 'x']]), 'intx'],
  ['a Map of large integers', '{{index . 9007199254740993}}', new Map([[9007199254740993n, 'x']]), 'x'],
  ['a Map of small bigints', '{{.}} {{index . 3}}', new Map([[3n, 'x']]), 'map[3:x] x'],
  ['a Map of numbers', '{{.}} {{printf "%T" .}} {{index . 1.0}}', new Map([[1, 'x'], [0.5, 'y']]), 'map[0.5:y 1:x] map[float64]interface {} x'],
  ['a Map of booleans', '{{.}} {{index . true}}', new Map([[true, 1], [false, 0]]), 'map[false:0 true:1] 1'],
  ['a field of a Map of integers', '{{.a}}', new Map([[1, 1]]), "can't evaluate field a in type map[int]interface {}"],
  ['a wrong key', '{{index . "a"}}', new Map([[1, 1]]), 'error calling index: value has type string; should be int'],
  ['a Map of mixed keys', '{{.m}}', { m: new Map<unknown, unknown>([['a', 1], [1, 2]]) }, '.m is a Map whose keys are not all'],
  ['a Map of objects', '{{len .m}}', { m: new Map([[{}, 1]]) }, '.m is a Map whose keys are not all'],
  ['own fields and getters', '{{.name}} {{.greeting}}', new Account(), 'ada hello ada'],
  ['a getter that throws', '{{.broken}}', new Account(), 'the data cannot be read: no account'],
  ['no methods', '{{.close}} {{.constructor}} {{.__proto__}}', new Account(), '<no value> <no value> <no value>'],
  ['a class that extends', '{{.}} {{len .}}', new Sub(), 'map[broken:fixed greeting:hello ada name:ada own:1] 4'],
  ['what says what it is as JSON', '{{.cents}} {{.}}', new Money(5), '5 map[cents:5]'],
  ['what says it is itself', '{{len .}}', new Loop(), '0'],
  ['a URL', '{{.}}', new URL('https://a.example/b?c=d'), 'https://a.example/b?c=d'],
  ['a RegExp', '{{.}}', /a+/gi, '/a+/gi'],
  ['an Error', '{{.}}', new TypeError('bad'), 'TypeError: bad'],
  ['boxed primitives', '{{.}}', [new String('a'), new Number(1), new Boolean(false), Object(2n)], '[a 1 false 2]'],
  ['a boxed false is false', '{{if .}}y{{else}}n{{end}}', new Boolean(false), 'n'],
  ['bytes', '{{.}} {{printf "%s %x %T" . . .}} {{index . 0}}', Buffer.from('hé'), '[104 195 169] hé 68c3a9 []uint8 104'],
  ['a Uint8Array', '{{range .}}{{printf "%T" .}}{{end}}', new Uint8Array([1]), 'uint8'],
  ['an ArrayBuffer', '{{.}}', new Uint8Array([1, 2]).buffer, '[1 2]'],
  ['a SharedArrayBuffer', '{{len .}}', new SharedArrayBuffer(3), '3'],
  ['clamped bytes', '{{printf "%x" .}}', new Uint8ClampedArray([300, 1]), 'ff01'],
  ['an integer past 64 bits in a list', '{{index .u 0}}', { u: [2n ** 63n] }, '.u[0] is an integer past 64 bits'],
  ['large unsigned integers', '{{.}} {{printf "%T" .}}', new BigUint64Array([2n ** 64n - 1n]), '[18446744073709551615] []uint64'],
  ['floats of 32 bits', '{{.}} {{printf "%T" .}}', new Float32Array([0.1]), '[0.1] []float32'],
  ['a DataView', '{{.}}', new DataView(new Uint8Array([1, 2, 3]).buffer, 1), '[2 3]'],
  ['integers', '{{.}} {{printf "%T" .}}', new Int16Array([-1, 2]), '[-1 2] []int16'],
  ['signed bytes', '{{.}} {{printf "%T" .}}', new Int8Array([-1]), '[-1] []int8'],
  ['floats', '{{.}} {{printf "%T" (index . 0)}}', new Float64Array([1, 2.5]), '[1 2.5] float64'],
  ['big integers', '{{.}}', new BigInt64Array([2n ** 62n]), '[4611686018427387904]'],
  ['an integer of 64 bits', '{{.}} {{printf "%T %*d" . 3 5}}', 2n ** 63n - 1n, '9223372036854775807 int   5'],
  ['a small bigint', '{{printf "%*d" . 5}}', 3n, '  5'],
  ['an integer past 64 bits', '{{.a.n}}', { a: { n: 2n ** 63n } }, '.a.n is an integer past 64 bits: pass it as a string, or as a float'],
  ['NaN and the infinities', '{{.}}', [Number.NaN, Infinity, -Infinity, -0], '[NaN +Inf -Inf 0]'],
  ['a whole number past 2^53', '{{printf "%T" .}}', 1e20, 'float64'],
  ['a sparse list', '{{.}} {{len .}} {{index . 0}}', Object.assign(new Array(2), { 1: 1 }), '[<nil> 1] 2 <no value>'],
  ['an item that is nil', '{{range .}}{{.a}}{{end}}', [undefined], 'nil pointer evaluating interface {}.a'],
  ['a key without a value is no key', '{{len .}} {{.}}{{range $k, $v := .}} {{$k}}{{end}}', { a: undefined, b: 1 }, '1 map[b:1] b'],
  ['and all of them are none', '{{if .}}y{{else}}n{{end}}', { a: undefined }, 'n'],
  ['a symbol', '{{.a.s}}', { a: { s: Symbol('x') } }, '.a.s is a symbol, which has no text: pass a string'],
  ['a symbol as a key is no key', '{{.}}', { [Symbol('x')]: 1, a: 2 }, 'map[a:2]'],
  ['a function', '{{call .f 1 2}}', { f: (one: number, two: number) => one + two }, '3'],
  ['a Promise', '{{.a.b}}', { a: { b: [1, 2, 3, Promise.resolve(1)] } }, '.a.b[3] is a Promise: wait for it before the render'],
  ['a thenable of a class', '{{.q}}', { q: new Query() }, '.q is a Promise'],
  ['a Promise as the dot', '{{with .p}}{{.x}}{{end}}', { p: Promise.resolve(1) }, '.p is a Promise'],
  ['a Promise as the data', '{{.}}', Promise.resolve(1), 'the data is a Promise'],
  ['a Promise in a Set in a Map', '{{.}}', new Map([['a b', new Set([Promise.resolve(1)])]]), '["a b"][0] is a Promise'],
  ['a Promise that no one looks at', '{{.a}}', { a: 1, p: Promise.resolve(1) }, '1'],
  ['a Promise beside what throws', '{{.p}}', Object.assign(new Account(), { p: Promise.resolve(1) }), '.p is a Promise'],
  ['a Promise under a number', '{{.}}', new Map([[1.5, Promise.resolve(1)]]), '[1.5] is a Promise'],
  ['a Promise from a getter', '{{.p}}', { get p() { return Promise.resolve(1); } }, 'at <.p>: the value is a Promise'],
  ['a WeakMap', '{{.w}}', { w: new WeakMap() }, '.w is a WeakMap, which nobody can list: pass a Map'],
  ['a WeakSet', '{{if .w}}y{{end}}', { w: new WeakSet() }, '.w is a WeakSet'],
  ['a WeakRef', '{{len .w}}', { w: new WeakRef({}) }, '.w is a WeakRef'],
  ['a generator', '{{range .g}}x{{end}}', { g: (function* () { yield 1; })() }, '.g is an iterator, which can be read only once: pass an array'], // biome-ignore format: short
  ['cyclic data is read', '{{(index .items 0).back.name}}', cyclic, 'c'],
  ['cyclic data is not printed', '{{.c}}', { c: cyclic }, ' is something that holds itself'],
]; // biome-ignore format: a table

describe.each(ENGINES)('JavaScript data by %s', (engine) => {
  it.each(TABLE)('%s', (_, text, data, expected) => {
    const shown = said(outcome({ text, engine }, data));
    if (shown.startsWith('template: ')) expect(shown).toContain(expected);
    else expect(shown).toBe(expected);
  });

  it('a function gets what the data holds', () => {
    const given: unknown[] = [];
    const date = new Date(0);
    const functions = { keep: (...args: unknown[]) => given.push(...args) };
    expect(
      said(
        outcome({ text: '{{keep .d .s}}{{.d | keep}}', engine, functions }, { d: date, s: Symbol.iterator }),
      ),
    ).toBe('23');
    expect(given).toEqual([date, Symbol.iterator, date]);
  });

  it('what a function returns is data too', () => {
    const functions = { now: () => new Date(0), later: () => Promise.resolve(1), nothing: () => undefined };
    expect(said(outcome({ text: '{{now}} {{nothing}}', engine, functions }))).toBe(
      '1970-01-01T00:00:00.000Z <no value>',
    );
    expect(said(outcome({ text: '{{later}}', engine, functions }))).toContain('the value is a Promise');
  });
});

/** Data of every kind that the table names, at any depth. */
const anyData = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(
      null, undefined, '', 'é', 0, -0, 1.5, Number.NaN, true, 2n ** 62n, new Date(0), /x/, new Error('e'), new String('s'),
      new Uint8Array([1, 255]), new Float32Array([0.5]), new URL('https://a.example'), new Sub(), new Money(1), new Map([[1, 'x'], [3, 'y']]),
      new Map([[true, 1]]), new Map([[0.5, 1], [2, 3]]), Object.create(null), Object.create({ inherited: 1 }),
    ), // biome-ignore format: a table
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'é', 'constructor', '__proto__', '10', '9'), tie('value'), {
      maxKeys: 3,
    }),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items)),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', ''), tie('value')), { maxLength: 3 })
      .map((entries) => new Map(entries)),
  ),
})).value;

describe('of any data', () => {
  it('len, range, index, truth and print agree', () => {
    const text =
      '{{range $k, $v := .}}{{if ne (print $v) (print (index $ $k))}}[{{$k}}]{{end}}x{{end}}|{{len .}}|{{if .}}y{{else}}n{{end}}|{{.}}';
    fc.assert(
      fc.property(anyData, (data) => {
        const results = ENGINES.map((engine) => said(outcome({ text, engine }, data)));
        expect(new Set(results).size).toBe(1);
        const [shown = ''] = results;
        if (shown.startsWith('template: ')) return;
        const [rounds = '', size, truth, printed = ''] = shown.split('|');
        expect(rounds).toBe('x'.repeat(Number(size)));
        expect(truth).toBe(Number(size) > 0 ? 'y' : 'n');
        if (size === '0') expect(printed).toMatch(/^(?:map)?\[\]$/);
      }),
      runs(2000, 100_000),
    );
  });

  it('rendering reads it and leaves it alone', () => {
    const limits = { steps: 2000, outputBytes: 100_000 };
    fc.assert(
      fc.property(anyData, (data) => {
        const frozen = freeze(data);
        for (const engine of ENGINES)
          said(outcome({ text: '{{.}}{{range .}}{{.}}{{end}}{{len .}}', engine }, frozen, { limits }));
      }),
      runs(500, 20_000),
    );
  });
});

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
