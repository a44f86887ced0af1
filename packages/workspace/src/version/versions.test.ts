import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../../test/child-program.js';
import { itInTurn as it, runs, sampled } from '../../../../test/runs.js';
import { gitIn, plant } from '../../test/bench.js';
import type { VersionTask } from '../../test/child/version-program.js';
import { createVersions, sourceProblem, type VersionOptions } from './versions.js';

let top: string;
let child: ChildProgram;
let count = 0;
beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-versions-')));
  child = await buildProgram(new URL('../../test/child/version-program.ts', import.meta.url));
});
afterAll(() => {
  child.remove();
  rmSync(top, { recursive: true, force: true });
});

const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
const place = (): string => {
  count += 1;
  const folder = join(top, String(count));
  mkdirSync(join(folder, 'home'), { recursive: true, mode: 0o700 });
  return folder;
};

/** A repository with two versions, and the commit of each. */
function repository(folder: string): readonly [first: string, second: string] {
  mkdirSync(folder, { recursive: true });
  gitIn(folder, 'init', '--quiet');
  return [commitOf(folder, 'one'), commitOf(folder, 'two')];
}

function commitOf(folder: string, text: string): string {
  plant(folder, { 'a.txt': text, 'sub/b.txt': `${text} below` });
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '--message', text);
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
}

/** A machine with a clone that has none of the commits to come. */
function machine(more: Partial<VersionOptions> = {}): VersionOptions {
  const root = place();
  mkdirSync(join(root, 'project'), { recursive: true });
  return { folder: join(root, 'project'), home: join(root, 'home'), env, project: 'prj_1', ...more };
}

const text = (folder: { readonly ok: boolean } & object, path = 'a.txt'): unknown =>
  'value' in folder ? readFileSync(join(String(folder.value), path), 'utf8') : folder;

