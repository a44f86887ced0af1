import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { askedParts } from './asked.js';
import type { JsonValue } from './schema/base.js';

const KEYS = 'cmd command path file_path content old_string new_string edits changes cwd note'.split(' ');
const text = fc.oneof(
  fc.constantFrom('ls', 'touch F', 'README.md', 'src/a.ts', 'one\ntwo', ''),
  fc.string({ maxLength: 12 }),
);
const input: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 5 })), tie('value'), {
      maxKeys: 5,
    }),
  ),
})).value;

/** All texts of a value. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

describe('what a person is asked', () => {
  it('is told whole: no text of a call is left out, whatever fields it stands in', () => {
    fc.assert(
      fc.property(input, (asked) => {
        const { command, file, rest } = askedParts({ input: asked });
        const told = [command, file].filter((part) => part !== undefined);
        expect([...told, ...textsOf(rest)].sort()).toEqual([...textsOf(asked)].sort());
      }),
      runs(2_000, 50_000),
    );
  });

  it('leaves out beside changes only words of an edit that stand in them, and the files that they are of', () => {
    const changes = fc.array(
      fc.record({ file: text, patch: fc.array(text).map((lines) => `@@\n+${lines.join('\n+')}`) }),
    );
    fc.assert(
      fc.property(input, changes, (asked, told) => {
        const { command, file, rest } = askedParts({ input: asked, changes: told });
        expect(file === undefined || told.length === 0).toBe(true);
        const shown = new Set([command, file, ...textsOf(rest)]);
        const words = told.flatMap(({ file: name, patch }) => [name, ...patch.split('\n')]);
        for (const each of textsOf(asked))
          if (!shown.has(each) && !/^[a-z_]{1,12}$/.test(each))
            for (const line of each.split(/\r?\n/))
              expect(words.some((word) => word.includes(line))).toBe(true);
      }),
      runs(2_000, 50_000),
    );
  });

  it.each([
    ['two commands', { cmd: 'ls', command: 'touch F' }, {}],
    ['two files', { path: 'README.md', file_path: '/etc/hosts' }, {}],
    ['a command that is a list', { command: ['touch', 'F'] }, {}],
    ['a command in a field of its own', { rawInput: { command: 'touch F' } }, {}],
  ])('names each field where %s stand in it', (_name, asked, told) => {
    expect(askedParts({ input: asked as JsonValue })).toEqual({ ...told, rest: asked });
  });

  it.each([
    ['a command', { path: 'a.md', content: 'x', command: 'touch F' }, { command: 'touch F' }],
    ['another file', { path: 'a.md', file_path: 'b.md', content: 'x' }, { rest: { file_path: 'b.md' } }],
    ['another text', { path: 'a.md', content: 'y' }, { rest: { content: 'y' } }],
    ['nothing more', { path: 'a.md', edits: [{ old_string: 'w', new_string: 'x' }] }, {}],
    ['words of another kind', { path: 'a.md', content: 'x', note: 'x' }, { rest: { note: 'x' } }],
  ])('beside a change, is %s', (_name, asked, told) => {
    const changes = [{ file: 'a.md', patch: '@@ -1 +1 @@\n-w\n+x' }];
    expect(askedParts({ input: asked, changes })).toEqual(told);
  });
});
