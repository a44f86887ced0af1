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

/** All that a value holds, by JSON pointers. */
function placesOf(value: JsonValue, at = ''): readonly (readonly [place: string, value: JsonValue])[] {
  if (typeof value !== 'object' || value === null) return [[at, value]];
  return Object.entries(value).flatMap(([key, each]) =>
    placesOf(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

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

  it('leaves out beside changes only what they tell, and the names of their files', () => {
    const change = (places: readonly string[]) =>
      fc.record({ file: text, tells: fc.subarray([...places]).map((some) => [...some, '/none', '']) });
    const asked = input.chain((value) =>
      fc.tuple(
        fc.constant(value),
        fc.array(change(placesOf(value).map(([place]) => place)), { maxLength: 2 }),
      ),
    );
    fc.assert(
      fc.property(asked, ([value, changes]) => {
        const { command, file, rest } = askedParts({ input: value, changes });
        expect(file === undefined || changes.length === 0).toBe(true);
        const told = new Set(changes.flatMap(({ tells }) => tells.filter((place) => place !== '')));
        const shown = new Map(placesOf(rest ?? {}).map(([place, each]) => [place, each]));
        for (const [place, each] of placesOf(value)) {
          const names = [file, ...changes.map((one) => one.file)];
          const isFile = names.some((named) => named === each) && /^\/(?:file_)?path$/.test(place);
          const isCommand = each === command && /^\/(?:cmd|command)$/.test(place);
          const isUp = place.split('/').some((_, at, all) => told.has(all.slice(0, at + 1).join('/')));
          if (!isFile && !isCommand && !isUp) expect(shown.get(place)).toEqual(each);
        }
      }),
      runs(2_000, 50_000),
    );
  });

  it('leaves a field out whole or not at all', () => {
    const input = {
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'c', new_string: 'd' },
      ],
    };
    const tells = ['/edits/0/old_string', '/edits/0/new_string', '/edits/1/old_string'];
    expect(askedParts({ input, changes: [{ file: 'f', tells }] })).toEqual({ rest: input });
    const all = [...tells, '/edits/1/new_string'];
    expect(askedParts({ input, changes: [{ file: 'f', tells: all }] })).toEqual({});
    const odd = { 'edits/0': 'touch F', 'a~b': 'x' };
    const places = ['/edits/0', '/a~0b'];
    expect(askedParts({ input: odd, changes: [{ file: 'f', tells: places }] })).toEqual({
      rest: { 'edits/0': 'touch F' },
    });
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
    ['a text that it is not made of', { path: 'a.md', old_string: 'x' }, { rest: { old_string: 'x' } }],
    ['nothing more', { path: 'a.md', content: 'w\nx' }, {}],
    ['words of another kind', { path: 'a.md', content: 'x', note: 'x' }, { rest: { note: 'x' } }],
  ])('beside a change, is %s', (_name, asked, told) => {
    const changes = [{ file: 'a.md', patch: '@@ -1 +1 @@\n-w\n+x', tells: ['/path', '/content'] }];
    expect(askedParts({ input: asked, changes })).toEqual(told);
  });

  it.each([
    ['content', { path: 'a.md', content: 'w' }],
    ['edits', { path: 'a.md', edits: [{ old_string: 'x', new_string: '' }] }],
  ])(
    'is the %s too, where no change says that it tells it, though its lines stand in the patch',
    (key, asked) => {
      const changes = [{ file: 'a.md', patch: '@@ -1 +1 @@\n-w\n+x' }];
      expect(askedParts({ input: asked as JsonValue, changes }).rest).toEqual({
        [key]: (asked as Readonly<Record<string, JsonValue>>)[key],
      });
    },
  );
});
