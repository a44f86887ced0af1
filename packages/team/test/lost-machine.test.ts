import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunId } from '@cuebook/journal';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { itInTurn as it, itInSoak, sampled } from '../../../test/runs.js';
import type { TeamState } from '../src/run/state.js';
import type { ChildTask } from './child/task.js';
import { type Act, cliConfig, cliStand, SCRIPTED_CLI } from './cli-stand.js';
import { call, nodeOf, onMachine, startRun, until } from './host-stand.js';

let child: ChildProgram;
const roots: string[] = [];
beforeAll(async () => {
  child = await buildProgram(new URL('./child/cli-program.ts', import.meta.url));
});
afterAll(() => {
  child.remove();
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

const LEASE_MS = 60_000;
const isThere = (state: TeamState): boolean =>
  state.doubts.length > 0 || (nodeOf(state, 'dev').work === null && nodeOf(state, 'dev').lastTurn === 2);
const MADE: readonly Act[] = [
  { write: { path: 'made.txt', content: 'by the first machine' } },
  { text: `Done.\n${call('read_file', { path: 'a.txt' })}` },
];

function begin(
  acts: readonly Act[],
  more: Partial<ChildTask> = {},
): { readonly root: string; readonly host: ChildProcess } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'team-machine-')));
  roots.push(root);
  for (const folder of ['project', 'home']) mkdirSync(join(root, folder), { mode: 0o700 });
  writeFileSync(join(root, 'project', 'a.txt'), 'the text of a\n');
  const lanes = { dev: [acts, [{ write: { path: 'second.txt', content: 'two' } }, { text: 'Read.' }]] };
  writeFileSync(join(root, 'script.json'), JSON.stringify({ lanes: { ...lanes, '*': [] } }));
  const task: ChildTask = { root, leaseMs: LEASE_MS, machine: 'one', ...more };
  const env = { ...process.env, SCRIPTED_CLI };
  return {
    root,
    host: spawn(process.execPath, [child.program, JSON.stringify(task)], { stdio: 'inherit', env }),
  };
}

/** The first machine is gone with all that was on its disk, and another one goes on. */
async function elsewhere(root: string) {
  rmSync(join(root, 'home-one'), { recursive: true, force: true });
  const stand = await cliStand({ root, limits: { leaseMs: LEASE_MS } });
  const host = await stand.open(onMachine(stand, 'two'));
  const [row] = await host.runs();
  const run = row?.run as RunId;
  const folder = (state: TeamState) => join(root, 'home-two/workspaces', run, nodeOf(state, 'dev').node.id);
  const end = async () => {
    await stand.stopAll();
    await stand.store.close();
  };
  return { stand, host, run, folder, end };
}

