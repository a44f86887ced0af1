import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, isLocked, openFolder } from '@cuebook/files';
import { ok } from '@cuebook/prompt';
import { afterEach, expect, it } from 'vitest';
import { createStoreUse } from './use.js';

const folder = mkdtempSync(join(tmpdir(), 'store-use-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('whoever works is seen, also when its lock was swept away as a left one while it came in', async () => {
  const opened = await openFolder(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  let sweeps = 1;
  // Somebody who is alone sweeps, and is done, between the newcomer's lock and its look at who is alone.
  const files: Files = {
    ...opened.value,
    async list(path, options) {
      if (path === 'use/alone' && sweeps > 0) {
        sweeps -= 1;
        await opened.value.removeTree('use/users');
      }
      return opened.value.list(path, options);
    },
  };
  const seen = await createStoreUse(files, 'use').shared(async () => {
    const users = await opened.value.list('use/users');
    const names = users.ok ? users.value.entries.map(({ name }) => name) : [];
    return ok(await Promise.all(names.map((name) => isLocked(opened.value, `use/users/${name}`))));
  });
  expect(sweeps).toBe(0);
  expect(seen).toEqual(ok([ok(true)]));
});
