import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FaultPoint } from '../fault.js';
import { type FolderOptions, openFolder } from '../files.js';
import { shareNext } from './share.js';

async function folder(options: FolderOptions = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'files-all-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = await openFolder(root, options);
  if (!files.ok) throw new Error(files.error.code);
  return { root, files: files.value };
}

const bytes = (text: string) => Buffer.from(text);

test('many files are written at once, in folders that are made, old ones replaced', async () => {
  const { root, files } = await folder();
  mkdirSync(join(root, 'a'));
  writeFileSync(join(root, 'a', 'old'), 'old');
  const all = Array.from({ length: 60 }, (_, n) => ({
    path: `${n % 2 ? 'a' : `b/${n % 7}`}/${n}`,
    bytes: bytes(`${n}`),
  }));
  expect((await files.writeAll([...all, { path: 'a/old', bytes: bytes('new') }])).ok).toBe(true);
  for (const { path, bytes: content } of all) expect(readFileSync(join(root, path))).toEqual(content);
  expect(readFileSync(join(root, 'a', 'old'), 'utf8')).toBe('new');
  expect(readdirSync(join(root, 'a')).every((name) => !name.startsWith('.'))).toBe(true);
});

test('a path that leads out, a link, and a folder in the way are refused', async () => {
  const { root, files } = await folder();
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'files-out-')));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  symlinkSync(outside, join(root, 'link'));
  symlinkSync(join(outside, 'x'), join(root, 'file'));
  mkdirSync(join(root, 'folder'));
  for (const path of ['../x', 'link/x', 'file', 'folder'])
    expect([path, (await files.writeAll([{ path, bytes: bytes('x') }])).ok]).toEqual([path, false]);
  expect(existsSync(join(outside, 'x'))).toBe(false);
});

test('a mount that is read only stays as it is', async () => {
  const { root, files } = await folder({ access: 'ro' });
  const written = await files.writeAll([{ path: 'x', bytes: bytes('x') }]);
  expect(!written.ok && written.error.code).toBe('E_READ_ONLY');
  expect(readdirSync(root)).toEqual([]);
});

test('whatever fails, no half file is left', async () => {
  let left = 9;
  const fault = (point: FaultPoint): void => {
    left -= 1;
    if (left === 0) throw new Error(point);
  };
  const { root, files } = await folder({ fault });
  const all = Array.from({ length: 12 }, (_, n) => ({ path: `${n}`, bytes: bytes(`content ${n}`) }));
  expect((await files.writeAll(all)).ok).toBe(false);
  for (const name of readdirSync(root))
    expect(readFileSync(join(root, name), 'utf8')).toBe(`content ${name}`);
});

test('who comes while a run is under way shares the next one', async () => {
  const runs: (() => void)[] = [];
  const task = () => new Promise<void>((done) => runs.push(done));
  const first = shareNext('k', task);
  const waiting = [shareNext('k', task), shareNext('k', task), shareNext('k', task)];
  expect(runs).toHaveLength(1);
  runs[0]?.();
  await first;
  await new Promise((done) => setImmediate(done));
  expect(runs).toHaveLength(2);
  const late = shareNext('k', task);
  runs[1]?.();
  await Promise.all(waiting);
  await new Promise((done) => setImmediate(done));
  runs[2]?.();
  await late;
  expect(runs).toHaveLength(3);
  await Promise.allSettled([
    shareNext('f', () => Promise.reject(new Error('x'))),
    shareNext('f', async () => undefined),
  ]);
});
