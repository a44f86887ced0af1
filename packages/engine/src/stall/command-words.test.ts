import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { itInTurn, runs } from '../../../../test/runs.js';
import { foldCommand, foldCommands } from './command-words.js';

it.each([
  ['ls  -l\t# all of it', 'ls -l'],
  ['# first\nls\n\n\npwd  \n', 'ls\npwd'],
  ['ls \\\n  -l;', 'ls -l'],
  ['echo \'a  # b\'   "c  # d"', 'echo \'a  # b\' "c  # d"'],
  ['gh issue close a#1', 'gh issue close a#1'],
  ["echo 'a b'#c", "echo 'a b'#c"],
  ['echo \\# a', 'echo \\# a'],
  ['echo a\\ #b', 'echo a\\ #b'],
  ['find . -exec rm {} \\;', 'find . -exec rm {} \\;'],
  ['a;#b\nc|#d\ne', 'a;\nc|\ne'],
  ['cat <<E\n  x # y\nE\n', 'cat <<E\n  x # y\nE'],
  ["echo 'never ended  # x", "echo 'never ended"],
])('a shell reads %j as %j', (command, folded) => {
  expect(foldCommand(command)).toBe(folded);
});

it('what is said about a command is no part of it', () => {
  expect(foldCommands({ command: 'ls  -l', description: 'List.', cwd: 'a  b' })).toEqual({
    command: 'ls -l',
    cwd: 'a  b',
  });
  expect(foldCommands({ title: 'a', description: 'b  c' })).toEqual({ title: 'a', description: 'b  c' });
});

describe('for all commands', () => {
  const aWord = fc.constantFrom(
    'ls',
    '-l',
    "'a  # b'",
    '"c # \\" d"',
    'a#b',
    '\\#',
    '\\ ',
    '$x',
    '&&',
    '|',
    '字',
  );
  const aGap = fc.constantFrom(' ', '  ', '\t', ' \\\n', '\\\n ', ' \t ');
  const anEnd = fc.constantFrom('', ' ', '\n', ' # and more', '\n# "quoted', ' \t\n', ';');
  const spelt = (parts: readonly (readonly [string, string])[], end: string) =>
    parts.map(([word, gap], at) => (at === 0 ? word : gap + word)).join('') + end;

  it('blanks and comments are nothing, words are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(aWord, aGap, aGap), { minLength: 1, maxLength: 8 }),
        anEnd,
        anEnd,
        (parts, end, other) => {
          const one = spelt(
            parts.map(([word, gap]) => [word, gap]),
            end,
          );
          const two = spelt(
            parts.map(([word, , gap]) => [word, gap]),
            other,
          );
          expect(foldCommand(two)).toBe(foldCommand(one));
          expect(foldCommand(one)).toBe(parts.map(([word]) => word).join(' '));
        },
      ),
      runs(500, 50_000),
    );
  });

  itInTurn.each(['"', "'", '\\', '# ', 'a#', ' ', '" \'', '\\"', ';'])(
    '%j takes time in proportion',
    (unit) => {
      expect(growth((size) => foldCommand(unit.repeat(size)), 30_000, 3)).toBeLessThan(3.5);
    },
  );
});
