import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { type Child, startChild } from './child.js';
import {
  endLeftChildren,
  nameProcess,
  noteOfThisProcess,
  type ProcessName,
  watchChildren,
} from './children.js';
import { NO_MARK } from './mark.js';
import { readProcesses } from './process-table.js';

const WAITS = 'process.stdout.write("up\\n"); setInterval(() => undefined, 1e6)';
const started: Child[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) await child.kill();
});

async function ours(): Promise<{ readonly child: Child; readonly name: ProcessName }> {
  const env = { PATH: process.env.PATH ?? '' };
  const child = startChild({ command: process.execPath, args: ['-e', WAITS], cwd: tmpdir(), env });
  started.push(child);
  for await (const line of child.lines) if (line === 'up') break;
  const name = await nameProcess(child.pid ?? 0);
  if (name === undefined) throw new Error('not listed');
  return { child, name };
}

const DEAD = { pid: process.pid, start: 'long ago' };

it('what a killed process has left is found by its mark and ended', async () => {
  const [{ child }, note] = [await ours(), await noteOfThisProcess()];
  if (note === undefined) throw new Error('not listed');
  expect(await endLeftChildren({ ...note, owner: DEAD })).toBe(1);
  expect((await child.exited).signal).toBe('SIGTERM');
});

it('a process is named as the list of all processes has it, and a thread is none', async () => {
  const { child, name } = await ours();
  const rows = (await readProcesses(NO_MARK)) ?? [];
  const row = rows.find(({ pid }) => pid === child.pid);
  expect(name).toEqual({ pid: row?.pid, start: row?.start });
  expect(await nameProcess(2 ** 30)).toBeUndefined();
  if (process.platform !== 'linux') return;
  const threads = readdirSync(`/proc/${child.pid}/task`).filter((id) => Number(id) !== child.pid);
  expect(threads).not.toEqual([]);
  expect(await Promise.all(threads.map((id) => nameProcess(Number(id))))).toEqual(
    threads.map(() => undefined),
  );
});

it('nothing is ended while the owner lives', async () => {
  const { child } = await ours();
  const note = await noteOfThisProcess();
  if (note === undefined) throw new Error('not listed');
  expect(await endLeftChildren(note)).toBe('alive');
  expect(await nameProcess(child.pid ?? 0)).toBeDefined();
});

it('where no mark is seen, number and start time tell a child; the number alone does not', async () => {
  const bystander = spawn(process.execPath, ['-e', WAITS], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(bystander.stdout, 'data');
  const name = await nameProcess(bystander.pid ?? 0);
  if (name === undefined) throw new Error('not listed');
  const mark = 'CUEBOOK_CHILD=of-nobody.';
  const reused = { ...name, start: 'another time' };
  expect(await endLeftChildren({ owner: DEAD, mark, children: [reused] })).toBe(0);
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  const gone = once(bystander, 'exit');
  expect(await endLeftChildren({ owner: DEAD, mark, children: [name] })).toBe(1);
  expect((await gone)[1]).toBe('SIGTERM');
});

it('a listener hears of each child until it leaves', async () => {
  const heard: number[] = [];
  const leave = watchChildren((pid) => heard.push(pid));
  const { child } = await ours();
  leave();
  await ours();
  expect(heard).toEqual([child.pid]);
});
