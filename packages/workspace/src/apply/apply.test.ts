import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { gitIn, makeBench, must, own, photograph, plant, RUN, shared } from '../../test/bench.js';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const TREE = { 'a.txt': LINES, 'b.txt': 'b\n', 'gone.txt': 'x\n' };
const at = (node = own(), turn = 1) => ({ run: RUN, node, turn });

describe.each(['commit', 'none'] as const)('work that is applied (git: %s)', (git) => {
  it('is in the person’s folder, beside what they changed meanwhile, once and only once', async () => {
    const bench = makeBench({ git, tree: TREE });
    const { workspaces, project } = bench;
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, {
      'a.txt': LINES.replace('one', 'ONE'),
      'new/c.sh': { exec: 'c\n' },
      link: { link: 'a.txt' },
      'd\n"e.txt': 'odd name\n',
    });
    rmSync(join(folder, 'gone.txt'));
    plant(project, { 'a.txt': LINES.replace('seven', 'SEVEN'), 'mine.txt': 'm\n' });
    const preview = must(await workspaces.apply({ run: RUN }, { dryRun: true }));
    expect(preview).toEqual({
      files: [
        { path: 'a.txt', change: 'merged', node: 'node_a' },
        { path: 'd\n"e.txt', change: 'new', node: 'node_a' },
        { path: 'gone.txt', change: 'deleted', node: 'node_a' },
        { path: 'link', change: 'new', node: 'node_a' },
        { path: 'new/c.sh', change: 'new', node: 'node_a' },
      ],
      conflicts: [],
      committed: null,
    });
    expect(photograph(project)['gone.txt']).toBe('  x\n');
    expect(must(await workspaces.views(RUN))).toMatchObject([{ node: 'node_a', kind: 'own', unapplied: 5 }]);
    expect(must(await workspaces.apply({ run: RUN }))).toEqual(preview);
    const after = {
      'a.txt': `  ${LINES.replace('one', 'ONE').replace('seven', 'SEVEN')}`,
      'b.txt': '  b\n',
      'd\n"e.txt': '  odd name\n',
      link: '-> a.txt',
      'mine.txt': '  m\n',
      'new/c.sh': 'x c\n',
    };
    expect(photograph(project)).toEqual(after);
    expect(must(await bench.again().apply({ run: RUN }))).toMatchObject({ files: [], conflicts: [] });
    // What the person makes of it later is theirs.
    writeFileSync(join(project, 'b.txt'), 'mine now\n');
    plant(folder, { 'later.txt': 'l\n' });
    must(await workspaces.apply({ run: RUN, node: 'node_a' }));
    expect(photograph(project)).toEqual({ ...after, 'b.txt': '  mine now\n', 'later.txt': '  l\n' });
    expect(must(await workspaces.views(RUN))).toMatchObject([{ unapplied: 0 }]);
  });

  it('can be some of its files: the rest stays work that is not in the project', async () => {
    const { workspaces, project } = makeBench({ git, tree: TREE });
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'a.txt': 'A\n', 'new.txt': 'n\n' });
    rmSync(join(folder, 'gone.txt'));
    // What is not chosen cannot stand against what is.
    plant(project, { 'a.txt': 'mine\n' });
    const only = { files: ['gone.txt', 'new.txt', 'not-there'] };
    expect(must(await workspaces.apply({ run: RUN }, only)).files.map(({ path }) => path)).toEqual([
      'gone.txt',
      'new.txt',
    ]);
    expect(photograph(project)).toEqual({ 'a.txt': '  mine\n', 'b.txt': '  b\n', 'new.txt': '  n\n' });
    expect(must(await workspaces.apply({ run: RUN }, { dryRun: true }))).toMatchObject({
      files: [],
      conflicts: [{ path: 'a.txt', why: 'both-changed' }],
    });
  });

  it.each([
    ['a line that both changed', { 'a.txt': 'mine\n' }, { 'a.txt': 'theirs\n' }, 'a.txt', 'both-changed'],
    ['a file that both made', { n: 'mine\n' }, { n: 'theirs\n' }, 'n', 'both-changed'],
    [
      'a binary that both changed',
      { 'b.txt': Uint8Array.of(0, 1) },
      { 'b.txt': Uint8Array.of(0, 2) },
      'b.txt',
      'both-changed',
    ],
    [
      'a link that both changed',
      { 'b.txt': { link: 'x' } },
      { 'b.txt': { link: 'y' } },
      'b.txt',
      'both-changed',
    ],
    ['what the person deleted', { 'gone.txt': null }, { 'gone.txt': 'changed\n' }, 'gone.txt', 'deleted'],
    ['what the node deleted', { 'gone.txt': 'changed\n' }, { 'gone.txt': null }, 'gone.txt', 'deleted'],
    ['a file where a folder is wanted', { dir: 'file\n' }, { 'dir/x': 'x\n' }, 'dir/x', 'in-the-way'],
    ['a folder where a file is wanted', { 'dir/mine': 'x\n' }, { dir: 'file\n' }, 'dir', 'in-the-way'],
    [
      'an ignored file in the way',
      { 'x.log': 'precious\n' },
      { 'x.log': 'f', '.gitignore': '' },
      'x.log',
      'in-the-way',
    ],
  ] as const)('refuses all of it because of %s', async (title, mine, theirs, path, why) => {
    const bench = makeBench({ git, tree: { ...TREE, '.gitignore': '*.log\n' } });
    const { folder } = must(await bench.workspaces.prepare(at()));
    const edit = (root: string, changes: Readonly<Record<string, unknown>>) => {
      for (const [name, content] of Object.entries(changes)) {
        if (content === null) rmSync(join(root, name));
        else plant(root, { [name]: content as string });
      }
    };
    edit(folder, { ...theirs, 'fine.txt': 'fine\n' });
    edit(bench.project, mine);
    const before = photograph(bench.project);
    const preview = must(await bench.workspaces.apply({ run: RUN }, { dryRun: true }));
    expect(preview.conflicts, title).toEqual([{ path, node: 'node_a', why }]);
    expect(must(await bench.workspaces.apply({ run: RUN })).conflicts).toEqual(preview.conflicts);
    expect(photograph(bench.project)).toEqual(before);
    expect(must(await bench.workspaces.clean({ run: RUN }))).toMatchObject({ removed: [], kept: ['node_a'] });
    expect(existsSync(join(folder, 'fine.txt'))).toBe(true);
  });
});

