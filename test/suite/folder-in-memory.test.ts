import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderInMemory } from './folder-in-memory.js';

it('is a folder that every program of the run may use, where there is room', () => {
  const place = mkdtempSync(join(tmpdir(), 'place-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const folder = folderInMemory(place, 1) ?? '';
  expect(folder.startsWith(place)).toBe(true);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect(folderInMemory(place, 2 ** 60)).toBeUndefined();
});

it('is not there where the system has no such place', () => {
  expect(folderInMemory(import.meta.filename)).toBeUndefined();
});
