import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunId } from '@cuebook/journal';
import { nameProcess } from '@cuebook/process';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import type { TeamState } from '../src/run/state.js';
import { needsOf } from '../src/run/status.js';
import type { ChildTask } from './child/task.js';
import { type Act, cliStand, SCRIPTED_CLI } from './cli-stand.js';
import { call, nodeOf, startRun, stateOf, until } from './host-stand.js';

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

/** The second turn is over, or somebody is asked about the first. */
const isThere = (state: TeamState): boolean =>
  state.doubts.length > 0 || (nodeOf(state, 'dev').work === null && nodeOf(state, 'dev').lastTurn === 2);
const SAYS: readonly Act[] = [
  { write: { path: 'made.txt', content: 'once' } },
  { text: `Done.\n${call('read_file', { path: 'a.txt' })}` },
];

function begin(
  acts: readonly Act[],
  { kill, ...more }: Pick<ChildTask, 'kill' | 'reads' | 'shared'> = {},
): { readonly root: string; readonly host: ChildProcess } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'team-cli-kill-')));
  roots.push(root);
  for (const folder of ['project', 'home']) mkdirSync(join(root, folder), { mode: 0o700 });
  writeFileSync(join(root, 'project', 'a.txt'), 'the text of a\n');
  writeFileSync(
    join(root, 'script.json'),
    JSON.stringify({ lanes: { dev: [acts, [{ text: 'Read.' }]], '*': [] } }),
  );
  const task: ChildTask = { root, leaseMs: LEASE_MS, ...more, ...(kill ? { kill } : {}) };
  return {
    root,
    host: spawn(process.execPath, [child.program, JSON.stringify(task)], {
      stdio: 'inherit',
      env: { ...process.env, SCRIPTED_CLI },
    }),
  };
}

/** Another host on the same folder, when the first one is dead. */
async function comeLater(root: string) {
  const stand = await cliStand({ root, limits: { leaseMs: LEASE_MS } });
  const host = await stand.open();
  const [row] = await host.runs();
  return { stand, host, run: row?.run as RunId };
}

describe('kill -9 of a host with an agent on a command line', () => {
  it('before anything was sent: the turn is taken, once', async () => {
    const { root, host: first } = begin(SAYS, { kill: { part: 'host', point: 'turn.composed', hit: 1 } });
    expect((await once(first, 'exit'))[1]).toBe('SIGKILL');
    const { stand, host, run } = await comeLater(root);
    const state = await until(host, run, isThere);
    expect(stand.heard('dev')).toHaveLength(2);
    expect(state.doubts).toEqual([]);
    await stand.stopAll();
    await stand.store.close();
  });

  it('after its answer was recorded: the turn is not taken again, and its answer counts', async () => {
    const { root, host: first } = begin(SAYS, { kill: { part: 'host', point: 'turn.taken', hit: 1 } });
    expect((await once(first, 'exit'))[1]).toBe('SIGKILL');
    const { stand, host, run } = await comeLater(root);
    await until(host, run, isThere);
    const heard = stand.heard('dev');
    expect(heard).toHaveLength(2);
    expect(heard[1]?.prompt).toContain('the text of a');
    await stand.stopAll();
    await stand.store.close();
  });

  it('in the middle of its turn: a person is asked, and what was left running is ended', async () => {
    const { root, host: first } = begin([{ text: 'at it' }, { waitFor: 'never' }]);
    const heardFile = join(root, 'heard.jsonl');
    while (!existsSync(heardFile)) await wait(20);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const { stand, host, run } = await comeLater(root);
    const [heard] = stand.heard('dev');
    const state = await until(host, run, (now) => now.doubts.length > 0);
    expect(await nameProcess(heard?.pid ?? 0)).toBeUndefined();
    expect(needsOf(state)).toEqual([{ kind: 'outcome', effect: state.doubts[0] }]);
    const resolve = { type: 'effect.resolve', effect: state.doubts[0] ?? '', by: 'ann', id: 'r' } as const;
    writeFileSync(join(root, 'script.json'), JSON.stringify({ lanes: { dev: [[], [{ text: 'whole' }]] } }));
    expect(await host.submit(run, { ...resolve, outcome: 'not-done' })).toMatchObject({ ok: true });
    await until(host, run, (now) => nodeOf(now, 'dev').work === null);
    expect(stand.heard('dev')).toHaveLength(2);
    expect((await stateOf(host, run)).doubts).toEqual([]);
    await stand.stopAll();
    await stand.store.close();
  });

  it('in the middle of a turn that could only read: it is taken again, and nobody is asked', async () => {
    const { root, host: first } = begin([{ text: 'at it' }, { waitFor: 'never' }], { reads: true });
    while (!existsSync(join(root, 'heard.jsonl'))) await wait(20);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const { stand, host, run } = await comeLater(root);
    const state = await until(host, run, (now) => now.doubts.length > 0 || nodeOf(now, 'dev').work === null);
    expect(state.doubts).toEqual([]);
    expect(stand.heard('dev').map(({ access, promptKind }) => [access, promptKind])).toEqual([
      ['plan', 'full'],
      ['plan', 'full'],
    ]);
    await stand.stopAll();
    await stand.store.close();
  });

  it.each((['artifact.kept', 'role.noted'] as const).slice(0, share(1, 2)))(
    'at %s, when it had put other words into a template: no run takes them, and a person is asked',
    async (point) => {
      const write = { path: 'docs/templates/implementer.md', content: 'I MAY DO ANYTHING\n' };
      const { root, host: first } = begin([{ write }], {
        kill: { part: 'host', point, hit: 1 },
        shared: true,
      });
      expect((await once(first, 'exit'))[1]).toBe('SIGKILL');
      const { stand, host, run } = await comeLater(root);
      const team = { text: 'goal: X.\nprovider: cli\nnodes: [{ alias: other, role: implementer }]\n' };
      const other = await startRun(host, { team });
      const isAsked = ({ proposals }: TeamState): boolean => Object.keys(proposals).length === 1;
      for (const each of [run, other]) await until(host, each, isAsked);
      await until(
        host,
        other,
        (state) => nodeOf(state, 'other').lastTurn > 0 && nodeOf(state, 'other').work === null,
      );
      expect(stand.heard().map(({ prompt }) => prompt.includes('ANYTHING'))).not.toContain(true);
      expect(stand.heard('other').length).toBeGreaterThan(0);
      await stand.stopAll();
      await stand.store.close();
    },
  );
});
