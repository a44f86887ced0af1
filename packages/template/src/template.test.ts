import { describe, expect, it } from 'vitest';
import { ENGINES, outcome, said } from '../test/engines.js';
import { Float, nilSlice, parseTemplate, signed, slice, struct, type TemplateFunction } from './index.js';

describe.each(ENGINES)('templates by %s', (engine) => {
  const render = (text: string, data?: unknown) => said(outcome({ text, engine }, data));

  it.each<[text: string, data: unknown, expected: string]>([
    ['{{.a}} {{.b.c}}', { a: 1, b: { c: 'x' } }, '1 x'],
    ['{{.a}}', new Map([['a', 1]]), '1'],
    ['{{.a}}', Object.assign(Object.create(null), { a: 1 }), '1'],
    ['{{range $k, $v := .}}{{$k}}={{$v}};{{end}}', { b: 1, a: 2, é: 3 }, 'a=2;b=1;é=3;'],
    ['{{.}}', [1, 'a', null, true, 1.5], '[1 a <nil> true 1.5]'],
    ['{{printf "%T %T %T" .i .f .g}}', { i: 1, f: 1.5, g: new Float(2) }, 'int float64 float64'],
    ['{{.}} {{len .}}', 'héé', 'héé 5'],
    ['{{.x}}|{{.y}}', { x: null }, '<no value>|<no value>'],
    ['{{.}}', undefined, '<no value>'],
    ['{{.}}', null, '<no value>'],
    ['{{.n}}', { n: 2n ** 62n }, '4611686018427387904'],
    [
      '{{.S}} {{.L}} {{.N}} {{if .N}}y{{else}}n{{end}}',
      struct('T', { S: 's', L: slice('string', ['a']), N: nilSlice('string') }),
      's [a] [] n',
    ],
    [
      '{{range .}}{{if eq . 2}}{{continue}}{{end}}{{if eq . 4}}{{break}}{{end}}{{.}}{{end}}',
      [1, 2, 3, 4, 5],
      '13',
    ],
    ['{{range 2}}{{range 0}}{{else}}{{break}}{{end}}y{{end}}', undefined, 'yy'],
    ['{{range 2}}{{range 0}}{{else}}{{continue}}{{end}}y{{end}}', undefined, ''],
    ['{{or 0 ($y := 2)}}{{$y}}', undefined, '22'],
    ['{{$y := 1}}{{or 3 ($y := 2)}}{{$y}}{{or 0 ($y := 2)}}{{$y}}', undefined, '3122'],
    ['{{$x := 1}}{{range $x = .}}{{end}}{{$x}}', [5, 6], '6'],
    ['{{with $x := 1}}{{$x}}{{end}}', undefined, '1'],
    ['{{block "B" .}}[{{.}}]{{end}}{{template "B" 2}}', 1, '[1][2]'],
    ['{{define "t"}}own{{end}}', undefined, 'own'],
  ])('%s', (text, data, expected) => {
    expect(render(text, data)).toBe(expected);
  });

  it.each<[text: string, data: unknown, expected: string]>([
    ['{{or 1 ($y := 2)}}{{$y}}', undefined, '1:20: executing "t" at <$y>: undefined variable: $y'],
    ['{{$x = 1}}', undefined, '1:7: executing "t" at <1>: undefined variable: $x'],
    ['{{.a.b}}', { a: 1 }, '1:4: executing "t" at <.a.b>: can\'t evaluate field b in type interface {}'],
    ['{{.a.b}}', { a: null }, '1:4: executing "t" at <.a.b>: nil pointer evaluating interface {}.b'],
    [
      '{{.Nope}}',
      struct('p.T', { A: 1 }),
      '1:2: executing "t" at <.Nope>: can\'t evaluate field Nope in type p.T',
    ],
    ['{{slice "abc" .i}}', { i: 1 }, 'error calling slice: cannot index slice/array with type interface {}'],
    ['{{template "X"}}', undefined, '1:11: executing "t" at <{{template "X"}}>: template "X" not defined'],
    ['é\n{{.a.b}}', { a: 1 }, 't:2:4: executing'],
    ['{{.f}}', { f: () => 1 }, "can't print {{.f}} of type func"],
    ['{{1 | .a}}', { a: 1 }, 'a is not a method but has arguments'],
  ])('%s fails', (text, data, expected) => {
    expect(render(text, data)).toContain(expected);
  });

  it('a key is the own key of an object', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(render(`{{.${name}}}{{index . "${name}"}}`, {})).toBe('<no value><no value>');
    }
    expect(render('{{.toString}}', { toString: 'own' })).toBe('own');
    expect(render('{{.__proto__}}', JSON.parse('{"__proto__":"own"}'))).toBe('own');
    expect(render('{{.a}}', Object.create({ a: 'inherited' }))).toBe('<no value>');
  });

  it.each<[missingKey: 'default' | 'invalid' | 'zero' | 'error', expected: string]>([
    ['default', '<no value>'],
    ['invalid', '<no value>'],
    ['zero', '<no value>'],
    ['error', 'template: t:1:2: executing "t" at <.x>: map has no entry for key "x"'],
  ])('missingkey=%s', (missingKey, expected) => {
    expect(said(outcome({ text: '{{.x}}', missingKey, engine }, {}))).toBe(expected);
  });

  const functions: Record<string, TemplateFunction> = {
    up: signed(['string'], (text: string) => text.toUpperCase()),
    add: signed(['int'], (...all: number[]) => all.reduce((sum, each) => sum + each, 0), { variadic: true }),
    half: signed(
      ['float64'],
      (value: Float | number) => new Float((value instanceof Float ? value.value : value) / 2),
    ),
    both: signed(['bool', 'any'], (flag: boolean, value: unknown) => `${flag}:${value}`),
    any: (...args: unknown[]) => args.length,
    boom: () => {
      throw new Error('it broke');
    },
    len: () => 'mine',
    maker: () => signed(['string'], (text: string) => `<${text}>`),
  };
  it.each([
    ['{{up "a"}} {{"b" | up}} {{up .s}}', 'A B TEXT'],
    ['{{add}} {{add 1 2}} {{3 | add 1}}', '0 3 4'],
    ['{{half 3}} {{half 1.5}}', '1.5 0.75'],
    ['{{both true nil}}', 'true:undefined'],
    ['{{any}} {{any 1 "a" nil}}', '0 3'],
    ['{{len "abc"}}', 'mine'],
    ['{{call maker "x"}}', '<x>'],
    ['{{up 1}}', 't:1:5: executing "t" at <1>: expected string; found 1'],
    ['{{add "a"}}', 'expected integer; found "a"'],
    ['{{add 1.5}}', 'expected integer; found 1.5'],
    ['{{half "a"}}', 'expected float; found "a"'],
    ['{{both 1 2}}', 'expected bool; found 1'],
    ['{{up .n}}', 'wrong type for value; expected string; got int'],
    ['{{up .z}}', 'wrong type for value; expected string; got interface {}'],
    ['{{up .none}}', 'invalid value; expected string'],
    ['{{up nil}}', 'cannot assign nil to string'],
    ['{{up}}', 'wrong number of args for up: want 1 got 0'],
    ['{{up "a" "b"}}', 'wrong number of args for up: want 1 got 2'],
    ['{{boom}}', 'error calling boom: it broke'],
    ['{{call maker}}', 'error calling call: wrong number of args for maker: got 0 want 1'],
    ['{{call maker 1}}', 'error calling call: arg 0: value has type int; should be string'],
    ['{{call .n}}', 'error calling call: non-function .n of type int'],
  ])('with functions: %s', (text, expected) => {
    expect(said(outcome({ text, functions, engine }, { s: 'text', n: 1, z: null }))).toContain(expected);
  });

  it('a render may bring other functions of the same signature', () => {
    const parsed = parseTemplate({ name: 't', text: '{{up "a"}}', functions, engine });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const other = parsed.value.render({}, { functions: { up: () => 'other' } });
    expect(other.ok && other.value.text).toBe('other');
    const own = parsed.value.render({});
    expect(own.ok && own.value.text).toBe('A');
  });

  it('delimiters may be others', () => {
    const delimiters = ['<<', '>>'] as const;
    expect(said(outcome({ text: 'a <<- 1 ->> {{b}}', delimiters, engine }))).toBe('a1{{b}}');
  });

  it('bytes that are no text survive to the bytes of the output', () => {
    const result = outcome({ text: '{{slice "é" 0 1}}|{{slice "é" 0 1}}{{slice "é" 1 2}}', engine });
    expect('bytes' in result && [...result.bytes]).toEqual([0xc3, 0x7c, 0xc3, 0xa9]);
    expect(said(result)).toBe('\ufffd|é');
  });

  it('errors say where', () => {
    const exec = outcome({ text: 'a\né{{.x.y}}', engine }, { x: 1 });
    expect('error' in exec && { ...exec.error, message: '' }).toEqual({
      code: 'E_TEMPLATE_EXEC',
      message: '',
      line: 2,
      column: 6,
      offset: 8,
    });
  });
});

describe('parsing', () => {
  it('an error of the text says where', () => {
    const parsed = parseTemplate({ name: 'n', text: 'é\n{{.x}' });
    expect(parsed).toEqual({
      ok: false,
      error: {
        code: 'E_TEMPLATE_PARSE',
        message: "template: n:2: bad character U+007D '}'",
        line: 2,
        column: 2,
        offset: 5,
      },
    });
  });

  it('a template renders the same before and after there is code for it', () => {
    const parsed = parseTemplate({ name: 't', text: '{{range .}}<{{.}}>{{end}}{{.x}}' });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const results = Array.from({ length: 6 }, () => parsed.value.render([1, 2]));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  });
});
