import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interleaved } from '../../../../test/interleaved.js';
import { itInTurn, runs, itInTurn as test } from '../../../../test/runs.js';
import { makeBench, own, plant, RUN } from '../../test/bench.js';
import type { Workspaces } from '../contract.js';
import { reachRemote } from './repository.js';

/** Machines that have nothing in common but a repository and the files that the store shares. */
async function makeMachines() {
  const bench = makeBench({ tree: { 'a.txt': 'one\n', 'b/c.txt': 'see\n' } });
  const address = join(bench.top, 'workspaces.git');
  execFileSync('git', ['init', '--quiet', '--bare', address]);
  const shared = await openFolder(join(bench.top, 'shared'), { create: true });
  if (!shared.ok) throw new Error(shared.error.code);
  const on = (name: string): Workspaces => {
    const home = join(bench.top, name);
    mkdirSync(home, { recursive: true });
    const machine = async () => name;
    return bench.again({ home, remote: { address, shared: shared.value, machine, project: 'prj_1' } });
  };
  return { ...bench, address, shared: shared.value, on };
}

const NODE = own();
const at = (token: number) => ({ run: RUN, node: NODE, token });
const turn = (number: number) => ({ run: RUN, node: NODE, turn: number });
const folder = (workspaces: Workspaces) => workspaces.folderOf(RUN, NODE);
const refs = (address: string): readonly string[] =>
  execFileSync('git', ['for-each-ref', '--format=%(refname)'], { cwd: address })
    .toString()
    .split('\n')
    .filter(Boolean);

