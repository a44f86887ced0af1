import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeScratch, plant, WAYS } from '../../test/scratch.js';
import { openFolder } from '../files.js';

it.each(WAYS)('a hidden name is reached by no path and through no link, %s', async (_, options) => {
  const { root } = await makeScratch();
  plant(root, { '.keep/config': 'needle', '.env': 'needle', 'a/.env': 'needle', 'a/plain.md': 'needle' });
  symlinkSync('.env', join(root, 'notes'));
  symlinkSync('../.keep', join(root, 'a/link'));
  symlinkSync('a/../.keep/config', join(root, 'far'));
  const opened = await openFolder(root, { ...options, hide: (name) => /^\.(?:env|keep)$/i.test(name) });
  if (!opened.ok) throw new Error(opened.error.code);
  const files = opened.value;
  const hidden = { ok: false, error: { code: 'E_SANDBOX_VIOLATION', reason: 'hidden' } };
  for (const path of ['.env', '.ENV', 'a/.env', 'notes', 'a/link/config', 'far', '.keep/none', '.keep']) {
    expect([path, await files.readText(path)]).toMatchObject([path, hidden]);
    expect([path, await files.stat(path)]).toMatchObject([path, hidden]);
    expect([path, await files.search(path, { text: 'needle' })]).toMatchObject([path, hidden]);
  }
  expect(await files.list('a/link')).toMatchObject(hidden);
  expect(await files.writeText('a/link/new', 'x')).toMatchObject(hidden);
  expect(await files.writeText('.env', 'x')).toMatchObject(hidden);
  expect(await files.remove('a/.env')).toMatchObject(hidden);
  expect(readFileSync(join(root, '.env'), 'utf8')).toBe('needle');
  const found = await files.search('.', { text: 'needle', hidden: true });
  expect(found.ok && found.value.matches.map(({ path }) => path)).toEqual(['a/plain.md']);
});
