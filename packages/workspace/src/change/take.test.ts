import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { gitIn, makeBench, must, own, photograph, plant, RUN, shared } from '../../test/bench.js';

const at = (node = own(), turn = 1) => ({ run: RUN, node, turn });

describe.each(['commit', 'empty', 'none'] as const)('the diff of a turn (git: %s)', (git) => {
  it('has what was edited, made, deleted, renamed and given the right to run, and binary content', async () => {
    const bench = makeBench({
      git,
      tree: { 'a.txt': 'one\n', 'b.txt': 'two\n'.repeat(20), 'gone.txt': 'x\n', 'run.sh': 'echo\n' },
    });
    const { workspaces, artifacts } = bench;
    const { folder, fresh } = must(await workspaces.prepare(at()));
    expect(fresh).toBe(true);
    expect(photograph(folder)).toEqual(photograph(bench.project));
    plant(folder, {
      'a.txt': 'one\nmore\n',
      'new/c.txt': 'c\n',
      'renamed.txt': 'two\n'.repeat(20),
      'run.sh': { exec: 'echo\n' },
      'pic.png': Uint8Array.of(0, 1, 2, 255),
      'latin.txt': Uint8Array.of(0xe4, 0x0a),
    });
    rmSync(join(folder, 'b.txt'));
    rmSync(join(folder, 'gone.txt'));
    const diff = must(await workspaces.take(at()));
    expect(diff.files).toEqual([
      ...['a.txt', 'b.txt', 'gone.txt', 'latin.txt', 'new/c.txt', 'pic.png', 'renamed.txt', 'run.sh'],
    ]);
    const patch = artifacts.get(diff.artifact ?? '') ?? '';
    expect(patch).toContain('rename from b.txt\nrename to renamed.txt');
    expect(patch).toContain('old mode 100644\nnew mode 100755');
    expect(patch).toContain('+more');
    expect(patch).toContain('deleted file mode 100644');
    expect(patch).toContain('GIT binary patch');
    expect(patch).not.toContain('\ufffd');
    expect(await bench.again().take(at())).toEqual({ ok: true, value: diff });
    // The person's folder has nothing of it.
    expect(Object.keys(photograph(bench.project))).toEqual(['a.txt', 'b.txt', 'gone.txt', 'run.sh']);
  });

  itInTurn('is empty when nothing changed, and of each turn only what that turn changed', async () => {
    const { workspaces, artifacts } = makeBench({ git });
    const { folder } = must(await workspaces.prepare(at(own(), 1)));
    expect(must(await workspaces.take(at(own(), 1)))).toEqual({ hash: null, files: [] });
    plant(folder, { 'by-a-person.txt': 'between turns\n' });
    must(await workspaces.prepare(at(own(), 2)));
    plant(folder, { 'b.txt': 'b\n' });
    const second = must(await workspaces.take(at(own(), 2)));
    expect(second.files).toEqual(['b.txt']);
    must(await workspaces.prepare(at(own(), 5)));
    rmSync(join(folder, 'b.txt'));
    const third = must(await workspaces.take(at(own(), 5)));
    expect(third.files).toEqual(['b.txt']);
    expect(artifacts.get(third.hash ?? '')).toContain('deleted file');
  });

  itInTurn('keeps two nodes apart, and the folder that others share', async () => {
    const { workspaces, project } = makeBench({ git });
    const [a, b, s] = [own('node_a'), own('node_b'), shared()];
    const first = must(await workspaces.prepare({ run: RUN, node: a, turn: 1 }));
    const second = must(await workspaces.prepare({ run: RUN, node: b, turn: 2 }));
    const third = must(await workspaces.prepare({ run: RUN, node: s, turn: 3 }));
    expect(third).toEqual({ folder: project, kind: 'shared', fresh: false });
    plant(first.folder, { 'first.txt': '1\n' });
    plant(second.folder, { 'second.txt': '2\n' });
    plant(project, { 'third.txt': '3\n', '.cuebook/x.txt': 'state\n' });
    const files = async (node: typeof a | typeof s, turn: number) =>
      must(await workspaces.take({ run: RUN, node, turn })).files;
    expect(await files(a, 1)).toEqual(['first.txt']);
    expect(await files(b, 2)).toEqual(['second.txt']);
    expect(await files(s, 3)).toEqual(['third.txt']);
  });
});

