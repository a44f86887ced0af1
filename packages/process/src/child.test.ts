import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Child, type ChildOptions, startChild } from './child.js';
import { childEnvironment } from './environment.js';
import { readProcesses } from './process-table.js';

const cwd = mkdtempSync(join(tmpdir(), 'cuebook-child-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const env = childEnvironment(process.env, []);
const node = (code: string, more: Partial<ChildOptions> = {}): Child =>
  startChild({ command: process.execPath, args: ['-e', code], cwd, env, ...more });

async function allLines(child: Child): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  return lines;
}

async function firstLine(child: Child): Promise<string> {
  for await (const line of child.lines) return line;
  throw new Error(`no line; ${child.stderrTail()}`);
}

/** The clock goes on by a minute, after something; everything that is ready is done meanwhile. */
async function aMinuteAfter(event: Promise<unknown>): Promise<void> {
  await event;
  for (let second = 0; second < 60; second += 1) {
    vi.advanceTimersByTime(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A zombie is not alive: who ended the orphan of another cannot make its new parent look. */
async function alive(...pids: readonly (number | undefined)[]): Promise<readonly number[]> {
  const rows = (await readProcesses('no-such-mark-anywhere=')) ?? [];
  return rows.filter(({ pid, isZombie }) => pids.includes(pid) && !isZombie).map(({ pid }) => pid);
}

describe('a child', () => {
  it('speaks in lines and says how it ended', async () => {
    const child = node(
      'process.stdin.on("data", (d) => process.stdout.write(d)).on("end", () => process.exit(3))',
    );
    expect(await child.write('grüße\nzwei')).toEqual({ ok: true, value: undefined });
    child.endInput();
    expect(await allLines(child)).toEqual(['grüße', 'zwei']);
    expect(await child.exited).toEqual({ code: 3, signal: null });
  });

  it('keeps whole characters of every split', async () => {
    const child = node(
      'const b = Buffer.from("€𝄞ä\\n".repeat(50)); let i = 0; const next = () => i < b.length && process.stdout.write(b.subarray(i, ++i), next); next();',
    );
    expect(await allLines(child)).toEqual(Array.from({ length: 50 }, () => '€𝄞ä'));
  });

  it.each([
    ['a program that is not there', { command: 'no-such-program-anywhere' }, 'missing'],
    ['a folder that is not there', { cwd: join(cwd, 'nowhere') }, 'missing'],
    ['a file that is no program', { command: join(import.meta.dirname, 'child.ts') }, 'denied'],
    ['a command line of 4 MB', { args: ['x'.repeat(4 << 20)] }, 'too-big'],
    ['a zero byte', { args: ['a\0b'] }, 'start'],
  ] as const)('answers %s with a value', async (_title, more, kind) => {
    const child = node('', more);
    expect((await child.exited).failure?.kind).toBe(kind);
    expect(await allLines(child)).toEqual([]);
    expect((await child.write('x')).ok).toBe(false);
    child.endInput();
    await child.kill();
  });

  it('is cut off by a line past the limit', async () => {
    const child = node('process.stdout.write("ok\\n" + "x".repeat(5000)); setInterval(() => {}, 1e6)', {
      maxLineBytes: 1000,
    });
    expect(await allLines(child)).toEqual(['ok']);
    const { failure } = await child.exited;
    expect(failure).toEqual({ kind: 'line', limit: 1000 });
  });

  it('keeps little of a flood on standard error, and the end of it', async () => {
    const child = node('process.stderr.write("é".repeat(8 << 20) + "the end", () => process.exit(1))');
    expect(await allLines(child)).toEqual([]);
    expect((await child.exited).code).toBe(1);
    expect(Buffer.byteLength(child.stderrTail())).toBeLessThanOrEqual(8192);
    expect(child.stderrTail()).toMatch(/^é+the end$/);
  });

  it('answers a write to one that has closed its input', async () => {
    const child = node(
      'process.stdin.destroy(); require("fs").closeSync(0); console.log("closed"); setInterval(() => {}, 1e6)',
    );
    await firstLine(child);
    const written = [];
    for (let n = 0; n < 3; n += 1) written.push((await child.write('x'.repeat(200_000))).ok);
    expect(written.at(-1)).toBe(false);
    await child.kill();
  });

  it('is ended when its output, or input that it needs, is closed and it runs on', async () => {
    const both = { needsOutput: true, needsInput: true };
    const mute = node('require("fs").closeSync(1); setInterval(() => {}, 1e6)', both);
    expect((await mute.exited).failure).toEqual({ kind: 'mute' });
    const deaf = node('require("fs").closeSync(0); console.log("closed"); setInterval(() => {}, 1e6)', both);
    await firstLine(deaf);
    while ((await deaf.write('x'.repeat(200_000))).ok);
    expect((await deaf.exited).failure).toEqual({ kind: 'closed' });
    const over = node('require("fs").closeSync(1); setTimeout(() => process.exit(5), 10)', both);
    expect(await over.exited).toEqual({ code: 5, signal: null });
  });

  it('settles a write that is under way when the child is ended', async () => {
    const child = node('console.log("up"); setInterval(() => {}, 1e6)');
    await firstLine(child);
    const written = child.write('x'.repeat(8 << 20));
    await child.kill();
    expect((await written).ok).toBe(false);
  });

  it.each([
    ['at its first line', (line: number) => line === 0],
    ['now and then', (line: number) => line % 400 === 0],
  ])('that has ended is read to its end by a reader that is behind: %s', async (_name, isSlow) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // Written at once: of many small writes a pipe holds less, and the child would wait for its reader.
    const child = node('process.stdout.write(("x".repeat(70) + "\\n").repeat(2000))');
    const lines: string[] = [];
    for await (const line of child.lines) {
      if (isSlow(lines.length)) await aMinuteAfter(child.exited);
      lines.push(line);
    }
    expect(lines).toHaveLength(2000);
    expect((await child.exited).code).toBe(0);
  });

  it('does not go on with what a grandchild writes for ever', async () => {
    // It tells its number first, and its parent ends behind that: a full pipe takes no more words of either.
    const told = join(cwd, 'told');
    const script = `echo $$; : > "$0"; exec yes ${'y'.repeat(2000)}`;
    const child = node(
      `require("child_process").spawn("sh", ["-c", ${JSON.stringify(script)}, ${JSON.stringify(told)}], { stdio: ["ignore", "inherit", "ignore"], detached: true }).unref();
       while (!require("fs").existsSync(${JSON.stringify(told)}));
       process.exit(0);`,
    );
    const pids: number[] = [];
    for await (const line of child.lines) {
      if (/^\d+$/.test(line)) pids.push(Number(line));
      // It is always behind: that alone keeps it reading.
      await new Promise(setImmediate);
    }
    expect(pids).toHaveLength(1);
    await child.kill();
    try {
      process.kill(pids[0] as number, 'SIGKILL');
    } catch {
      // It ends by itself where its pipe is closed.
    }
  });

  it('does not wait for a grandchild that keeps standard output open', async () => {
    const child = node(
      'const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: ["ignore", "inherit", "ignore"], detached: true }); c.unref(); console.log(c.pid); process.exit(0)',
    );
    const [pid] = await allLines(child);
    expect((await child.exited).code).toBe(0);
    await child.kill();
    expect(await alive(Number(pid))).toEqual([]);
  });
});

// A grandchild in a session of its own that ignores SIGTERM, as agents' commands may; `orphan` also loses its parent.
const TREE = (isOrphan: boolean) => `
  process.on('SIGTERM', () => {});
  const { spawn } = require('child_process');
  const stubborn = "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1e6)";
  const options = { stdio: ['ignore', 'pipe', 'inherit'], detached: true };
  const middle = \`const c = require('child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    c.stdout.once('data', (d) => { console.log(process.pid + ' ' + String(d).trim()); ${isOrphan ? 'process.exit(0)' : ''} });\`;
  const m = spawn(process.execPath, ['-e', middle, stubborn], options);
  let out = '';
  m.stdout.on('data', (d) => { out += d; });
  ${isOrphan ? "m.once('exit', () => console.log(out.trim()));" : "m.stdout.once('data', () => console.log(out.trim()));"}
  setInterval(() => {}, 1e6);`;

describe.skipIf(process.platform !== 'linux')('ending a child', () => {
  it.each([
    ['its descendants in sessions of their own', false],
    ['one in the background whose parent has ended', true],
  ])('ends %s', async (_title, isOrphan) => {
    const child = node(TREE(isOrphan), { graceMs: 50 });
    const pids = (await firstLine(child)).split(' ').map(Number);
    const [middle = 0, last = 0] = pids;
    expect(await alive(middle, last)).toEqual(isOrphan ? [last] : [middle, last]);
    await child.kill();
    const left = await alive(child.pid, ...pids);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
    expect((await child.exited).signal).toBe('SIGKILL');
  });

  it('lets one that hears SIGTERM end by itself', async () => {
    const child = node(
      'process.on("SIGTERM", () => process.exit(7)); console.log("up"); setInterval(() => {}, 1e6)',
    );
    await firstLine(child);
    await child.kill();
    await child.kill();
    expect(await child.exited).toEqual({ code: 7, signal: null });
  });

  it('follows the abort of its signal, before and during', async () => {
    const during = new AbortController();
    const child = node('console.log("up"); setInterval(() => {}, 1e6)', { signal: during.signal });
    await firstLine(child);
    during.abort();
    expect((await child.exited).signal).toBe('SIGTERM');
    const early = node('setInterval(() => {}, 1e6)', { signal: AbortSignal.abort() });
    expect((await early.exited).signal).toBe('SIGTERM');
    expect(await allLines(early)).toEqual([]);
  });

  it('is asked for when this process ends in an orderly way, and only while the child runs', async () => {
    const before = process.listeners('exit');
    const child = node('console.log("up"); setInterval(() => {}, 1e6)');
    await firstLine(child);
    const added = process.listeners('exit').filter((listener) => !before.includes(listener));
    expect(added).toHaveLength(1);
    added[0]?.(0);
    expect((await child.exited).signal).toBe('SIGTERM');
    expect(process.listeners('exit')).toEqual(before);
  });

  it('does not touch a process beside it', async () => {
    const beside = node('console.log("up"); setInterval(() => {}, 1e6)');
    await firstLine(beside);
    const child = node('console.log("up"); setInterval(() => {}, 1e6)');
    await firstLine(child);
    await child.kill();
    expect(await alive(beside.pid)).toEqual([beside.pid]);
    await beside.kill();
  });
});
