import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { makeScratch, plant } from '../../test/scratch.js';
import { isIgnored } from './ignored.js';

const part = fc.constantFrom(
  'a',
  'b',
  'ab',
  'x.log',
  'b.txt',
  '*',
  '*.log',
  '?',
  'a*',
  '[ab]',
  '[!a]*',
  '**',
  'a\\*',
);
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '', '/'),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', ' ', '\\ '),
  )
  .map(([not, root, parts, end]) => `${not}${root}${parts.join('/')}${end}`);
const rules = fc.array(
  fc.oneof({ weight: 6, arbitrary: line }, fc.constantFrom('', '# no', '\\#x', '\\!x')),
  {
    maxLength: 5,
  },
);

const PATHS = ['a', 'b', 'ab', 'x.log', 'b.txt', '#x', '!x', 'a*', 'a '].flatMap((first) =>
  ['', 'a', 'b', 'ab', 'x.log', 'a/b', 'ab/x.log', 'b/a/b.txt'].map((rest) =>
    rest === '' ? `${first}.` : `${first}/${rest}`,
  ),
);

it('what git ignores is what git says it ignores', async () => {
  await fc.assert(
    fc.asyncProperty(rules, rules, rules, async (top, inner, exclude) => {
      const { root } = await makeScratch();
      execFileSync('git', ['init', '-q', root]);
      plant(root, {
        '.gitignore': top.join('\n'),
        'a/.gitignore': inner.join('\n'),
        '.git/info/exclude': exclude.join('\n'),
      });
      const said = ask(root);
      const ours = PATHS.filter((path) => isIgnored(root, path.split('/')));
      expect(ours).toEqual(PATHS.filter((path) => said.has(path)));
    }),
    { ...runs(12, 300), examples: [[['!/**'], [], ['a']]] },
  );
});

/** The paths that git itself ignores: exit code 1 says none. */
function ask(root: string): ReadonlySet<string> {
  try {
    const told = execFileSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], {
      cwd: root,
      input: PATHS.join('\0'),
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', XDG_CONFIG_HOME: '/nonexistent' },
    });
    return new Set(told.toString().split('\0'));
  } catch (thrown) {
    if ((thrown as { readonly status?: number }).status === 1) return new Set();
    throw thrown;
  }
}
