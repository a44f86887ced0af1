import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEET = 'blocks:\n  - name: a\n    role: user\n    parts: [{ text: Hello. }]\n';

it('records of a home that may not be written are read, and stay as they are', async () => {
  const cwd = folderWith({ 'cuebook.yaml': '', 'sheets/a.yaml': SHEET });
  expect((await cuebook(['run', 'sheet:a'], { cwd })).code).toBe(0);
  const home = join(cwd, '.cuebook');
  const journal = join(home, 'journal.db');
  const listed = (await cuebook(['runs', '--json'], { cwd })).stdout;
  chmodSync(journal, 0o400);
  chmodSync(home, 0o500);
  try {
    const runs = await cuebook(['runs', '--json'], { cwd });
    expect([runs.code, runs.stdout]).toEqual([0, listed]);
    for (const args of [
      ['log', 'last'],
      ['replay', 'last'],
      ['prefix', 'last'],
      ['verify', 'last'],
      ['explain', 'sheet:a', '--at', '1:1'],
    ])
      expect([args, (await cuebook(args, { cwd })).code]).toEqual([args, 0]);
    const removed = await cuebook(['runs', 'prune', '--older-than', '0d', '--yes'], { cwd });
    expect(removed.code).not.toBe(0);
  } finally {
    chmodSync(home, 0o700);
    chmodSync(journal, 0o600);
  }
  expect((await cuebook(['runs', '--json'], { cwd })).stdout).toBe(listed);
});
