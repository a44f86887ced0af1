import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type Bench, gitIn, makeBench, must, own, photograph, plant, RUN } from '../../test/bench.js';

const at = (node = own(), turn = 1, run = RUN) => ({ run, node, turn });
const store = ({ home }: Bench): string => join(home, 'workspaces/.store');

/** The contents in the store, by their names; `ageMs` makes them that old first, or, below 0, younger than any call. */
function contents(bench: Bench, { ageMs = 0 } = {}): readonly string[] {
  const objects = join(store(bench), 'objects');
  return readdirSync(objects)
    .filter((name) => name.length === 2)
    .flatMap((name) =>
      readdirSync(join(objects, name)).map((rest) => ({ id: name + rest, path: join(objects, name, rest) })),
    )
    .map(({ id, path }) => {
      const then = Date.now() / 1000 - ageMs / 1000;
      if (ageMs !== 0) utimesSync(path, then, then);
      return id;
    });
}
const idOf = (text: string): string =>
  execFileSync('git', ['hash-object', '--stdin'], { input: text, encoding: 'utf8' }).trim();
/** What git finds wrong with the store. */
const fsck = (bench: Bench): string =>
  execFileSync('git', ['fsck', '--no-dangling'], { cwd: store(bench), encoding: 'utf8', stdio: 'pipe' });
const has = (bench: Bench, text: string): boolean => contents(bench).includes(idOf(text));
const DAY = 86_400_000;

describe.each(['commit', 'none'] as const)('contents that workspaces share (git: %s)', (git) => {
  it('go with the last workspace, all of them', async () => {
    const bench = makeBench({ git });
    const { workspaces, home } = bench;
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'new.txt': 'only here\n', 'large.txt': 'x'.repeat(50_000) });
    must(await workspaces.take(at()));
    expect(has(bench, 'only here\n')).toBe(true);
    const before = must(await workspaces.contents());
    expect(must(await workspaces.clean({ run: RUN }))).toMatchObject({ kept: ['node_a'], removed: [] });
    expect(has(bench, 'only here\n')).toBe(true);
    const cleaned = must(await workspaces.clean({ run: RUN }, { discard: true }));
    expect(cleaned).toMatchObject({ removed: ['node_a'] });
    expect(cleaned.left).toBeUndefined();
    expect(contents(bench)).toEqual([]);
    expect(readdirSync(join(home, 'workspaces'))).toEqual(['.store']);
    expect(readdirSync(join(store(bench), 'folders'))).toEqual(['.keep']);
    expect(cleaned.contents).toBeLessThan(before);
    expect(must(await workspaces.contents())).toBe(cleaned.contents);
    // Everything goes on from nothing, also in a process that knew what was there.
    plant(must(await workspaces.prepare(at(own(), 2))).folder, { 'b.txt': 'b\n' });
    expect(must(await workspaces.take(at(own(), 2))).files).toEqual(['b.txt']);
  });

  it('stay as far as another run needs them, to the last step back', async () => {
    const bench = makeBench({ git, tree: { 'a.txt': 'one\n', 'b.txt': 'b\n' } });
    const { workspaces, project } = bench;
    const other = bench.again();
    const mine = at(own('node_b'), 1, 'run_2');
    const first = must(await workspaces.prepare(at()));
    const second = must(await other.prepare(mine));
    plant(first.folder, { 'a.txt': 'first\n', 'x.txt': 'gone\n' });
    plant(second.folder, { 'a.txt': 'second\n', 'aside.ts': 'put away\n' });
    must(await workspaces.take(at()));
    const { files } = must(await other.take(mine));
    must(await other.setAside(mine, ['aside.ts']));
    plant(second.folder, { 'a.txt': 'later\n' });
    contents(bench, { ageMs: DAY });
    must(await workspaces.clean({ run: RUN }, { discard: true }));
    expect([has(bench, 'gone\n'), has(bench, 'first\n')]).toEqual([false, false]);
    expect([has(bench, 'second\n'), has(bench, 'put away\n'), has(bench, 'b\n')]).toEqual([true, true, true]);
    // Every step of the other run can be done again, and its work brought in.
    expect(must(await other.take(mine)).files).toEqual(files);
    expect(must(await bench.again().views('run_2'))).toMatchObject([{ unapplied: 1 }]);
    must(await other.apply({ run: 'run_2' }));
    expect(photograph(project)['a.txt']).toBe('  later\n');
    must(await other.prepare(at(own('node_b'), 2, 'run_2')));
    expect(fsck(bench)).toBe('');
  });

  it('stay while they are young: somebody may have come by them at this moment', async () => {
    const bench = makeBench({ git });
    const { workspaces } = bench;
    must(await workspaces.prepare(at()));
    const { folder } = must(await workspaces.prepare(at(own('node_b'), 1, 'run_2')));
    plant(folder, { 'young.txt': 'young\n' });
    must(await workspaces.take(at(own('node_b'), 1, 'run_2')));
    contents(bench, { ageMs: -DAY });
    must(await workspaces.clean({ run: 'run_2' }, { discard: true }));
    expect(has(bench, 'young\n')).toBe(true);
    contents(bench, { ageMs: DAY });
    // There is nothing to remove any more, and what was left goes all the same.
    expect(await workspaces.clean({ run: 'run_2' })).toMatchObject({ ok: false });
    expect(has(bench, 'young\n')).toBe(false);
    expect(contents(bench).length).toBeGreaterThan(0);
  });
});

