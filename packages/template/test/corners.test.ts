import { describe, expect, it } from 'vitest';
import { nilSlice, signed, slice, struct, type TemplateOptions } from '../src/index.js';
import { ENGINES, outcome, said } from './engines.js';

// Corners of the language in which Go does what one would not guess. The answers are Go's own; `wide.test.ts` asks it
// about many more.

const DATA = {
  b: slice('uint8', [104, 195, 169]),
  nb: nilSlice('uint8'),
  xs: [1, slice('uint8', [97])],
  ss: slice('string', ['x']),
  ns: nilSlice('string'),
  fs: slice('float64', [1, 2.5]),
  p: struct('main.Point', { X: 1, Y: 1.5 }),
  m: {},
  fn: (...args: readonly unknown[]) => args.length,
};

const made = Object.assign((count: number, ...words: string[]) => `${count} ${words.length}`, {
  signature: { params: ['int', 'string'], variadic: true },
});

const functions: NonNullable<TemplateOptions['functions']> = {
  up: signed(['string'], (word: string) => word),
  add: signed(['int'], (...all: number[]) => all.length, { variadic: true }),
  none: signed([], () => undefined),
  make: signed([], () => made),
};

const TEXTS: readonly (readonly [text: string, expected: string])[] = [
  // A hexadecimal integer with a sign and the digit e is a float64.
  ['{{-0x1e}} {{printf "%T %T %T %T" -0x1e 0x1e +0x1E -0x1f}}', '-30 float64 int float64 int'],
  ['{{-0x1e+2}}', 't:1: bad number syntax: "-0x1e+2"'],
  ['{{0x1e+2i}}', 't:1: strconv.ParseFloat: parsing "0x1e": invalid syntax'],
  // %w takes its flags as %v does.
  ['{{printf "%#w|%+w|%w|%#5w" "a" .p 1 2}}', '%!w(string="a")|%!w(main.Point={X:1 Y:1.5})|%!w(int=1)|%!w(int=    2)'],
  ['{{printf "%#w" .xs}}', '%!w([]interface {}=[]interface {}{1, []uint8{0x61}})'],
  ['{{printf "%w %#w" .b (slice .b 0 1)}}', '[%!w(uint8=104) %!w(uint8=195) %!w(uint8=169)] []uint8{%!w(uint8=0x68)}'],
  // eq asks whether the kinds are the same, then whether the second compares.
  ['{{eq .xs .ss}}', 'error calling eq: non-comparable type [x]: []string'],
  ['{{eq .ss .xs}}', 'error calling eq: non-comparable type [%!s(int=1) a]: []interface {}'],
  ['{{eq .xs .m}}', 'error calling eq: non-comparable types [%!s(int=1) a]: []interface {}, map[string]interface {}: map[]'],
  ['{{eq .b .b}}', 'error calling eq: non-comparable type hé: []uint8'],
  ['{{eq .ns .nb}} {{eq .ns nil}} {{eq .ss .ns}} {{eq .p .p}}', 'true true false true'],
  ['{{eq .p .ss}}', 'non-comparable types {%!s(int=1) %!s(float64=1.5)}: main.Point, []string: [x]'],
  // A byte that is not UTF-8 stays itself in a raw constant alone.
  ['{{"a\udcffb" | printf "%q"}} {{`a\udcffb` | printf "%q"}} {{"a\\xffb\udcc3" | printf "%q"}}', '"a\ufffdb" "a\\xffb" "a\\xffb\ufffd"'],
  ["{{'\udcff'}}", '65533'],
  // Bytes are a text to some verbs.
  ['{{printf "%s|%x|% X|%q|%d|%v|%#v|%T|%+q|%.1s|%#x" .b .b .b .b .b .b .b .b .b .b .b}}', 'hé|68c3a9|68 C3 A9|"hé"|[104 195 169]|[104 195 169]|[]byte{0x68, 0xc3, 0xa9}|[]uint8|"h\\u00e9"|h|0x68c3a9'],
  ['{{printf "%#v|%v|%s|%x" .nb .nb .nb .nb}}{{len .nb}}{{if .nb}}y{{end}}', '[]byte(nil)|[]||0'],
  ['{{printf "%v %s %#v %z" .xs .xs .xs (slice .b 0 1)}}', '[1 [97]] [%!s(int=1) a] []interface {}{1, []uint8{0x61}} [%!z(uint8=104)]'],
  ['{{index .b 1}} {{printf "%T" (index .b 1)}} {{slice .b 1}} {{html .b}}{{range .b}} {{.}}{{end}}', '195 uint8 [195 169] [104 195 169] 104 195 169'],
  ['{{.fs}} {{printf "%T" (index .fs 0)}}', '[1 2.5] float64'],
  // Functions return interfaces, and only call makes one kind of integer of another.
  ['{{call make (index "\\x03" 0) "x"}}', '3 1'],
  ['{{call make "a"}}', 'error calling call: arg 0: value has type string; should be int'],
  ['{{add (index "\\x03" 0)}}', 'wrong type for value; expected int; got uint8'],
  ['{{slice "abc" none}}', 'cannot index slice/array with type interface {}'],
  ['{{slice "abc" (none)}}', 'cannot index slice/array with nil'],
  ['{{none.x}}', 'nil pointer evaluating interface {}.x'],
  ['{{add.x}}', "can't evaluate field x in type interface {}"],
  ['{{up none}}', 'wrong type for value; expected string; got interface {}'],
  ['{{printf "%T %T" make .fn}}', 'func(int, ...string) interface {} func(...interface {}) interface {}'],
  // Letters of Unicode 17, whatever the engine knows.
  ['{{.\u1c89}}{{.\u{10d4a}}}', '<no value><no value>'],
  ['{{\u{1e950}}}', 't:1: function "\u{1e950}" not defined'],
]; // biome-ignore format: a table