describe('workspaces of several machines', () => {
  test('another machine goes on with the files, whatever they are, and the first one again with those of the other', async () => {
    const { on } = await makeMachines();
    const name = fc.stringMatching(/^[a-z][a-z0-9 .é]{0,8}[a-z]$/).filter((each) => !each.includes('..'));
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom({ link: 'a.txt' }, { link: '../outside' }, { exec: '#!/bin/sh\n' }),
    );
    let step = 0;
    const sites = [on('one'), on('two'), on('three')];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, content, { maxKeys: 4 }), fc.nat(2), async (tree, site) => {
        step += 1;
        const here = sites[site] as Workspaces;
        const next = sites[(site + 1) % 3] as Workspaces;
        expect(await here.bring(at(2 * step))).toMatchObject({ ok: true });
        expect(await here.prepare(turn(step))).toMatchObject({ ok: true });
        for (const path of Object.keys(tree))
          rmSync(join(folder(here), path), { recursive: true, force: true });
        plant(
          folder(here),
          Object.fromEntries(Object.entries(tree).map(([path, value]) => [path, value as never])),
        );
        expect(await here.take(turn(step))).toMatchObject({ ok: true });
        expect(await here.keep(at(2 * step))).toMatchObject({ ok: true });
        expect(await next.bring(at(2 * step + 1))).toMatchObject({ ok: true });
        expect(await next.mayLack(turn(step))).toBe(false);
        for (const path of [...Object.keys(tree), 'b/c.txt'])
          expect(look(join(folder(next), path)), path).toEqual(look(join(folder(here), path)));
      }),
      runs(30, 150),
    );
  });

  it('a node begins on every machine with the project as it was when its run did', async () => {
    const { on, project } = await makeMachines();
    writeFileSync(join(project, 'a.txt'), 'not committed\n');
    const begun = await on('one').begin(RUN);
    expect(begun).toMatchObject({ ok: true, value: expect.stringMatching(/^[0-9a-f]{40}$/) });
    writeFileSync(join(project, 'a.txt'), 'of a later version\n');
    writeFileSync(join(project, 'later.txt'), 'later\n');
    expect(await on('three').begin(RUN)).toEqual(begun);
    const two = on('two');
    await two.bring(at(1));
    expect(await two.prepare(turn(1))).toMatchObject({ ok: true });
    expect(readFileSync(join(folder(two), 'a.txt'), 'utf8')).toBe('not committed\n');
    expect(existsSync(join(folder(two), 'later.txt'))).toBe(false);
  });

  itInTurn(
    'of machines with other files that begin one run at the same moment one is first, and its files are there for all',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), async (order) => {
          const { top, address, shared, on, again } = await makeMachines();
          const beginning = (name: string) => {
            const [home, project] = [join(top, name), join(top, `project-${name}`)];
            for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
            writeFileSync(join(project, 'a.txt'), `of ${name}\n`);
            const slow = interleaved(order, shared, ['readText', 'writeText']);
            const machine = async () => name;
            return again({
              home,
              project,
              remote: { address, shared: slow, machine, project: 'prj_1' },
            }).begin(RUN);
          };
          const begun = await order.waitFor(Promise.all(['one', 'two', 'three'].map(beginning)));
          expect(begun[0]).toMatchObject({ ok: true });
          for (const each of begun) expect(each).toEqual(begun[0]);
          const later = on('later');
          await later.bring(at(1));
          expect(await later.prepare(turn(1))).toMatchObject({ ok: true });
          const text = readFileSync(join(folder(later), 'a.txt'), 'utf8');
          expect(['of one\n', 'of two\n', 'of three\n']).toContain(text);
          expect(refs(address)).toHaveLength(1);
          await later.keep(at(1));
          await later.clean({ run: RUN });
          expect(refs(address)).toEqual([]);
        }),
        runs(20, 100),
      );
    },
  );

  it('a holder that lost the run writes over nobody', async () => {
    const { on, address } = await makeMachines();
    const [one, two] = [on('one'), on('two')];
    await one.prepare(turn(1));
    writeFileSync(join(folder(one), 'made.txt'), 'by one');
    await one.keep(at(1));
    await two.bring(at(2));
    writeFileSync(join(folder(two), 'made.txt'), 'by two');
    expect(await two.keep(at(2))).toMatchObject({ ok: true });
    writeFileSync(join(folder(one), 'made.txt'), 'late');
    expect(await one.keep(at(1))).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_MOVED' } });
    await one.bring(at(3));
    expect(readFileSync(join(folder(one), 'made.txt'), 'utf8')).toBe('by two');
    expect(refs(address)).toEqual([1, 2].map((token) => `refs/cuebook/prj_1/${RUN}/${NODE.id}/${token}`));
  });

  it('nothing is sent where nothing has changed, and what was taken away meanwhile is no harm', async () => {
    const { on, address } = await makeMachines();
    const one = on('one');
    await one.prepare(turn(1));
    await one.keep(at(1));
    const before = execFileSync('git', ['rev-parse', refs(address)[0] ?? ''], { cwd: address }).toString();
    await one.keep(at(1));
    await one.clean({ run: 'run_none' });
    writeFileSync(join(folder(one), 'made.txt'), 'more');
    expect(execFileSync('git', ['rev-parse', refs(address)[0] ?? ''], { cwd: address }).toString()).toBe(
      before,
    );
    expect(await one.keep(at(1))).toMatchObject({ ok: true });
    const two = on('two');
    await two.bring(at(2));
    expect(readFileSync(join(folder(two), 'made.txt'), 'utf8')).toBe('more');
  });

  it('a commit that an agent made comes with its files, and the set-up is run again', async () => {
    const { on } = await makeMachines();
    const one = on('one');
    await one.prepare(turn(1), { setup: 'echo ready > set-up.txt' });
    writeFileSync(join(folder(one), 'made.txt'), 'committed');
    const git = (at: Workspaces, ...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: folder(at),
      }).toString();
    git(one, 'add', 'made.txt');
    git(one, 'commit', '--quiet', '--message', 'By the agent');
    await one.keep(at(1));
    const two = on('two');
    await two.bring(at(2), { setup: 'echo again > set-up.txt' });
    expect(git(two, 'log', '-1', '--format=%s').trim()).toBe('By the agent');
    expect(readFileSync(join(folder(two), 'set-up.txt'), 'utf8')).toBe('again\n');
  });

  it('a person applies at one machine what was made at another, and cleaning leaves nothing in the repository', async () => {
    const { on, address, project } = await makeMachines();
    const one = on('one');
    await one.begin(RUN);
    await one.prepare(turn(1));
    writeFileSync(join(folder(one), 'made.txt'), 'work');
    await one.take(turn(1));
    await one.keep(at(1));
    const two = on('two');
    expect(await two.views(RUN)).toMatchObject({ ok: true, value: [{ unapplied: 1 }] });
    expect(await two.apply({ run: RUN })).toMatchObject({ ok: true, value: { conflicts: [] } });
    expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('work');
    expect(await two.clean({ run: RUN })).toMatchObject({ ok: true, value: { removed: [NODE.id] } });
    expect(refs(address)).toEqual([]);
  });

  it.each(['bring.fetched', 'bring.noted', 'prepare.folder', 'prepare.filled'] as const)(
    'whoever is killed at %s is followed by one who makes the folder whole',
    async (point) => {
      const { on, again, top, address } = await makeMachines();
      const one = on('one');
      await one.prepare(turn(1));
      writeFileSync(join(folder(one), 'made.txt'), 'work');
      await one.keep(at(1));
      const shared = await openFolder(join(top, 'shared'));
      if (!shared.ok) throw new Error(shared.error.code);
      const remote = { address, shared: shared.value, machine: async () => 'two', project: 'prj_1' };
      const fault = (reached: string) => {
        if (reached === point) throw new Error('killed');
      };
      const killed = again({ home: join(top, 'two'), remote, fault });
      await expect(killed.bring(at(2))).rejects.toThrow('killed');
      const two = on('two');
      expect(await two.bring(at(3))).toMatchObject({ ok: true });
      expect(readFileSync(join(folder(two), 'made.txt'), 'utf8')).toBe('work');
      expect(existsSync(join(folder(two), 'b/c.txt'))).toBe(true);
    },
  );
});

describe('the repository of workspaces', () => {
  const reach = (address: string) =>
    reachRemote(address, { env: { PATH: process.env.PATH ?? '' }, cwd: '/' });

  it.each([
    '',
    'relative',
    '-x',
    '--upload-pack=touch /tmp/x',
    'ext::sh -c true',
    'a b',
    'x\n/y',
    'file://-x',
  ])('%j is no address', async (address) => {
    expect(await reach(address)).toMatchObject({
      ok: false,
      error: { code: 'E_WORKSPACE_REMOTE', message: expect.stringMatching(/absolute path/) },
    });
  });

  it('says why it cannot be used, and never its address', async () => {
    const address = 'http://ann:secret@127.0.0.1:1/none.git';
    for (const each of [address, '/no/such/folder']) {
      const reached = await reach(each);
      expect(reached).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_REMOTE' } });
      expect(JSON.stringify(reached)).not.toMatch(/secret|such/);
    }
  });
});

/** What is at a path: its kind, its rights to be run, its bytes. */
function look(path: string): unknown {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return ['link', readlinkSync(path)];
  return [stat.mode & 0o100, readFileSync(path).toString('base64')];
}