describe('contents are left alone', () => {
  it('when a copy borrows them, as long as its own repository leads to them', async () => {
    const bench = makeBench({ git: 'none' });
    const { workspaces } = bench;
    const { folder } = must(await workspaces.prepare(at()));
    const far = must(await workspaces.prepare(at(own('node_b'), 1, 'run_2')));
    for (const each of [folder, far.folder]) plant(each, { 'both.txt': 'both\n', 'staged.txt': 'staged\n' });
    must(await workspaces.take(at(own('node_b'), 1, 'run_2')));
    // The copy finds both contents in the store and keeps none of its own.
    gitIn(folder, 'add', 'both.txt');
    gitIn(folder, 'commit', '--quiet', '--message', 'Both');
    gitIn(folder, 'add', 'staged.txt');
    for (const name of ['both.txt', 'staged.txt']) plant(folder, { [name]: 'changed\n' });
    contents(bench, { ageMs: DAY });
    must(await workspaces.clean({ run: 'run_2' }, { discard: true }));
    expect([has(bench, 'both\n'), has(bench, 'staged\n')]).toEqual([true, true]);
    expect(gitIn(folder, 'show', 'HEAD:both.txt')).toBe('both\n');
    expect(gitIn(folder, 'show', ':staged.txt')).toBe('staged\n');
  });

  it('when a record cannot be read, or names a tree that is missing', async () => {
    const bench = makeBench();
    const { workspaces, home } = bench;
    must(await workspaces.prepare(at()));
    const { folder } = must(await workspaces.prepare(at(own('node_b'), 1, 'run_2')));
    plant(folder, { 'x.txt': 'gone\n' });
    must(await workspaces.take(at(own('node_b'), 1, 'run_2')));
    contents(bench, { ageMs: DAY });
    const record = join(home, 'workspaces', RUN, 'node_a.json');
    const written = { version: 1, node: 'node_a', kind: 'own', order: 1, turns: {} };
    const missing = { ...written, base: { tree: '1'.repeat(40), odd: [] } };
    writeFileSync(record, JSON.stringify(missing));
    const cleaned = must(await workspaces.clean({ run: 'run_2' }, { discard: true }));
    expect(cleaned).toMatchObject({ removed: ['node_b'], left: { code: 'E_WORKSPACE_READ' } });
    writeFileSync(record, 'damaged');
    await workspaces.clean({ run: 'run_2' });
    expect(has(bench, 'gone\n')).toBe(true);
    writeFileSync(record, JSON.stringify(written));
    await workspaces.clean({ run: 'run_2' });
    expect(has(bench, 'gone\n')).toBe(false);
  });

  it('while somebody else is at work, who is not held up for it', async () => {
    let isAt = () => {};
    let goOn = () => {};
    const arrived = new Promise<void>((resolve) => {
      isAt = resolve;
    });
    const bench = makeBench({
      git: 'none',
      fault: (point) => {
        if (point !== 'take.after') return undefined;
        isAt();
        return new Promise((resolve) => {
          goOn = resolve;
        });
      },
    });
    const { workspaces } = bench;
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'a.txt': 'two\n' });
    const taking = workspaces.take(at());
    await arrived;
    // Another process removes the whole run under its feet: the contents are what its diff is made of.
    const other = bench.again({ fault: () => undefined });
    expect(must(await other.clean({ run: RUN }, { discard: true }))).toMatchObject({
      removed: ['node_a'],
      left: { code: 'E_WORKSPACE_BUSY' },
    });
    goOn();
    expect(must(await taking).files).toEqual(['a.txt']);
    expect(await other.clean({ run: RUN })).toMatchObject({ ok: false });
    expect(contents(bench)).toEqual([]);
    expect(existsSync(join(store(bench), 'cuebook-ready'))).toBe(true);
  });

  it('and who comes in the middle of it waits for its end', async () => {
    const order: string[] = [];
    let coming: Promise<unknown> = Promise.resolve();
    const bench = makeBench({
      fault: async (point) => {
        if (point !== 'tidy.known') return;
        const other = bench.again({
          fault: (at) => {
            if (at === 'prepare.snapshot') order.push('worked');
          },
        });
        coming = other.prepare(at(own('node_b'), 1, 'run_2'));
        // It has seen that somebody wants to be alone, and stepped back; or it is at work.
        await expect.poll(() => order.length > 0 || hasSteppedBack(bench)).toBe(true);
        order.push('tidied');
      },
    });
    must(await bench.workspaces.prepare(at()));
    must(await bench.workspaces.clean({ run: RUN }, { discard: true }));
    expect(await coming).toMatchObject({ ok: true });
    expect(order).toEqual(['tidied', 'worked']);
    expect(fsck(bench)).toBe('');
  });
});

/** Whether there is a lock of somebody who works, and nobody holds it. */
function hasSteppedBack(bench: Bench): boolean {
  const users = join(store(bench), 'users');
  const texts = readdirSync(users).flatMap((user) =>
    readdirSync(join(users, user)).map((name) => readFileSync(join(users, user, name), 'utf8')),
  );
  return texts.includes('free');
}