describe('applying', () => {
  it('takes several nodes together, or none when two of them are against each other', async () => {
    const { workspaces, project } = makeBench({ tree: TREE });
    const [a, b] = [own('node_a'), own('node_b')];
    const first = must(await workspaces.prepare(at(a, 1)));
    const second = must(await workspaces.prepare(at(b, 2)));
    plant(first.folder, { 'a.txt': LINES.replace('one', 'ONE') });
    plant(second.folder, { 'a.txt': LINES.replace('seven', 'SEVEN') });
    must(await workspaces.apply({ run: RUN }));
    expect(photograph(project)['a.txt']).toBe(`  ${LINES.replace('one', 'ONE').replace('seven', 'SEVEN')}`);
    plant(first.folder, { 'b.txt': 'first\n' });
    plant(second.folder, { 'b.txt': 'second\n' });
    const refused = must(await workspaces.apply({ run: RUN }));
    expect(refused.conflicts).toEqual([{ path: 'b.txt', node: 'node_b', why: 'both-changed' }]);
    expect(photograph(project)['b.txt']).toBe('  b\n');
    must(await workspaces.apply({ run: RUN, node: 'node_b' }));
    expect(photograph(project)['b.txt']).toBe('  second\n');
  });

  it('commits the work and nothing else when asked to', async () => {
    const { workspaces, project } = makeBench({ tree: TREE });
    gitIn(project, 'config', 'user.name', 'T');
    gitIn(project, 'config', 'user.email', 't@example.com');
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'b.txt': 'better\n', 'new.txt': 'n\n' });
    rmSync(join(folder, 'gone.txt'));
    plant(project, { 'staged.txt': 's\n', 'a.txt': 'mine\n' });
    gitIn(project, 'add', 'staged.txt');
    const { committed } = must(await workspaces.apply({ run: RUN }, { commit: 'The work' }));
    expect(gitIn(project, 'rev-parse', 'HEAD').trim()).toBe(committed);
    expect(gitIn(project, 'show', '--format=%s', '--name-status', 'HEAD')).toBe(
      'The work\n\nM\tb.txt\nD\tgone.txt\nA\tnew.txt\n',
    );
    expect(gitIn(project, 'status', '--porcelain')).toBe(' M a.txt\nA  staged.txt\n');
    plant(folder, { 'a.txt': LINES.replace('one', 'ONE') });
    plant(project, { 'a.txt': LINES.replace('seven', 'SEVEN') });
    expect(await workspaces.apply({ run: RUN }, { commit: 'More' })).toMatchObject({
      ok: false,
      error: { code: 'E_WORKSPACE_COMMIT', message: expect.stringContaining('a.txt') },
    });
    expect(photograph(project)['a.txt']).toBe(`  ${LINES.replace('seven', 'SEVEN')}`);
  });

  it('says what is not there', async () => {
    const { workspaces } = makeBench();
    for (const what of [{ run: 'run_9' }, { run: RUN, node: 'node_9' }, { run: '../..' }]) {
      expect(await workspaces.apply(what)).toMatchObject({
        ok: false,
        error: { code: 'E_WORKSPACE_UNKNOWN' },
      });
      expect(await workspaces.clean(what)).toMatchObject({
        ok: false,
        error: { code: 'E_WORKSPACE_UNKNOWN' },
      });
    }
    must(await workspaces.prepare(at(shared() as never)));
    expect(must(await workspaces.apply({ run: RUN }))).toMatchObject({ files: [], conflicts: [] });
  });
});