const DELIMITED: readonly (readonly [left: string, right: string, text: string, expected: string])[] = [
  ['<<', '>>', '<<end>>', 't:1: unexpected <<end>>'],
  ['<<', '>>', '<<if 1>>a<<else>>b<<else>>c<<end>>', 't:1: expected end; found <<else>>'],
  ['<<', '>>', '<<define "a">>x<<else>>', 't:1: unexpected <<else>> in define clause'],
  ['<<', '>>', '<<break>>', 't:1: {{break}} outside {{range}}'],
  ['[[', ']]', '[[template "X" .a]]', 'at <[[template "X" .a]]>: template "X" not defined'],
  ['<<', '>>', '<<.fn>>', "at <<<.fn>>>: can't print <<.fn>> of type func(...interface {}) interface {}"],
  ['', '>>', '{{.fn>>', "at <{{.fn>>>: can't print {{.fn>> of type func"],
  ['//', '\n', 'a\n//.a\n//end\n', 't:2: unexpected //end\n'],
  ['//', '\n', 'a\n//.a\n//- "x\n', 't:2: unterminated quoted string'],
]; // biome-ignore format: a table

describe.each(ENGINES)('corners by %s', (engine) => {
  it.each(TEXTS)('%s', (text, expected) => {
    check(said(outcome({ text, engine, functions }, DATA)), expected);
  });

  it.each(DELIMITED)('between %s and %s: %s', (left, right, text, expected) => {
    check(said(outcome({ text, engine, functions, delimiters: [left, right] }, DATA)), expected);
  });
});

function check(shown: string, expected: string): void {
  if (shown.startsWith('template: ')) expect(shown).toContain(expected);
  else expect(shown).toBe(expected);
}

it('what is no byte is no uint8', () => {
  expect(() => slice('uint8', [256])).toThrow('256 is no uint8: a whole number from 0 to 255');
});
