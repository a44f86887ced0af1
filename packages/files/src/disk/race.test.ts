import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeScratch, must, outcome, photograph, plant, SECRET, WAYS } from '../../test/scratch.js';
import type { Files } from '../contract.js';
import { openFolder } from '../files.js';

/** What somebody does to the directory `d` between the check and the use. */
const TRICKS = {
  'moved out of the root': (root: string, outside: string) => renameSync(join(root, 'd'), join(outside, 'd')),
  'swapped for a link out of the root': (root: string, outside: string) => {
    renameSync(join(root, 'd'), join(root, 'aside'));
    symlinkSync(outside, join(root, 'd'));
  },
} as const;

const USES = {
  read: (files: Files) => files.readText('d/a.md'),
  write: (files: Files) => files.writeText('d/a.md', 'ours'),
  create: (files: Files) => files.writeText('d/b.md', 'ours'),
  remove: (files: Files) => files.remove('d/a.md'),
  list: (files: Files) => files.list('d'),
} as const;

const TABLE = Object.entries(TRICKS).flatMap(([trick, play]) =>
  Object.entries(USES).map(([use, run]) => ({ trick, play, use, run })),
);

describe.each(WAYS)('%s: between check and use', (_way, options) => {
  it.each(TABLE)('$use: a directory $trick', async ({ trick, play, use, run }) => {
    const { root, outside } = await makeScratch();
    plant(root, { 'd/a.md': 'inside' });
    mkdirSync(join(outside, 'empty'));
    const before = photograph(outside);
    let played = false;
    const files = must(
      await openFolder(root, {
        ...options,
        fault: (point) => {
          if (point !== 'located' || played) return;
          played = true;
          play(root, outside);
        },
      }),
    );
    const result = await run(files);
    expect(played).toBe(true);

    // Held by its descriptor, a directory that is only renamed inside the root may be used to the end.
    const mayFinish = options.portable !== true && trick !== 'moved out of the root';
    if (!mayFinish) expect([use, result.ok]).toEqual([use, false]);
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(JSON.stringify(result)).not.toContain('empty');
    const moved = trick === 'moved out of the root' ? { d: '(no file)', 'd/a.md': 'inside' } : {};
    expect(photograph(outside)).toEqual({ ...before, ...moved });
  });

  it('a file moved out of the root while its directory stays is not misread', async () => {
    const { root, outside } = await makeScratch();
    plant(root, { 'a.md': 'inside' });
    const swap = (): void => {
      renameSync(join(root, 'a.md'), join(root, 'b.md'));
      symlinkSync(join(outside, 'a.md'), join(root, 'a.md'));
    };
    let swapped = false;
    const fault = (): void => {
      if (!swapped) swap();
      swapped = true;
    };
    const files = must(await openFolder(root, { ...options, fault }));
    expect(outcome(await files.readText('a.md'))).toBe('E_FILE_CHANGED');
  });
});

/**
 * Swaps a directory for a link to the outside and back, as fast as it can, a fixed number of times. A writer
 * may create the directory anew in the gap; then that one is moved out of the way.
 */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { root, outside, times } = require('node:worker_threads').workerData;
  let junk = 0;
  const insist = (step) => {
    for (;;) {
      try {
        return step();
      } catch (error) {
        if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
        renameSync(root + '/d', root + '/junk-' + junk++);
      }
    }
  };
  for (let count = 0; count < times; count += 1) {
    renameSync(root + '/d', root + '/aside');
    insist(() => symlinkSync(outside, root + '/d'));
    unlinkSync(root + '/d');
    insist(() => renameSync(root + '/aside', root + '/d'));
  }
`;

describe.each(WAYS)('%s: a directory swapped all the time', (_way, options) => {
  it('never lets anything outside be read, listed or changed', async () => {
    const { root, outside } = await makeScratch();
    const files = must(await openFolder(root, options));
    plant(root, { 'd/a.md': 'inside', 'd/sub/a.md': 'inside' });
    plant(outside, { 'sub/a.md': SECRET, 'only-outside.md': SECRET });
    const before = photograph(outside);

    let running = true;
    let trouble: unknown;
    const worker = new Worker(SWAPPER, { eval: true, workerData: { root, outside, times: 20_000 } });
    worker.once('error', (thrown) => {
      trouble = thrown;
    });
    worker.once('exit', () => {
      running = false;
    });
    onTestFinished(() => void worker.terminate());

    const seen = { ok: 0, refused: 0 };
    const count = (result: { readonly ok: boolean }): void => {
      seen[result.ok ? 'ok' : 'refused'] += 1;
    };
    const read = async (path: string): Promise<void> => {
      const text = await files.readText(path);
      if (text.ok) expect(text.value).not.toBe(SECRET);
      count(text);
    };
    for (let turn = 0; running; turn += 1) {
      await Promise.all([read('d/a.md'), read('d/sub/a.md')]);
      const listed = await files.list('d');
      // The portable way can list a swapped directory for a moment; see the README.
      if (listed.ok && options.portable !== true) {
        expect(listed.value.entries.map(({ name }) => name)).not.toContain('only-outside.md');
      }
      count(await files.writeText('d/sub/a.md', 'inside'));
      if (options.portable !== true) count(await files.writeText(`d/new-${turn % 8}.md`, 'inside'));
    }

    expect(trouble).toBeUndefined();
    expect(seen.ok).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
    const after = photograph(outside);
    for (const [path, content] of Object.entries(before))
      expect([path, after[path]]).toEqual([path, content]);
    // At most an empty file with a name nobody reads, and never in the anchored way.
    const added = Object.keys(after).filter((path) => !(path in before));
    for (const path of added) expect(readFileSync(join(outside, path), 'utf8')).toBe('');
    if (options.portable !== true) expect(added).toEqual([]);
  });
});
