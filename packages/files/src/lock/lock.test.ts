import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { share } from '../../../../test/runs.js';
import type { Files } from '../contract.js';
import { openFolder } from '../files.js';
import { isLocked, withLock } from './lock.js';
import { livingState, ownMark } from './process-mark.js';

const OUT = fileURLToPath(new URL(`../../node_modules/.cache/lock-${process.pid}`, import.meta.url));
beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('../../test/lock-child.ts', import.meta.url)),
      outDir: OUT,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'child.mjs' } },
    },
  });
});
afterAll(() => rmSync(OUT, { recursive: true, force: true }));

async function makeFolder() {
  const root = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = await openFolder(root);
  if (!files.ok) throw new Error(files.error.code);
  return { root, files: files.value };
}

function startChild(root: string, rounds: number, kill: string) {
  const child = spawn(process.execPath, [join(OUT, 'child.mjs'), root, String(rounds), kill], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
  });
}

it('processes that count in one file lose no count', async () => {
  const { root } = await makeFolder();
  writeFileSync(join(root, 'count'), '0');
  const rounds = share(15, 200);
  const ends = await Promise.all([1, 2, 3].map(() => startChild(root, rounds, '')));
  expect(ends).toEqual(['0', '0', '0']);
  expect(readFileSync(join(root, 'count'), 'utf8')).toBe(String(3 * rounds));
  expect(readdirSync(join(root, 'lock'))).toHaveLength(1);
});

it('a number that was tidied up while it was written is made again', async () => {
  const { root, files } = await makeFolder();
  let isTidied = false;
  const tidied: typeof files = {
    ...files,
    async writeText(path, text, options) {
      if (isTidied) return files.writeText(path, text, options);
      isTidied = true;
      return { ok: false, error: { code: 'E_FILE_NOT_FOUND', path } };
    },
  };
  expect(await withLock(tidied, 'lock', async () => 'done')).toEqual({ ok: true, value: 'done' });
  expect(readdirSync(join(root, 'lock'))).toEqual(['1']);
});

it('a holder that is killed is replaced at once', async () => {
  const { root, files } = await makeFolder();
  writeFileSync(join(root, 'count'), '0');
  expect(await startChild(root, 1, 'kill')).toBe('SIGKILL');
  expect(readFileSync(join(root, 'lock/1'), 'utf8')).toContain('"pid"');
  expect(await withLock(files, 'lock', async () => 'mine', { patienceMs: 0 })).toEqual({
    ok: true,
    value: 'mine',
  });
});

it('a holder that lives is waited for and never pushed aside', async () => {
  const { root, files } = await makeFolder();
  mkdirSync(join(root, 'lock'));
  writeFileSync(join(root, 'lock/7'), JSON.stringify(ownMark()));
  const taken = await withLock(files, 'lock', async () => 'mine', { patienceMs: 20 });
  expect(taken).toEqual({ ok: false, error: { code: 'E_FILE_CHANGED', path: 'lock' } });
});

/** A folder in which somebody else holds the lock at each of the first looks, and nobody afterwards. */
function heldFor(looks: number, numberAt: (look: number) => number, files: Files): Files {
  let look = 0;
  let own: string | undefined;
  return {
    ...files,
    async list() {
      look += 1;
      const number = numberAt(Math.min(look, looks));
      const names = own === undefined ? [String(number)] : [String(number), own];
      const entries = names.map((name) => ({ name, kind: 'file' as const }));
      return { ok: true, value: { entries, isTruncated: false } } as never;
    },
    async readText() {
      return { ok: true, value: look < looks ? JSON.stringify(ownMark()) : 'free' } as never;
    },
    async writeText(path, text, options) {
      own ??= path.split('/').at(-1);
      return files.writeText(path, text, options);
    },
  };
}

it('a queue that moves is waited for to its end, whatever patience there is with one holder', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 9, max: 12 }), async (holders) => {
      const { files } = await makeFolder();
      const moving = heldFor(holders, (look) => look * 3, files);
      // Less than the pauses in all, and more than any one of them.
      const taken = await withLock(moving, `moving-${holders}`, async () => 'mine', { patienceMs: 40 });
      expect(taken).toEqual({ ok: true, value: 'mine' });
      const still = heldFor(holders + 12, () => 5, files);
      const refused = await withLock(still, `still-${holders}`, async () => 'mine', { patienceMs: 40 });
      expect(refused).toEqual({ ok: false, error: { code: 'E_FILE_CHANGED', path: `still-${holders}` } });
    }),
    { numRuns: 5 },
  );
});

it('a machine that is too busy to look uses up no patience', async () => {
  const { files } = await makeFolder();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 3_600_000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
  const taken = await withLock(
    heldFor(8, () => 5, files),
    'lock',
    async () => 'mine',
  );
  expect(taken).toEqual({ ok: true, value: 'mine' });
});

it('within one process, one at a time, and work that throws lets go', async () => {
  const { files } = await makeFolder();
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  const patient = { patienceMs: 60 * 60_000 };
  await Promise.all(Array.from({ length: 10 }, () => withLock(files, 'lock', work, patient)));
  await expect(withLock(files, 'lock', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect((await withLock(files, 'lock', async () => 1, { patienceMs: 0 })).ok).toBe(true);
});

it('tells a process from a later one of the same number', () => {
  const own = ownMark();
  expect(livingState(own)).toBe('alive');
  expect(livingState({ ...own, host: 'elsewhere' })).toBe('unknown');
  if (own.boot !== '') expect(livingState({ ...own, boot: 'before' })).toBe('ended');
  if (own.start !== '') expect(livingState({ ...own, start: '1' })).toBe('ended');
});

it('says whether somebody holds it, and changes nothing by the question', async () => {
  const { root, files } = await makeFolder();
  expect(await isLocked(files, 'lock')).toEqual({ ok: true, value: false });
  expect(readdirSync(root)).toEqual([]);
  const held = await withLock(files, 'lock', async () => {
    expect(await isLocked(files, 'lock')).toEqual({ ok: true, value: true });
    return readdirSync(join(root, 'lock'));
  });
  expect(held).toEqual({ ok: true, value: ['1'] });
  expect(await isLocked(files, 'lock')).toEqual({ ok: true, value: false });
  writeFileSync(join(root, 'lock/1'), JSON.stringify({ ...ownMark(), pid: 2 ** 30 }));
  expect(await isLocked(files, 'lock')).toEqual({ ok: true, value: false });
});
