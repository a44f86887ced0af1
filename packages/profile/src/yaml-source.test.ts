import { expect, test } from 'vitest';
import { z } from 'zod';
import { printPath, readShape, readYaml, type YamlSource } from './yaml-source.js';

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
  ['a scalar with escapes', 'a: "x\\ty"', [['x\ty', 'value', 1, 4]]],
  ['a folded scalar', 'a: >\n  one\n  two\n', [['one two\n', 'value', 1, 4]]],
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