describe('a workspace', () => {
  it('begins with what the person has right now, and touches nothing of theirs', async () => {
    const bench = makeBench({ tree: { 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitignore': 'ignored\n' } });
    plant(bench.project, { 'a.txt': 'dirty\n', 'staged.txt': 's\n', 'untracked.txt': 'u\n', ignored: 'i\n' });
    rmSync(join(bench.project, 'b.txt'));
    gitIn(bench.project, 'add', 'staged.txt');
    const look = () => [
      gitIn(bench.project, 'status', '--porcelain=v2', '--branch'),
      gitIn(bench.project, 'for-each-ref'),
      gitIn(bench.project, 'stash', 'list'),
    ];
    const before = look();
    const { folder } = must(await bench.workspaces.prepare(at()));
    expect(photograph(folder)).toEqual({
      '.gitignore': '  ignored\n',
      'a.txt': '  dirty\n',
      'staged.txt': '  s\n',
      'untracked.txt': '  u\n',
    });
    expect(look()).toEqual(before);
    // It is a worktree of theirs, at their commit, on no branch.
    expect(gitIn(folder, 'log', '--format=%s').trim()).toBe('Start');
    expect(gitIn(folder, 'branch', '--show-current').trim()).toBe('');
    expect(gitIn(folder, 'status', '--porcelain').split('\n').sort().join()).toContain(' M a.txt');
  });

  it('has files that are ignored and committed all the same', async () => {
    const { workspaces } = makeBench({ tree: { '.gitignore': '*.log\n', 'kept.log': 'k\n' } });
    const { folder } = must(await workspaces.prepare(at()));
    expect(photograph(folder)['kept.log']).toBe('  k\n');
    writeFileSync(join(folder, 'kept.log'), 'changed\n');
    writeFileSync(join(folder, 'other.log'), 'ignored\n');
    expect(must(await workspaces.take(at())).files).toEqual(['kept.log']);
  });

  it('is made again from what is known when somebody removes its folder', async () => {
    const { workspaces } = makeBench();
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'work.txt': 'w\n' });
    must(await workspaces.take(at()));
    rmSync(folder, { recursive: true });
    must(await workspaces.prepare(at(own(), 2)));
    expect(photograph(folder)).toEqual({ 'a.txt': '  one\n', 'work.txt': '  w\n' });
  });

  it.each(['../x', 'a/b', '', '.store', 'a\nb'])('cannot have a run or node named %j', async (name) => {
    const { workspaces } = makeBench();
    expect(await workspaces.prepare({ run: name, node: own(), turn: 1 })).toMatchObject({
      ok: false,
      error: { code: 'E_WORKSPACE_UNKNOWN' },
    });
    expect(await workspaces.prepare({ run: RUN, node: own(name), turn: 1 })).toMatchObject({ ok: false });
  });
});

describe('what is in the way of a snapshot', () => {
  itInTurn('is said: a folder that is gone; and a lock of a killed git is no hindrance', async () => {
    const bench = makeBench();
    const { folder } = must(await bench.workspaces.prepare(at()));
    plant(bench.home, {
      'workspaces/.store/folders/project.lock': '',
      'workspaces/.store/folders/run_1.node_a.lock': '',
    });
    plant(folder, { 'b.txt': 'b\n' });
    expect(must(await bench.again().take(at())).files).toEqual(['b.txt']);
    must(await bench.again().apply({ run: RUN }));
    expect(photograph(bench.project)['b.txt']).toBe('  b\n');
    must(await bench.workspaces.prepare(at(own(), 2)));
    rmSync(folder, { recursive: true });
    expect(await bench.workspaces.take(at(own(), 2))).toMatchObject({
      ok: false,
      error: { code: 'E_WORKSPACE_READ', message: 'The folder of the workspace is not there.' },
    });
  });

  itInTurn('many nodes begin at once', async () => {
    const { workspaces } = makeBench();
    const nodes = Array.from({ length: 8 }, (_, n) => own(`node_${n}`));
    const made = await Promise.all(nodes.map((node, n) => workspaces.prepare({ run: RUN, node, turn: n })));
    expect(made.every(({ ok }) => ok)).toBe(true);
    expect(must(await workspaces.views(RUN))).toHaveLength(8);
  });
});