describe('a machine that is lost with an agent on a command line', () => {
  itInSoak.each(
    sampled(
      [
        { part: 'host', point: 'turn.composed' },
        { part: 'workspace', point: 'prepare.folder' },
      ] as const,
      1,
    ),
  )('before anything was sent ($point): the turn is taken elsewhere, once', async (moment) => {
    const { root, host: first } = begin(MADE, { kill: { ...moment, hit: 1 } });
    expect((await once(first, 'exit'))[1]).toBe('SIGKILL');
    const { stand, host, run, folder, end } = await elsewhere(root);
    const state = await until(host, run, isThere);
    expect(state.doubts).toEqual([]);
    expect(stand.heard('dev')).toHaveLength(2);
    expect(readFileSync(join(folder(state), 'made.txt'), 'utf8')).toBe('by the first machine');
    await end();
  });

  it.each(
    sampled(
      [
        { part: 'host', point: 'turn.taken' },
        { part: 'workspace', point: 'keep.marked' },
      ] as const,
      1,
    ),
  )(
    'after its work was kept ($point): the turn is not taken again, and its files are there',
    async (moment) => {
      const { root, host: first } = begin(MADE, { kill: { ...moment, hit: 1 } });
      expect((await once(first, 'exit'))[1]).toBe('SIGKILL');
      const { stand, host, run, folder, end } = await elsewhere(root);
      const state = await until(host, run, isThere);
      expect(state.doubts).toEqual([]);
      const heard = stand.heard('dev');
      expect(heard).toHaveLength(2);
      expect(heard[1]?.prompt).toContain('the text of a');
      for (const [file, text] of Object.entries({ 'made.txt': 'by the first machine', 'second.txt': 'two' }))
        expect(readFileSync(join(folder(state), file), 'utf8')).toBe(text);
      await end();
    },
  );

  it('after its answer and before its work was kept: a person is asked', async () => {
    const { root, host: first } = begin(MADE, { kill: { part: 'workspace', point: 'keep.sent', hit: 1 } });
    expect((await once(first, 'exit'))[1]).toBe('SIGKILL');
    const { stand, host, run, folder, end } = await elsewhere(root);
    const asked = await until(host, run, isThere);
    expect(asked.doubts).toHaveLength(1);
    const effect = asked.doubts[0] ?? '';
    await host.submit(run, { type: 'effect.resolve', effect, outcome: 'not-done', by: 'ann', id: 'r' });
    const state = await until(host, run, (now) => nodeOf(now, 'dev').work === null);
    expect(stand.heard('dev')).toHaveLength(2);
    // The scripted agent goes on in its script: what it wrote on the first machine went with it.
    expect(existsSync(join(folder(state), 'second.txt'))).toBe(true);
    expect(existsSync(join(folder(state), 'made.txt'))).toBe(false);
    await end();
  });

  it('between two turns: the conversation is told anew, with its files, and the record says so', async () => {
    const stand = await cliStand({ files: { 'a.txt': 'a\n' }, git: true });
    roots.push(stand.root);
    stand.script({
      dev: [
        [{ write: { path: 'made.txt', content: 'one' } }, { text: 'FIRST WORDS' }],
        [{ write: { path: 'second.txt', content: 'two' } }, { text: 'Again.' }],
        [{ text: 'Third.' }],
      ],
    });
    const team =
      'goal: Work.\nmode: INTERACTIVE\nprovider: cli\nnodes: [{ alias: dev, role: implementer }]\n';
    const one = await stand.open(onMachine(stand, 'one'));
    const run = await startRun(one, { team: { text: team } });
    const turn = (count: number) => (state: TeamState) =>
      nodeOf(state, 'dev').work === null && nodeOf(state, 'dev').lastTurn === count;
    const { id: node } = nodeOf(await until(one, run, turn(1)), 'dev').node;
    await stand.stopAll('wait');
    rmSync(join(stand.root, 'home-one'), { recursive: true });
    const two = await stand.open(onMachine(stand, 'two'));
    for (const [count, text] of [
      [2, 'More.'],
      [3, 'And more.'],
    ] as const) {
      await two.submit(run, { type: 'node.message', node, text, by: 'ann', id: text });
      await until(two, run, turn(count));
    }
    const heard = stand.heard('dev');
    expect(heard.map(({ promptKind }) => promptKind)).toEqual(['full', 'full', 'delta']);
    expect(heard[1]?.prompt).toContain('FIRST WORDS');
    const moves = (await stand.store.read(run)).filter(({ type }) => type === 'session.moved');
    expect(moves.map(({ data }) => data)).toMatchObject([{ node, from: 'one', to: 'two', carried: false }]);
    const folder = join(stand.root, 'home-two/workspaces', run, node);
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('one');
    const applied = await two.work.apply({ run });
    expect(applied.ok && applied.value.files.map(({ path }) => path)).toEqual(['made.txt', 'second.txt']);
    await stand.stopAll();
    await stand.store.close();
  });

  it('between two turns of an agent whose sessions are files: the session goes on with them, and the record says so', async () => {
    const stand = await cliStand({ files: { 'a.txt': 'a\n' }, git: true });
    roots.push(stand.root);
    stand.script({ dev: [[{ text: 'FIRST WORDS' }], [{ text: 'Again.' }], [{ text: 'Third.' }]] });
    const team =
      'goal: Work.\nmode: INTERACTIVE\nprovider: cli\nnodes: [{ alias: dev, role: implementer }]\n';
    const on = (name: string) => {
      const at = (each: string) => join(stand.root, each);
      const config = cliConfig(at('script.json'), at('heard.jsonl'), at(`sessions-${name}`));
      return stand.open({
        ...onMachine(stand, name),
        providers: { ...stand.options.providers, config },
      });
    };
    const one = await on('one');
    const run = await startRun(one, { team: { text: team } });
    const turn = (count: number) => (state: TeamState) =>
      nodeOf(state, 'dev').work === null && nodeOf(state, 'dev').lastTurn === count;
    const { id: node } = nodeOf(await until(one, run, turn(1)), 'dev').node;
    await stand.stopAll('wait');
    for (const lost of ['home-one', 'sessions-one']) rmSync(join(stand.root, lost), { recursive: true });
    const two = await on('two');
    await two.submit(run, { type: 'node.message', node, text: 'More.', by: 'ann', id: 'more' });
    await until(two, run, turn(2));
    const heard = stand.heard('dev');
    expect(heard.map(({ promptKind }) => promptKind)).toEqual(['full', 'delta']);
    expect(heard[1]?.sessionId).toBe(heard[0]?.sessionId);
    expect(heard[1]?.remembers).toContain('FIRST WORDS');
    // The folder is another one on this machine.
    expect(heard[1]?.remembers).toContain(join(stand.root, 'home-two/workspaces', run, node));
    expect(heard[1]?.remembers).not.toContain('home-one');
    await stand.stopAll('wait');
    // A third machine, to which the second turn did not come: what the first kept is of before.
    const kept = await stand.options.home.readText(`runs/${run}/work/${node}.session`);
    expect(kept.ok).toBe(true);
    await stand.options.home.remove(`runs/${run}/work/${node}.session`);
    const three = await on('three');
    await three.submit(run, { type: 'node.message', node, text: 'Still more.', by: 'ann', id: 'still' });
    await until(three, run, turn(3));
    expect(stand.heard('dev')[2]).toMatchObject({ promptKind: 'full' });
    const moves = (await stand.store.read(run)).filter(({ type }) => type === 'session.moved');
    expect(moves.map(({ data }) => data)).toMatchObject([
      { node, from: 'one', to: 'two', carried: true },
      { node, from: 'two', to: 'three', carried: false },
    ]);
    await stand.stopAll();
    await stand.store.close();
  });

  itInSoak(
    'in the middle of a turn: a person is asked, and one that could only read is taken again',
    async () => {
      for (const reads of [false, true]) {
        const { root, host: first } = begin([{ text: 'at it' }, { waitFor: 'never' }], { reads });
        while (!existsSync(join(root, 'heard.jsonl'))) await wait(20);
        first.kill('SIGKILL');
        await once(first, 'exit');
        const { host, run, end } = await elsewhere(root);
        const settled = (now: TeamState) => now.doubts.length > 0 || nodeOf(now, 'dev').work === null;
        const state = await until(host, run, settled);
        expect(state.doubts).toHaveLength(reads ? 0 : 1);
        await end();
      }
    },
  );
});
