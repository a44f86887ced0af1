import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { promptOf } from '../../test/exported.js';
import { adopt } from '../../test/render.js';
import { readerOf } from '../readers.js';
import { writerOf } from '../writers.js';

const warnings = (id: string, text: string): readonly string[] =>
  (
    writerOf(id)?.write(promptOf([{ role: 'user', parts: [{ text }] }], { name: 'x', title: 't' }))
      .diagnostics ?? []
  )
    .filter(({ severity, code }) => severity === 'warning' && code === 'W_EXPORT_READERS')
    .map(({ message }) => message);

describe.each(['claude', 'agents-md', 'skill', 'cursor'])('%s', (id) => {
  it.each([
    ['Read @docs/style.md first.', 1],
    ['a\nb\n(@../secret.md)', 3],
    ['@~/.ssh/config', 1],
    ['Ask @alice', 1],
    ['```\n@a.md\n```\n@b.md @c.md', 4],
  ])('tells that a file would stand in place of a path: %j', (text, line) => {
    expect(warnings(id, text)).toEqual([expect.stringContaining(`line ${line} of the text holds "@`)]);
  });

  it.each(['me@example.com', '`@docs/style.md`', '```\n@a.md\n```', 'a@b @', 'x'])(
    'is silent about %j',
    (text) => {
      expect(warnings(id, text)).toEqual([]);
    },
  );
});

it('what Claude Code and VS Code leave out or add is told', () => {
  expect(warnings('claude', 'a\n<!-- note -->\nb')).toEqual([
    expect.stringContaining('line 2 of the text holds "<!-- note -->"'),
  ]);
  expect(warnings('claude', '```\n<!-- note -->\n```')).toEqual([]);
  expect(warnings('copilot', 'Use #tool:search and #file:a.ts')).toEqual([
    expect.stringContaining('"#tool:search" (and 1 more)'),
  ]);
  expect(warnings('copilot', '`#tool:search`')).toEqual([]);
});

describe('links in files of Copilot', () => {
  const told = (text: string) =>
    readerOf('copilot')
      ?.read({ path: '.github/copilot-instructions.md', bytes: Buffer.from(text) }, {})
      .diagnostics.filter(({ code }) => code === 'W_IMPORT_REFERENCE')
      .map(({ line, column }) => `${line}:${column}`);

  it.each([
    ['See [style](docs/style.md).', '1:5'],
    ['a\n![picture](../x.png "t")', '2:2'],
    ['a\n\n- [x]( a.ts )', '3:3'],
    ['Use #file:a.ts', '1:5'],
  ])('to files are told, in and out: %j', (text, place) => {
    expect(told(text)).toEqual([place]);
    expect(warnings('copilot', text)).toEqual([
      expect.stringContaining(`line ${place.split(':')[0]} of the text holds`),
    ]);
  });

  it.each([
    '[web](https://example.com)',
    '[mail](mailto:a@b.c)',
    '[part](#below)',
    '`[x](a.md)`',
    '```\n[x](a.md)\n```',
    '[x] (a.md)',
    '[x]()',
  ])('of other kinds are text: %j', (text) => {
    expect(told(text)).toEqual([]);
    expect(warnings('copilot', text)).toEqual([]);
  });

  itInTurn('are found in time that grows with the text', () => {
    expect(told('['.repeat(200_000))).toEqual([]);
    expect(told(`${'[x](a)'.repeat(50_000)}`)).toHaveLength(21);
  });
});

it('whatever a reader would take as an import, the writer tells', () => {
  const words = fc
    .array(fc.constantFrom('@a.md', '@b', '`', '```', '\n', ' ', '(', 'x', '@', '~~~', '\t', '.'), {
      maxLength: 10,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, (text) => {
      const reader = readerOf('claude');
      if (reader === undefined) throw new Error('no reader');
      const file = (path: string) => (path === 'a.md' || path === 'b' ? Buffer.from('inside') : undefined);
      const { texts } = adopt(reader, 'CLAUDE.md', `T ${text}`, { file });
      const isImported = texts.some(({ name }) => name !== 'claude');
      if (isImported) expect(warnings('claude', `T ${text}`)).toHaveLength(1);
    }),
    runs(2000, 20_000),
  );
});
