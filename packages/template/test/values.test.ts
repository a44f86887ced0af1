import { describe, expect, it } from 'vitest';
import {
  bytes,
  float32,
  int8,
  int64,
  parseTemplate,
  signed,
  slice,
  struct,
  uint16,
  uint64,
  type Value,
} from '../src/index.js';
import { ENGINES, outcome, said } from './engines.js';

const agent = (name: string): Value =>
  struct(
    'agent.Agent',
    { Name: name, Shout: () => 'a field' },
    {
      Greet: signed(['string'], (word: string) => `${word} ${name}`),
      Port: signed(['uint16'], (port: Value) => port),
      Join: signed(['string', 'any'], (by: string, ...all: readonly unknown[]) => all.join(by), {
        variadic: true,
      }),
      Fail: signed([], () => {
        throw new Error('no answer');
      }),
    },
  );

describe.each(ENGINES)('values of Go by %s', (engine) => {
  const say = (text: string, data: unknown): string => said(outcome({ text, engine }, data));

  it.each<[text: string, data: unknown, expected: string]>([
    ['{{.}} {{printf "%T %x %#v" . . .}}', uint16(8080), '8080 uint16 1f90 0x1f90'],
    ['{{.}} {{printf "%T" .}}', uint64(2n ** 64n - 1n), '18446744073709551615 uint64'],
    ['{{.}} {{printf "%v %.3f %T" . . .}}', float32(0.1), '0.1 0.1 0.100 float32'],
    ['{{range .}}{{printf "%T%v " . .}}{{end}}', int8(2), 'int80 int81 '],
    ['{{range .}}x{{else}}none{{end}}', int8(-2), 'none'],
    ['{{eq .a .b}} {{lt .a .b}} {{gt .b .a}}', { a: int8(-1), b: uint64(2n ** 63n) }, 'false true true'],
    ['{{eq .a .b}}', { a: int64(1), b: 1 }, 'true'],
    [
      '{{index .xs .at}} {{index .m .at}}',
      { xs: ['a', 'b'], at: uint16(1), m: new Map([[1, 'one']]) },
      'b one',
    ],
    [
      '{{.}} {{len .}} {{printf "%s %x %q %d" . . . .}} {{printf "%s" (slice . 1 3)}}',
      bytes('héy'),
      '[104 195 169 121] 4 héy 68c3a979 "héy" [104 195 169 121] é',
    ],
    ['{{printf "%s" .}}', bytes(new Uint8Array([104, 105])), 'hi'],
    ['{{printf "%T %c" . .}}', slice('int32', [104, 233]), '[]int32 [h é]'],
    ['{{.Greet "hi"}} {{"hi" | .Greet}} {{(.Greet "x") | len}}', agent('Ann'), 'hi Ann hi Ann 5'],
    ['{{with .a}}{{$.a.Join "-" 1 .Name}}{{end}} {{.a.Join "-"}}|', { a: agent('Ann') }, '1-Ann |'],
    ['{{printf "%T" (.Port 70000)}}{{.Port 70000}}', agent('Ann'), 'uint164464'],
  ])('%s prints as in Go', (text, data, expected) => {
    expect(say(text, data)).toBe(expected);
  });

  it.each<[text: string, data: unknown, expected: string]>([
    [
      '{{lt .a 1.5}}',
      { a: int8(1) },
      'template: t:1:2: executing "t" at <lt .a 1.5>: error calling lt: incompatible types for comparison: int8 and float64',
    ],
    ['{{index . .}}', slice('uint64', [2n ** 64n - 1n]), 'cannot index slice/array with type []uint64'],
    ['{{index .xs .at}}', { xs: [1], at: uint64(2n ** 64n - 1n) }, 'index out of range: -1'],
    [
      '{{.Greet}}',
      agent('Ann'),
      'template: t:1:2: executing "t" at <.Greet>: wrong number of args for Greet: want 1 got 0',
    ],
    ['{{.Greet 1}}', agent('Ann'), 'template: t:1:9: executing "t" at <1>: expected string; found 1'],
    [
      '{{.Port -1}}',
      agent('Ann'),
      'template: t:1:8: executing "t" at <-1>: expected unsigned integer; found -1',
    ],
    ['{{.Fail}}', agent('Ann'), 'template: t:1:2: executing "t" at <.Fail>: error calling Fail: no answer'],
    ['{{.Shout "x"}}', agent('Ann'), 'Shout has arguments but cannot be invoked as function'],
  ])('%s fails as in Go', (text, data, expected) => {
    expect(say(text, data)).toContain(expected);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf', 'greet'])(
    'nothing is a method that was not declared: %s',
    (name) => {
      class Agent {
        readonly Name = 'Ann';
        greet(): string {
          return 'called';
        }
      }
      const inside = struct('T', {}, { Greet: signed([], () => 'hi') });
      expect(say(`{{.${name}}}`, inside)).toBe(
        `template: t:1:2: executing "t" at <.${name}>: can't evaluate field ${name} in type T`,
      );
      for (const data of [new Agent(), { Name: 'Ann' }]) {
        expect(say(`{{.${name}}}`, data)).toBe('<no value>');
        expect(say(`{{.${name} 1}}`, data)).toContain(`${name} is not a method but has arguments`);
      }
    },
  );
});

it.each([
  () => int8(128),
  () => int8(1.5),
  () => uint16(-1),
  () => uint64(2n ** 64n),
  () => int64(Number.NaN),
  () => slice('uint16', [70_000]),
])('what does not fit is refused: %s', (make) => {
  expect(make).toThrow(RangeError);
  expect(make).toThrow(/ is no u?int\d+: a whole number from -?\d+ to \d+$/);
});

it('a function with sized parameters gets what was converted to them', () => {
  const seen: unknown[] = [];
  const small = signed(['int8', 'float32'], (n: unknown, f: unknown) => seen.push(n, f));
  const template = parseTemplate({ name: 't', text: '{{small 300 0.1}}', functions: { small } });
  if (!template.ok) throw new Error(template.error.message);
  expect(template.value.render({}).ok).toBe(true);
  expect(seen).toEqual([int8(44), float32(0.1)]);
});
