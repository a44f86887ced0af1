import { describe, expect, it } from 'vitest';
import { matchesShown, readSteps } from './transcript.js';

describe('readSteps', () => {
  it('takes every line of a plain block as a command', () => {
    const commands = readSteps('npm start\n# a remark\n\nnpm test\n').map(({ command }) => command);
    expect(commands).toEqual(['npm start', 'npm test']);
  });

  it('tells commands, their continuation and their output apart', () => {
    const code = [
      '$ cat <<END',
      '> one',
      '> END',
      'one',
      '$ false # exit 1',
      '$ echo a \\',
      '    b',
      'a b',
      '',
    ];
    expect(readSteps(code.join('\n'))).toEqual([
      { command: 'cat <<END\none\nEND', expected: ['one'], exit: 0 },
      { command: 'false # exit 1', expected: undefined, exit: 1 },
      { command: 'echo a \\\n    b', expected: ['a b'], exit: 0 },
    ]);
  });
});

it('reads a here-document as part of its command, in a session and in a plain block', () => {
  const plain = "cat > a.md <<'END'\n# a remark\n\nls\nEND";
  expect(readSteps(`${plain}\nls\n`).map(({ command }) => command)).toEqual([plain, 'ls']);
  const document = plain.replace('ls', '$ not a command');
  expect(readSteps(`$ ls\n$ ${document}\n$ cat a.md\n# a remark\n`)).toEqual([
    { command: 'ls', expected: undefined, exit: 0 },
    { command: document, expected: undefined, exit: 0 },
    { command: 'cat a.md', expected: ['# a remark'], exit: 0 },
  ]);
});

describe('matchesShown', () => {
  it.each([
    { shown: ['a', 'b'], output: 'a\nb\n', same: true },
    { shown: ['a', 'b'], output: 'a\n', same: false },
    { shown: ['a'], output: 'a\nb', same: false },
    { shown: ['a…c'], output: 'abbc', same: true },
    { shown: ['a…c'], output: 'ac', same: true },
    { shown: ['a…a'], output: 'a', same: false },
    { shown: ['…b…c'], output: 'xbyc', same: true },
    { shown: ['…b…c'], output: 'xcyb', same: false },
    { shown: ['a', '…', 'z'], output: 'a\nb\nc\nz', same: true },
    { shown: ['a', '…', 'z'], output: 'a\nz', same: true },
    { shown: ['a', '…', 'z'], output: 'a\nb', same: false },
    { shown: ['…'], output: '', same: true },
    { shown: ['a', '', 'b'], output: '\na  \n\nb\n\n', same: true },
  ])('$shown against $output', ({ shown, output, same }) => {
    expect(matchesShown(shown, output)).toBe(same);
  });
});
