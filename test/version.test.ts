import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PUBLIC } from '../scripts/publish/cut.mjs';
import { finishVersion, VERSION_PLACES, wordsOf } from '../scripts/publish/version.mjs';
import { ROOT } from './root.js';
import { itInSoak } from './runs.js';
import { workspaces } from './workspaces.js';

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
const versionOf = (root: string, folder = '.'): string =>
  (JSON.parse(read(root, join(folder, 'package.json'))) as { version: string }).version;

/** Every manifest, the lockfile and every other place have one version. */
function requireOne(root: string): string {
  const version = versionOf(root);
  const lock = JSON.parse(read(root, 'package-lock.json')) as {
    packages: Readonly<Record<string, { version: string; dependencies?: Readonly<Record<string, string>> }>>;
  };
  for (const { folder } of workspaces()) {
    expect(versionOf(root, folder), folder).toBe(version);
    expect(lock.packages[folder]?.version, folder).toBe(version);
    const { dependencies = {} } = JSON.parse(read(root, join(folder, 'package.json'))) as {
      dependencies?: Readonly<Record<string, string>>;
    };
    expect(lock.packages[folder]?.dependencies ?? {}, folder).toEqual(dependencies);
  }
  for (const [file, words] of VERSION_PLACES) expect(read(root, file)).toContain(wordsOf(words, version));
  return version;
}

it('has every place that names the version in its list', () => {
  const version = requireOne(ROOT);
  const words = [`'${version}'`, `cuebook:${version}`, `ersion: ${version}`].flatMap((each) => ['-e', each]);
  const paths = ['*.ts', '*.mjs', '*.yaml', '*.yml', 'Containerfile', '*.md', ':!*.test.ts', ':!**/test/**'];
  const args = ['grep', '-lIF', ...words, '--', ...paths];
  const named = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const listed = new Set(VERSION_PLACES.map(([file]) => file));
  // Packages of workflows have versions of their own.
  const others = named.filter((file) => !listed.has(file) && !OWN_VERSIONS.has(file));
  expect(others).toEqual([]);
});

const OWN_VERSIONS = new Set([
  'apps/cli/src/eval/injection/stand-in.ts',
  'apps/cli/src/init/workflow/template.ts',
  'packages/workflow/README.md',
]);

itInSoak('takes a change through to one new version, in a copy', () => {
  const root = mkdtempSync(join(tmpdir(), 'cuebook-version-'));
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    for (const file of new Set(listed.split('\0')))
      if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(root, file));
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: root,
        stdio: 'pipe',
      });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'all');
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const before = requireOne(root);
    writeFileSync(join(root, '.changeset', 'a-change.md'), '---\n"cuebook": minor\n---\n\nIt does more.\n');
    execFileSync(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], { cwd: root });
    const version = finishVersion(root);
    expect(requireOne(root)).toBe(version);
    expect(version).not.toBe(before);
    expect(read(root, 'apps/cli/CHANGELOG.md')).toBe(
      `# cuebook\n\n## ${version}\n\n### Minor Changes\n\n- It does more.\n`,
    );
    const made = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '*CHANGELOG.md'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(made.trim().split('\n').sort()).toEqual(
      PUBLIC.map(({ folder }) => `${folder}/CHANGELOG.md`).sort(),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
