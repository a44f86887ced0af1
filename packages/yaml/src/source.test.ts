import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { growth } from '../../../test/growth.js';
import { itInTurn, runs } from '../../../test/runs.js';
import { printPath, readShape } from './shape.js';
import { readYaml, readYamlDocuments, type YamlSource, yamlWithin } from './source.js';

const LABELS = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
const yaml = (text: string): YamlSource => {
  const read = readYaml('x.yaml', text, 'E_X');
  if (!read.ok) throw new Error(read.diagnostics[0]?.message);
  return read.value;
};
const places = (text: string) =>
  yaml(text)
    .pieces(['a'], LABELS)
    .map(({ text: own, origin }) => [own, origin.kind, origin.line, origin.column]);

test.each<[name: string, source: string, pieces: unknown[]]>([
  ['a plain scalar', 'a: héllo', [['héllo', 'file', 1, 4]]],
  ['a quoted scalar', "a: 'hi'", [['hi', 'file', 1, 5]]],
  [
    'a scalar with escapes',
    'a: "x\\ty"',
    [
      ['x', 'file', 1, 5],
      ['\t', 'value', 1, 6],
      ['y', 'file', 1, 8],
    ],
  ],
  [
    'a folded scalar',
    'a: >\n  one\n  two\n\n  three\n    four\n',
    [
      ['one', 'file', 2, 3],
      [' ', 'value', 2, 6],
      ['two', 'file', 3, 3],
      ['\n', 'file', 4, 1],
      ['three\n', 'file', 5, 3],
      ['  four\n', 'file', 6, 3],
    ],
  ],
  [
    'a plain scalar of several lines',
    'a: one  \n  two\n\n  three # not this\n',
    [
      ['one', 'file', 1, 4],
      [' ', 'value', 1, 7],
      ['two', 'file', 2, 3],
      ['\n', 'value', 2, 6],
      ['three', 'file', 4, 3],
    ],
  ],
  [
    'a quoted scalar of several lines',
    "a: 'it''s\n  so'\n",
    [
      ['it', 'file', 1, 5],
      ["'", 'value', 1, 7],
      ['s', 'file', 1, 9],
      [' ', 'value', 1, 10],
      ['so', 'file', 2, 3],
    ],
  ],
  [
    'a literal block, line by line',
    'b: 1\na: |\n    one\n\n      two\n',
    [
      ['one\n', 'file', 3, 5],
      ['\n', 'file', 4, 1],
      ['  two\n', 'file', 5, 5],
    ],
  ],
  [
    'a literal block with CRLF',
    'a: |\r\n  one\r\n  two\r\n',
    [
      ['one\n', 'file', 2, 3],
      ['two\n', 'file', 3, 3],
    ],
  ],
  [
    'a literal block that keeps its blank lines',
    'a: |+\n  one\n\n\n',
    [
      ['one\n', 'file', 2, 3],
      ['\n', 'file', 3, 1],
      ['\n', 'file', 4, 1],
    ],
  ],
  ['an empty text', 'a: ""', []],
])('%s knows its places', (_name, source, pieces) => {
  expect(places(source)).toEqual(pieces);
});

test('pieces put end to end are the value', () => {
  for (const source of ['a: |\n  é\n   b\n', 'a: "q\\nr"', 'a: |-\n  x\n  y', 'a: >-\n  x\n\n  y']) {
    const read = yaml(source);
    expect(
      read
        .pieces(['a'], LABELS)
        .map(({ text }) => text)
        .join(''),
    ).toBe((read.value as { a: string }).a);
  }
});

test('a broken document says where', () => {
  expect(readYaml('x.yaml', 'a: [1\nb: 2', 'E_X')).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E_X', file: 'x.yaml', line: expect.any(Number) }],
  });
  expect(readYaml('x.yaml', 'a: 1\na: 2', 'E_X')).toMatchObject({
    ok: false,
    diagnostics: [{ line: 2, column: 1 }],
  });
});

