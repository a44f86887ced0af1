import { describe, expect, it } from 'vitest';
import type { RenderLimits } from '../src/index.js';
import { ENGINES, outcome, said } from './engines.js';

describe.each(ENGINES)('limits by %s', (engine) => {
  const run = (text: string, limits: RenderLimits, data: unknown = undefined) =>
    outcome({ text, engine }, data, { limits });
  const codeOf = (result: ReturnType<typeof run>) => ('error' in result ? result.error.code : 'done');

  it('output past its bound ends the render', () => {
    expect(codeOf(run('{{range 20}}0123456789{{end}}', { outputBytes: 199 }))).toBe('E_TEMPLATE_LIMIT');
    expect(codeOf(run('{{range 20}}0123456789{{end}}', { outputBytes: 200 }))).toBe('done');
  });

  it('output is counted in bytes', () => {
    expect(codeOf(run('{{.}}', { outputBytes: 9 }, 'éééé'))).toBe('done');
    expect(codeOf(run('{{.}}', { outputBytes: 7 }, 'éééé'))).toBe('E_TEMPLATE_LIMIT');
  });

  it('a text that doubles is stopped before the memory is full', () => {
    const text = '{{$x := "ab"}}{{range 12}}{{$x = print $x $x}}{{end}}';
    expect(codeOf(run(text, { outputBytes: 1000 }))).toBe('E_TEMPLATE_LIMIT');
    expect(codeOf(run(text, { outputBytes: 8192 }))).toBe('done');
  });

  it('an error that shows values is as short as the output may be', () => {
    const endless = new Proxy([], { get: () => ['x'] });
    const long = Array.from({ length: 100_000 }, () => 'word');
    for (const list of [long, [long], { a: long }, [endless], new Array(2 ** 32 - 1)]) {
      for (const text of ['{{eq .a .b}}', '{{ne .a .b}}', '{{eq .b .a}}', '{{range $i, $x := .a}}{{end}}']) {
        const message = said(run(text, { outputBytes: 1000, steps: 1000 }, { a: list, b: {} }));
        expect(message.length).toBeLessThan(5000);
      }
    }
    const hole = Object.assign(new Array(2 ** 32 - 1), { 5: Symbol('odd') });
    expect(said(run('{{index .a 5}}', { outputBytes: 1000 }, { a: hole }))).toContain('.a[5] is a symbol');
  });

  it('a list whose length is no number is empty', () => {
    for (const length of [['x'], -1, 1.5, Number.NaN, 2 ** 53, '3', null, undefined]) {
      const list = new Proxy([], { get: (_, key) => (key === 'length' ? length : 'item') });
      const text = '{{len .a}}{{print .a}}{{range .a}}x{{end}}{{if .a}}x{{end}}';
      expect(said(run(text, { outputBytes: 1000, steps: 1000 }, { a: list }))).toBe('0[]');
    }
  });

  it('rounds and calls are steps', () => {
    expect(codeOf(run('{{range 1000}}{{end}}', { steps: 1000 }))).toBe('done');
    expect(codeOf(run('{{range 1000}}{{end}}', { steps: 999 }))).toBe('E_TEMPLATE_LIMIT');
    const calls = `{{define "A"}}{{end}}${'{{template "A"}}'.repeat(10)}`;
    expect(codeOf(run(calls, { steps: 10 }))).toBe('done');
    expect(codeOf(run(calls, { steps: 9 }))).toBe('E_TEMPLATE_LIMIT');
  });

  it('a loop of all numbers ends', () => {
    // The clock is there so that the test ends even when the steps do not.
    let time = 0;
    const limits = { steps: 100_000, time: 10_000, now: () => time++ };
    expect(said(run('{{range 9223372036854775807}}{{end}}', limits))).toBe(
      'template: t:1:8: executing "t" at <9223372036854775807>: more than 100000 steps',
    );
  });

  const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);
  const walk = '{{define "W"}}{{range .}}x{{template "W" .}}{{end}}{{end}}{{template "W" .}}';

  it('a lower bound on depth is our own error', () => {
    expect(codeOf(run(walk, { depth: 10 }, nested(9)))).toBe('done');
    expect(said(run(walk, { depth: 10 }, nested(10)))).toContain('templates call templates deeper than 10');
  });

  it('templates call templates as deep as in Go, and fail there in its words', () => {
    const text = '{{define "R"}}{{template "R"}}{{end}}{{template "R"}}';
    expect(said(run(text, { steps: 200_000 }))).toBe(
      'template: t:1:25: executing "R" at <{{template "R"}}>: exceeded maximum template depth (100000)',
    );
  });

  it('what is deeper than the stack renders like the rest', () => {
    let data: unknown = [];
    for (let depth = 0; depth < 20_000; depth++) data = [data];
    expect(said(run(walk, {}, data))).toBe('x'.repeat(20_000));
  });

  it('time is that of the clock handed in', () => {
    let time = 0;
    const now = () => time++;
    expect(codeOf(run('{{range 100000}}{{end}}', { time: 10, now }))).toBe('E_TEMPLATE_LIMIT');
    expect(codeOf(run('{{range 1000}}{{end}}', { time: 10, now }))).toBe('done');
  });
});

describe('nesting', () => {
  const ifs = (depth: number) => `${'{{if 1}}'.repeat(depth)}x${'{{end}}'.repeat(depth)}`;

  it.each(ENGINES)('control structures nest up to a bound, by %s', (engine) => {
    expect(said(outcome({ text: ifs(500), engine }))).toBe('x');
    const deeper = outcome({ text: ifs(501), engine });
    expect('error' in deeper && deeper.error.code).toBe('E_TEMPLATE_LIMIT');
  });

  it('an else that goes on and on is nesting too', () => {
    const text = `{{if 0}}${'{{else if 0}}'.repeat(501)}{{end}}`;
    const result = outcome({ text });
    expect('error' in result && result.error.code).toBe('E_TEMPLATE_LIMIT');
  });

  it.each(ENGINES)('ten thousand parentheses are good, one more is not, by %s', (engine) => {
    const parens = (depth: number) => `{{${'('.repeat(depth)}1${')'.repeat(depth)}}}`;
    expect(said(outcome({ text: parens(10_000), engine }))).toBe('1');
    expect(said(outcome({ text: parens(10_001), engine }))).toBe(
      'template: t:1: max expression depth exceeded',
    );
  });

  it.each(ENGINES)('calls inside calls past the stack are an error like any other, by %s', (engine) => {
    const text = `{{${'print ('.repeat(9000)}1${')'.repeat(9000)}}}`;
    const result = outcome({ text, engine });
    expect('text' in result || result.error.code === 'E_TEMPLATE_LIMIT').toBe(true);
  });
});
