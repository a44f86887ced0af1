import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itInTurn, sampled } from '../../../test/runs.js';
import { nilSlice, readJson, slice, struct, tagged, type Value } from '../src/index.js';
import { ENGINES, type Outcome, outcome } from './engines.js';

const LINES = readFileSync(new URL('go-template.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const CORPUS = readFileSync(new URL('go-corpus.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function expectExact(template: string, result: Outcome): void {
  if (!('spans' in result)) return;
  const source = Buffer.from(template);
  let end = 0;
  for (const span of result.spans) {
    expect(span.start).toBe(end);
    expect(span.end).toBeGreaterThan(span.start);
    end = span.end;
    expect(span.to).toBeGreaterThan(span.from);
    const written = source.subarray(span.from, span.to).toString();
    if (span.kind === 'literal') {
      expect(decode(result.bytes.subarray(span.start, span.end))).toBe(
        Buffer.from(written).toString('latin1'),
      );
    } else {
      expect(written.startsWith('{{') && written.endsWith('}}')).toBe(true);
      expect(written).toContain(span.kind === 'call' ? span.name : '');
    }
  }
  expect(end).toBe(result.bytes.length);
}

describe.each(ENGINES)('spans by %s', (engine) => {
  itInTurn('cover the output of every case exactly, and literal text is the text of the template', () => {
    let passing = 0;
    for (const line of [...LINES, ...sampled(CORPUS, 900)]) {
      const { tmpl, lookup = {}, ctx, missingkey } = JSON.parse(line) as Line;
      const read = readJson(line);
      const data = read.ok && read.value instanceof Map ? (read.value.get('data') as Value) : undefined;
      const include = (path: string): unknown => lookup[path] ?? 'no such text';
      const result = outcome(
        {
          text: tmpl,
          functions: { include: include as never },
          ...(missingkey ? { missingKey: missingkey as 'zero' } : {}),
          engine,
        },
        ctx ? agent(ctx) : data,
      );
      expectExact(tmpl, result);
      if ('spans' in result && result.spans.length > 0) passing++;
    }
    expect(passing).toBeGreaterThan(300);
  });

  it.each<[string, unknown[]]>([
    [
      'a{{.x}}b',
      [
        { kind: 'literal', start: 0, end: 1, from: 0, to: 1 },
        { kind: 'value', start: 1, end: 5, from: 1, to: 7, path: '.x' },
        { kind: 'literal', start: 5, end: 6, from: 7, to: 8 },
      ],
    ],
    [
      'é {{- len .x -}} é',
      [
        { kind: 'literal', start: 0, end: 2, from: 0, to: 2 },
        { kind: 'call', start: 2, end: 3, from: 3, to: 17, name: 'len' },
        { kind: 'literal', start: 3, end: 5, from: 18, to: 20 },
      ],
    ],
    [
      '{{range .l}}{{.}}{{end}}',
      [0, 1].map((n) => ({ kind: 'value', start: n, end: n + 1, from: 12, to: 17, path: '.' })),
    ],
    ['{{$v := .x}}{{$v}}', [{ kind: 'value', start: 0, end: 4, from: 12, to: 18, path: '$v' }]],
    ['{{(.x | print)}}', [{ kind: 'call', start: 0, end: 4, from: 0, to: 16, name: 'print' }]],
    ['{{""}}{{.x | printf "%s"}}', [{ kind: 'call', start: 0, end: 4, from: 6, to: 26, name: 'printf' }]],
    [
      '{{slice "\\xc3\\xa9" 0 1}}{{slice "\\xc3\\xa9" 1}}',
      [
        { kind: 'call', start: 0, end: 1, from: 0, to: 24, name: 'slice' },
        { kind: 'call', start: 1, end: 2, from: 24, to: 46, name: 'slice' },
      ],
    ],
  ])('of %s', (text, spans) => {
    const result = outcome({ text, engine }, { x: 'text', l: [1, 2] });
    expect('spans' in result && result.spans.map(({ template, ...rest }) => rest)).toEqual(spans);
  });

  it('name the template that was executing', () => {
    const result = outcome({ text: '{{define "D"}}d{{.}}{{end}}r{{template "D" 1}}', engine });
    expect('spans' in result && result.spans.map(({ template }) => template)).toEqual(['t', 'D', 'D']);
  });

  const functions = { include: () => tagged('inner', { file: 'f' }) };
  it.each([
    ['{{include}}', { file: 'f' }],
    ['{{$x := include}}{{$x}}', { file: 'f' }],
    ['{{with include}}{{.}}{{end}}', { file: 'f' }],
    ['{{or nil include}}', { file: 'f' }],
    ['{{include | and true}}', { file: 'f' }],
    ['{{include | print}}', undefined],
    ['{{printf "%s" include}}', undefined],
    ['{{slice include 1}}', undefined],
  ])(
    'carry the origin that a function gave, as long as its text is printed unchanged: %s',
    (text, origin) => {
      const result = outcome({ text, functions, engine });
      const [span] = 'spans' in result ? result.spans : [];
      expect(span && 'origin' in span ? span.origin : undefined).toEqual(origin);
    },
  );

  it.each([
    ['{{len include}}', '5'],
    ['{{eq include "inner"}}', 'true'],
    ['{{if include}}y{{end}}', 'y'],
    ['{{include.x}}', 't:1:2: executing "t" at <include>: can\'t evaluate field x in type string'],
    ['{{range include}}{{end}}', "range can't iterate over inner"],
    ['{{index include 0}}', '105'],
  ])('text with an origin is a string: %s', (text, expected) => {
    const result = outcome({ text, functions, engine });
    expect('text' in result ? result.text : result.error.message).toContain(expected);
  });
});

interface Line {
  readonly tmpl: string;
  readonly lookup?: Record<string, string>;
  readonly ctx?: Record<string, string | string[] | null>;
  readonly missingkey?: string;
}

const agent = (ctx: Record<string, string | string[] | null>): Value =>
  struct(
    'agent.PromptTemplateContext',
    Object.fromEntries(
      Object.entries(ctx).map(([name, value]) => [
        name,
        value === null ? nilSlice('string') : Array.isArray(value) ? slice('string', value) : value,
      ]),
    ),
  );