test('aliases without measure are refused', () => {
  const bomb = [
    'a0: &a0 [x, x]',
    ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`),
  ].join('\n');
  expect(readYaml('x.yaml', bomb, 'E_X')).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E_X', message: expect.stringContaining('aliases') }],
  });
});

test('a value that does not fit is pointed at', () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) });
  const shape = readShape(yaml('list:\n  - name: 1\n  - nmae: x\n    name: y\n'), schema, 'E_X');
  expect(shape.diagnostics).toMatchObject([
    { line: 2, column: 11, path: 'list[0].name' },
    { line: 3, path: 'list[1].nmae', message: expect.stringContaining('Did you mean "name"?') },
  ]);
});

test('paths are written as people write them', () => {
  expect(printPath(['blocks', 2, 'parts', 0])).toBe('blocks[2].parts[0]');
});

describe('a stream of documents', () => {
  const STREAM = '# first\na: one\n---\n---\nb: [\n---\nlist:\n  - { text: two }\n';
  const read = readYamlDocuments('s.yaml', STREAM, 'E_X');

  test('keeps what can be read and reports the rest, with lines of the stream', () => {
    expect(read.documents.map(({ value }) => value)).toEqual([{ a: 'one' }, { list: [{ text: 'two' }] }]);
    expect(read.diagnostics).toMatchObject([{ code: 'E_X', file: 's.yaml', line: 6 }]);
    expect(read.documents[1]?.place(['list', 0, 'text'])).toEqual({ ref: 's.yaml', line: 8, column: 13 });
  });

  test('gives a part of a document as a source of its own', () => {
    const item = yamlWithin(read.documents[1] as YamlSource, ['list', 0]);
    expect(item.value).toEqual({ text: 'two' });
    expect(item.pieces(['text'], LABELS)).toMatchObject([{ text: 'two', origin: { line: 8, column: 13 } }]);
    expect(yamlWithin(read.documents[1] as YamlSource, ['none', 3]).value).toBeUndefined();
  });

  test.each(['', '---\n', '# nothing\n', '---\n---\n', '~\n'])('%j holds no document', (text) => {
    expect(readYamlDocuments('s.yaml', text, 'E_X')).toEqual({ documents: [], diagnostics: [] });
  });

  test('reads old booleans and merges only when asked', () => {
    const text = 'x: yes\nq: "yes"\nz: { <<: { a: 1 }, b: off }\n';
    expect(readYamlDocuments('s.yaml', text, 'E_X').documents[0]?.value).toEqual({
      x: 'yes',
      q: 'yes',
      z: { '<<': { a: 1 }, b: 'off' },
    });
    const old = readYamlDocuments('s.yaml', text, 'E_X', { oldBooleans: true, merge: true });
    expect(old.documents[0]?.value).toEqual({ x: true, q: 'yes', z: { a: 1, b: false } });
  });
});

describe('text that stands elsewhere', () => {
  test('an alias is followed to its anchor', () => {
    expect(places('t: &t hello\na: *t\n')).toEqual([['hello', 'file', 1, 7]]);
  });

  test('merged text is where it is written', () => {
    const merged = readYamlDocuments('s.yaml', 'base: &b { a: hi }\nuse:\n  <<: *b\n', 'E_X', {
      merge: true,
    });
    expect(merged.documents[0]?.pieces(['use', 'a'], LABELS)).toMatchObject([
      { text: 'hi', origin: { kind: 'file', line: 1, column: 15 } },
    ]);
  });
});

test.each([
  ['an alias without an anchor', 'a: *nowhere', /anchor/],
  ['a list that holds itself', 'a: &a [*a]', /inside of its own anchor/],
  ['a map that holds itself', 'a: &a {b: [{c: *a}]}', /inside of its own anchor/],
  ['lists in lists without end', '['.repeat(200_000), /deep/],
  ['maps in maps without end', '{a: '.repeat(200_000), /deep/],
  ['items in items without end', '- '.repeat(200_000), /deep/],
  ['keys in keys without end', '? '.repeat(200_000), /deep/],
  ['a second document', 'a: 1\n---\nb: 2\n', /one document/],
])('%s is refused', (_name, text, message) => {
  const read = readYaml('x.yaml', text, 'E_X');
  expect(read).toMatchObject({ ok: false, diagnostics: [{ code: 'E_X' }] });
  expect(read.diagnostics[0]?.message).toMatch(message);
});

itInTurn('a map of many keys takes time in proportion', () => {
  const text = (keys: number) => Array.from({ length: keys }, (_, i) => `k${i}: v`).join('\n');
  expect(growth((keys) => readYaml('x.yaml', text(keys), 'E_X'), 4_000, 3)).toBeLessThan(3);
});

describe('a value that fits no form of a union', () => {
  const messages = (schema: z.ZodType, value: unknown) => {
    const read = readShape(yaml(JSON.stringify({ at: value })), z.object({ at: schema }), 'E_X');
    return read.diagnostics.map(({ message }) => message);
  };
  const isObject = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const forms = fc.uniqueArray(
    fc.constantFrom<readonly [schema: z.ZodType, wanted: string, fits: (value: unknown) => boolean]>(
      [z.string(), 'a string', (value) => typeof value === 'string'],
      [z.number(), 'a number', (value) => typeof value === 'number'],
      [z.boolean(), 'true or false', (value) => typeof value === 'boolean'],
      [z.null(), 'null', (value) => value === null],
      [z.literal('own'), '"own"', (value) => value === 'own'],
      [z.enum(['a', 'b']), '"a"', (value) => value === 'a' || value === 'b'],
      [z.array(z.string()), 'a list', Array.isArray],
      [z.strictObject({ with: z.string() }), 'an object', isObject],
      [z.union([z.literal(1), z.literal(2)]), '1', (value) => value === 1 || value === 2],
    ),
    { minLength: 2, maxLength: 5 },
  );
  const value = fc.constantFrom<unknown>(7, 'other', true, null, [], {}, ['x'], { with: 'x' });

  test('is told every form that is wanted at its place, for all unions and values', () => {
    fc.assert(
      fc.property(forms, value, (options, given) => {
        const found = messages(z.union(options.map(([schema]) => schema) as [z.ZodType, z.ZodType]), given);
        if (options.some(([, , fits]) => fits(given))) return;
        expect(found).toHaveLength(1);
        for (const [, wanted] of options) expect(found[0]).toContain(wanted);
      }),
      runs(200, 3000),
    );
  });

  test('is told in the words of the schema, where it has them', () => {
    expect(messages(z.union([z.string(), z.null()], 'a name or nothing is needed'), 3)).toEqual([
      'at: a name or nothing is needed',
    ]);
    expect(messages(z.union([z.enum(['own', 'shared']), z.object({ with: z.string() })]), 'x')).toEqual([
      'at: Invalid input: expected "own", "shared" or an object',
    ]);
  });
});