describe('cleaning', () => {
  it('removes what is in the project, keeps what is not, and discards only what is named', async () => {
    const { workspaces, project } = makeBench({ tree: TREE });
    const [a, b] = [own('node_a'), own('node_b')];
    const first = must(await workspaces.prepare(at(a, 1)));
    const second = must(await workspaces.prepare(at(b, 2)));
    plant(first.folder, { 'a.txt': 'theirs\n', 'node_modules/x': 'x'.repeat(20_000) });
    plant(second.folder, { 'b.txt': 'theirs\n', 'd\ne': '' });
    must(await workspaces.apply({ run: RUN, node: 'node_a' }));
    expect(must(await workspaces.runs())).toEqual([RUN]);
    const cleaned = must(await workspaces.clean({ run: RUN }));
    expect(cleaned).toMatchObject({ removed: ['node_a'], kept: ['node_b'] });
    expect(cleaned.bytes).toBeGreaterThan(20_000);
    expect(existsSync(first.folder)).toBe(false);
    expect(photograph(second.folder)['b.txt']).toBe('  theirs\n');
    expect(gitIn(project, 'worktree', 'list', '--porcelain')).not.toContain('node_a');
    expect(must(await workspaces.clean({ run: RUN, node: 'node_b' }, { discard: true }))).toMatchObject({
      removed: ['node_b'],
    });
    expect(existsSync(second.folder)).toBe(false);
    expect(must(await workspaces.runs())).toEqual([]);
    // A node that goes on gets a fresh folder.
    expect(must(await workspaces.prepare(at(a, 3)))).toMatchObject({ fresh: true });
  });
});

it('a branch is pushed as it is, only ever moves forward, and has a name of its own', async () => {
  const { workspaces, project, top } = makeBench({ git: 'commit', tree: TREE });
  expect(await workspaces.push('work')).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_PUSH' } });
  gitIn(top, 'init', '--quiet', '--bare', 'far');
  gitIn(project, 'remote', 'add', 'origin', join(top, 'far'));
  const head = gitIn(project, 'rev-parse', 'HEAD').trim();
  const pushed = must(await workspaces.push('work/one'));
  expect(pushed).toEqual({ remote: 'origin', branch: 'work/one', commit: head });
  expect(gitIn(join(top, 'far'), 'rev-parse', 'refs/heads/work/one').trim()).toBe(head);
  gitIn(project, 'commit', '--quiet', '--amend', '--allow-empty', '--message', 'Other');
  expect(await workspaces.push('work/one')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('has commits there') },
  });
  for (const name of ['a..b', '-x y', 'x:refs/heads/main', '']) {
    expect(await workspaces.push(name)).toMatchObject({
      ok: false,
      error: { message: 'That is not the name of a branch.' },
    });
  }
});
