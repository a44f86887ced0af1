import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publishFolder } from '../scripts/publish/build.mjs';
import { BUGS, HOMEPAGE, PUBLIC, REPOSITORY } from '../scripts/publish/cut.mjs';
import { ROOT } from './root.js';
import { workspaces } from './workspaces.js';

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>;

it('is named in one place, and every address is made from it', () => {
  expect(REPOSITORY).toEqual(manifestOf(ROOT).repository);
  // What trusted publishing takes: npm compares it with the repository, letter case included.
  const [, page = ''] = /^git\+(https:\/\/[^/]+\/[^/]+\/[^/]+)\.git$/.exec(REPOSITORY.url) ?? [];
  expect(page).not.toBe('');
  expect([HOMEPAGE, BUGS]).toEqual([`${page}#readme`, { url: `${page}/issues` }]);
  const own = page.slice('https://'.length);
  const named = execFileSync('git', ['grep', '-lIi', '--fixed-strings', own], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(named.trim().split('\n')).toEqual(['package.json']);
});

it('is the same in every manifest that is published', () => {
  for (const { folder } of workspaces())
    for (const key of ['repository', 'homepage', 'bugs'])
      expect(manifestOf(join(ROOT, folder)), folder).not.toHaveProperty(key);
  for (const { name, folder } of PUBLIC) {
    const built = publishFolder(name);
    // Built for the tests of packages, and by a release.
    if (!existsSync(built)) continue;
    const { repository, homepage, bugs } = manifestOf(built);
    expect({ repository, homepage, bugs }, name).toEqual({
      repository: { ...REPOSITORY, directory: folder },
      homepage: HOMEPAGE,
      bugs: BUGS,
    });
  }
});

it('has at its top what a newcomer expects there, and nothing else', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const tops = [...new Set(files.map((file) => file.replace(/\/.*/, '')))];
  expect(tops.filter((name) => !name.startsWith('.')).sort()).toEqual([
    ...[
      'CODE_OF_CONDUCT.md',
      'CONTRIBUTING.md',
      'Containerfile',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'action',
    ],
    ...[
      'apps',
      'bench',
      'biome.json',
      'compose.yaml',
      'docs',
      'examples',
      'package-lock.json',
      'package.json',
    ],
    ...['packages', 'scripts', 'test', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.test.json'],
    'vitest.config.ts',
  ]);
});
