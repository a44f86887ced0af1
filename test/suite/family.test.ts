import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { familyIn } from '../../scripts/family/process-table.mjs';
import { ROOT } from '../root.js';
import { isRunning } from '../running.js';
import { filesUnder } from '../workspaces.js';

// Starts what scripts start, each in a way in which one process outlives another, and tells all their numbers.
const SCRIPT = `
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepFamily } from '${join(ROOT, 'scripts/family/keep.mjs')}';
const folder = mkdtempSync(join(tmpdir(), 'family-'));
keepFamily(folder);
const pids = [];
const start = (args, options) => { const child = spawn(process.execPath, ['-e', ...args], { stdio: ['ignore', 'pipe', 'ignore'], ...options }); pids.push(child.pid); return child; };
const stay = 'setInterval(() => {}, 1e6); process.stdout.write("up ");';
const children = [
  start([stay]),
  start([stay], { detached: true }),
  start([stay], { env: { PATH: process.env.PATH } }),
  start(['for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});' + stay], { detached: true }),
  start(['const { spawn } = require("node:child_process"); const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { detached: true, stdio: "ignore", env: {} }); process.stdout.write(child.pid + " up "); ' + stay]),
  start(['const { spawn } = require("node:child_process"); const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { detached: true, stdio: "ignore" }); child.unref(); process.stdout.write(child.pid + " up ");']),
];
await Promise.all(children.map(({ stdout }) => new Promise((resolve) => {
  let text = '';
  stdout.on('data', (part) => { text += part; for (const [number] of text.matchAll(/\\d+/g)) pids.push(Number(number)); if (text.includes('up')) resolve(); });
})));
// The warden looks every so often: whoever it has seen once it knows.
await new Promise((resolve) => setTimeout(resolve, 1_500));
console.log(JSON.stringify({ folder, pids: [...new Set(pids)], warden: Number(process.env.CUEBOOK_WARDEN) }));
if (process.argv.includes('done')) process.exit(0);
setInterval(() => {}, 1e6);
`;

interface Told {
  readonly folder: string;
  readonly pids: readonly number[];
  readonly warden: number;
}

async function begin(
  ...args: readonly string[]
): Promise<{ readonly script: ChildProcess; readonly told: Told }> {
  const script = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const part of script.stdout) {
    text += String(part);
    if (text.includes('\n')) break;
  }
  return { script, told: JSON.parse(text) as Told };
}

// They mostly wait, so they wait side by side.
describe.concurrent('what a script of ours started', () => {
  it.for(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'ends with it when it gets %s: children, those in sessions of their own, those of the dead, and its folder',
    async (signal, { expect }) => {
      const { script, told } = await begin();
      expect(told.pids.length).toBeGreaterThanOrEqual(8);
      expect(told.pids.filter(isRunning).length).toBeGreaterThanOrEqual(7);
      script.kill(signal);
      if (script.exitCode === null && script.signalCode === null) await once(script, 'exit');
      // Told to end, it ends last; killed, it cannot wait for the others.
      if (signal !== 'SIGKILL') expect(told.pids.filter(isRunning)).toEqual([]);
      await expect.poll(() => [...told.pids, told.warden].filter(isRunning)).toEqual([]);
      expect(existsSync(told.folder)).toBe(false);
    },
  );

  it('ends with it when it is done', async ({ expect }) => {
    const { told } = await begin('done');
    await expect.poll(() => [...told.pids, told.warden].filter(isRunning)).toEqual([]);
  });

  it('is kept together by every script that runs for long', () => {
    const scripts = filesUnder('scripts', ['.mjs']).filter((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return /node-version\.mjs'/.test(text) && /\bawait (?:ensureInstalled|runSuite)\(/.test(text);
    });
    expect(scripts).toEqual(
      expect.arrayContaining(['scripts/ci.mjs', 'scripts/mutants.mjs', 'scripts/soak.mjs']),
    );
    const loose = scripts.filter((file) => !/keepFamily\(\)/.test(readFileSync(join(ROOT, file), 'utf8')));
    // The server of `npm start` is told to end by its own rules.
    expect(loose).toEqual(
      ['scripts/install.mjs', 'scripts/start.mjs'].filter((file) => scripts.includes(file)),
    );
  });
});

describe('a family of processes', () => {
  const row = (pid: number, parent: number, start = 'a') => ({ pid, parent, start });

  it('is the known ones that are the same still, and their descendants', () => {
    const now = [row(1, 0), row(2, 1), row(3, 2), row(4, 1), row(5, 4), row(6, 9)];
    const known = new Map([
      [2, 'a'],
      [6, 'a'],
    ]);
    expect(
      familyIn(now, known)
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([2, 3, 6]);
  });

  it('has no stranger who got the number of one that ended', () => {
    expect(familyIn([row(2, 1, 'later'), row(3, 2)], new Map([[2, 'a']]))).toEqual([]);
  });
});
