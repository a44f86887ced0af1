import { execFileSync } from 'node:child_process';
import { commandLine, hint, withHints } from '@cuebook/prompt/hint';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { parseCall } from '../program.js';
import { programOf, projectIn } from './program.js';
import { told, typed } from './typed.js';

/** Prints its arguments, each with a byte behind it that no argument can hold. */
const PRINTER = `printf '%s\\0'`;

/** Names as a file system takes them, with everything that means something to a shell. */
const hostile = fc.oneof(
  fc.constantFrom(
    'a b',
    "it's",
    '$HOME',
    '$(id)',
    '`id`',
    'a\nb',
    '-x',
    '--json',
    '"q"',
    '\\',
    '*',
    '~',
    '#',
    '!',
    '',
  ),
  fc
    .string({ unit: fc.constantFrom(...` '"$\`\\\n-*?~#!&;|<>(){}[]=aé/.`), minLength: 1, maxLength: 12 })
    .filter((text) => !/[\0]/.test(text)),
);

describe('a command line that is told', () => {
  it('reaches the command through a shell word for word, whatever the project is called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 30 }), hostile, async (projects, run) => {
        const lines = projects.map((project) =>
          typed({ typing: { program: PRINTER, project } }, commandLine`runs apply ${run} --dry-run`),
        );
        const printed = execFileSync('sh', ['-c', lines.map((line) => `${line}; printf '\\1'`).join('\n')]);
        const calls = printed.toString().split('\u0001').slice(0, -1);
        expect(calls).toHaveLength(projects.length);
        for (const [index, call] of calls.entries()) {
          const argv = call.split('\0').slice(0, -1);
          const parsed = await parseCall(argv, { ...IO, typing: { program: 'cuebook' } });
          const path = (name: string) => (name.startsWith('-') ? `./${name}` : name);
          expect(parsed).toMatchObject({
            kind: 'call',
            command: { name: 'runs' },
            call: {
              args: ['apply', path(run)],
              flags: { project: path(projects[index] ?? ''), 'dry-run': true },
            },
          });
        }
      }),
      runs(20, 400),
    );
  });

  it('is found in a sentence whatever it holds, and nothing else is changed', () => {
    const words = fc.string({ unit: fc.constantFrom(...`ab '"$\\\n-`), maxLength: 20 });
    fc.assert(
      fc.property(words, hostile, words, (before, value, after) => {
        const seen: string[] = [];
        const sentence = `${before}${hint`runs apply ${value}`}${after}`;
        const same = withHints(sentence, (line) => {
          seen.push(line);
          return line;
        });
        expect(same).toBe(sentence);
        expect(seen).toEqual([commandLine`runs apply ${value}`]);
      }),
      runs(300, 20_000),
    );
  });

  const from = (project?: string) => ({ typing: { program: 'npx --no-install cuebook', project } });
  it.each([
    [`see ${hint`runs`}`, undefined, 'see `npx --no-install cuebook runs`'],
    [`see ${hint`runs`}`, 'a b', "see `npx --no-install cuebook runs --project 'a b'`"],
    [`see ${hint`help E_AT`}`, 'a', 'see `npx --no-install cuebook help E_AT`'],
    ['see `cuebook runs --project b`', 'a', 'see `npx --no-install cuebook runs --project b`'],
    ['the word cuebook alone, `cuebookish` and ``', 'a', 'the word cuebook alone, `cuebookish` and ``'],
  ])('%j in %j is %j', (sentence, project, is) => {
    expect(told(from(project), sentence)).toBe(is);
  });

  it('behind a pipe keeps what is before it', () => {
    expect(typed(from('x'), `echo a | ${commandLine`redact`}`)).toBe(
      'echo a | npx --no-install cuebook redact',
    );
  });

  it.each([
    [['runs', '--project', 'a'], 'a'],
    [['runs', '--project=a b'], 'a b'],
    [['runs', '--project', 'a', '--project', 'b'], 'b'],
    [['runs', '--', '--project', 'a'], undefined],
    [['runs'], undefined],
  ])('the project of %j is %j', (argv, project) => {
    expect(projectIn(argv)).toBe(project);
  });
});

const IO = { env: {}, terminal: { in: false, out: false, err: false } } as never as Parameters<
  typeof parseCall
>[1];

describe('how the command is started again', () => {
  const npm = { npm_execpath: '/usr/lib/npm', npm_lifecycle_event: 'npx' };
  it.each([
    ['from the path', '/usr/bin/cuebook', '/desk', { PATH: '/bin:/usr/bin' }, 'cuebook'],
    [
      'through npx in a clone',
      '/c/node_modules/.bin/cuebook',
      '/c',
      { PATH: '/c/node_modules/.bin', ...npm },
      'npx --no-install cuebook',
    ],
    ['through npx below a clone', '/c/node_modules/.bin/cuebook', '/c/a/b', npm, 'npx --no-install cuebook'],
    [
      'by a person who has the folder on the path',
      '/c/node_modules/.bin/cuebook',
      '/x',
      { PATH: '/c/node_modules/.bin' },
      'cuebook',
    ],
    ['from the store of npx', '/h/.npm/_npx/1/node_modules/.bin/cuebook', '/x', npm, 'npx cuebook'],
    ['by its file in a clone', '/c/apps/cli/bin/cuebook.js', '/c/docs', {}, 'npx --no-install cuebook'],
    [
      'by npm start',
      '/c/apps/cli/bin/cuebook.js',
      '/c',
      { PATH: '/c/node_modules/.bin', ...npm },
      'npx --no-install cuebook',
    ],
    [
      'by its file from elsewhere',
      '/my c/apps/cli/bin/cuebook.js',
      '/x',
      {},
      "node '/my c/apps/cli/bin/cuebook.js'",
    ],
    [
      'by its file in a neighbour',
      '/c/apps/cli/bin/cuebook.js',
      '/c2',
      {},
      'node /c/apps/cli/bin/cuebook.js',
    ],
    [
      'by its file where it is installed',
      '/p/node_modules/cuebook/bin/cuebook.js',
      '/p',
      {},
      'npx --no-install cuebook',
    ],
  ])('%s', (_name, script, cwd, env, program) => {
    expect(programOf({ script, cwd, env })).toBe(program);
  });
});