describe('versions of a project', () => {
  it('come from the source, side by side, and are there when it is gone', async () => {
    const source = join(place(), 'source');
    const commits = repository(source);
    const options = machine({ source });
    const versions = createVersions(options);
    const found = await Promise.all([...commits, ...commits].map((commit) => versions.find({ commit })));
    expect(found.map((each) => text(each))).toEqual(['one', 'two', 'one', 'two']);
    expect(new Set(found.map((each) => each.ok && each.value)).size).toBe(2);
    rmSync(source, { recursive: true });
    const later = createVersions(options);
    expect(text(await later.find({ commit: commits[0] }))).toBe('one');
    expect(text(await later.find({ commit: commits[0], within: 'sub' }), 'b.txt')).toBe('one below');
    // Somebody took the folder away: nothing is said to be there that is not.
    const gone = await later.find({ commit: commits[1] });
    if (gone.ok) rmSync(gone.value, { recursive: true });
    expect(await later.find({ commit: commits[1] })).toMatchObject({ ok: false });
    const [again] = [join(place(), 'source')];
    const [, second] = repository(again);
    expect(text(await createVersions({ ...options, source: again }).find({ commit: second }))).toBe('two');
  });

  it('come from the clone itself, from what it was cloned from, and from the repository of the workspaces', async () => {
    const root = place();
    const origin = join(root, 'origin');
    const [first, second] = repository(origin);
    const clone = join(root, 'clone');
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${origin}`, clone]);
    const own = createVersions({ folder: clone, home: join(root, 'home'), env, project: 'prj_1' });
    expect(text(await own.find({ commit: second }))).toBe('two');
    expect(text(await own.find({ commit: first }))).toBe('one');

    const workspaces = join(root, 'workspaces.git');
    execFileSync('git', ['init', '--quiet', '--bare', workspaces]);
    const publisher = createVersions({
      folder: origin,
      home: join(root, 'home'),
      env,
      project: 'prj_1',
      workspaces,
    });
    const unpushed = commitOf(origin, 'three');
    expect(await publisher.publish(unpushed)).toEqual({ ok: true, value: undefined });
    const other = createVersions(machine({ workspaces }));
    expect(text(await other.find({ commit: unpushed }))).toBe('three');
  });

  it('that nobody has are refused, with the places that were looked at and without their addresses', async () => {
    const source = join(place(), 'source');
    repository(source);
    const missing = 'f'.repeat(40);
    const answer = await createVersions(machine({ source })).find({ commit: missing });
    expect(answer).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_VERSION' } });
    expect(JSON.stringify(answer)).toContain('the source');
    expect(JSON.stringify(answer)).not.toContain(top);
    const alone = await createVersions(machine()).find({ commit: missing });
    expect(JSON.stringify(alone)).toContain('no repository is known');
  });

  it('are asked for by a commit and nothing else, from an address and nothing else, in a folder of theirs', async () => {
    const source = join(place(), 'source');
    const [commit] = repository(source);
    symlinkSync('/', join(source, 'out'));
    const linked = commitOf(source, 'linked');
    const options = machine({ source });
    const versions = createVersions(options);
    const bad = [
      'HEAD',
      'main',
      '-uall',
      '--upload-pack=touch x',
      '',
      commit.slice(1),
      `${commit}\n`,
      `${commit}^`,
      '../x',
    ];
    for (const name of bad)
      expect(await versions.find({ commit: name })).toMatchObject({ error: { code: 'E_WORKSPACE_VERSION' } });
    for (const within of [
      '..',
      '../..',
      '/',
      '/etc',
      'a.txt',
      'nowhere',
      'sub/../../x',
      '.git/../..',
      'out',
      'out/etc',
    ])
      expect(await versions.find({ commit: linked, within })).toMatchObject({ ok: false });
    for (const address of [
      'ext::sh -c x',
      '-x',
      'a/b',
      '',
      'ssh://-oProxyCommand=x',
      'x\ny',
      '--',
      '/a b',
      'fd::3',
    ])
      expect(sourceProblem(address)).toMatchObject({ code: 'E_WORKSPACE_VERSION' });
    for (const address of ['/srv/a.git', 'https://h/x.git', 'git@h:x.git', 'ssh://h/x', 'file:///x'])
      expect(sourceProblem(address)).toBeUndefined();
  });

  it('whatever is asked for: only what is a commit of the source is found', async () => {
    const source = join(place(), 'source');
    const [commit] = repository(source);
    const versions = createVersions(machine({ source }));
    const names = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 }),
      fc.constantFrom(commit, commit.toUpperCase(), ` ${commit}`, `${commit}:a.txt`),
    );
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const found = await versions.find({ commit: name });
        expect(found.ok).toBe(name === commit);
      }),
      runs(40, 200),
    );
  });

  it('with names that lead out of their folder, or too many of them, are refused', async () => {
    const source = join(place(), 'source');
    const [plain] = repository(source);
    expect(await createVersions(machine({ source, maxFiles: 1 })).find({ commit: plain })).toMatchObject({
      error: { code: 'E_WORKSPACE_VERSION' },
    });
    const git = (args: readonly string[], input = ''): string =>
      execFileSync('git', args, { cwd: source, input, encoding: 'utf8' }).trim();
    const blob = git(['hash-object', '-w', '--stdin'], '[core]\n\thooksPath = /tmp\n');
    for (const name of ['.git', '..', '.GIT', 'git~1']) {
      const inner = git(['mktree'], `100644 blob ${blob}\tconfig\n`);
      const tree = git(['mktree'], `040000 tree ${inner}\t${name}\n`);
      const commit = git(['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit-tree', '-m', 'x', tree]);
      git(['update-ref', `refs/heads/bad-${commit}`, commit]);
      const options = machine({ source });
      expect(await createVersions(options).find({ commit })).toMatchObject({
        error: { code: 'E_WORKSPACE_VERSION' },
      });
      expect(readdirSync(join(options.home, 'workspaces/.versions'))).toEqual([]);
    }
  });

  it.each(sampled(['version.fetched', 'version.filled', 'version.ready'], 1))(
    'that a killed process has half made are never used (%s)',
    async (kill) => {
      const source = join(place(), 'source');
      const [commit] = repository(source);
      const options = machine({ source });
      const task: VersionTask = { options, commit, kill };
      expect(spawnSync(process.execPath, [child.program, JSON.stringify(task)]).signal).toBe('SIGKILL');
      const isMarked = existsSync(join(options.home, 'workspaces/.versions', `${commit}.json`));
      expect(isMarked).toBe(kill === 'version.ready');
      expect(text(await createVersions(options).find({ commit }))).toBe('one');
      // What the killed one has left goes when nobody can be at it any more.
      const later = createVersions({ ...options, now: () => Date.now() + 7_200_000 });
      await later.find({ commit: 'e'.repeat(40) });
      const left = readdirSync(join(options.home, 'workspaces/.versions'));
      expect(left.filter((name) => name.startsWith(`${commit}-`))).toHaveLength(1);
    },
  );
});
