import { join } from 'node:path';
import type { RunId } from '@cuebook/journal';
import { expect, it } from 'vitest';
import { hostStand, must } from '../test/stand.js';
import { headCommit } from './head-commit.js';
import { keepSources, readSources } from './kept-sources.js';

const RUN = 'run_kept' as RunId;

it('what is kept with a run is had again by its name, by that run alone, and never in clear', async () => {
  const stand = await hostStand({ kinds: [], files: {} });
  try {
    const { store, project: folder } = stand;
    const sources = { files: { 'a.md': 'words \u0000 \ud800 of the beginning' }, about: { more: [null] } };
    const place = { store, run: RUN, folder };
    const kept = must(await keepSources(place, sources));
    expect(must(await keepSources(place, sources))).toEqual(kept);
    expect(kept.files).toEqual({ 'a.md': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
    expect(must(await readSources(store, RUN, kept))).toEqual(sources);
    const gone = { ok: false, error: { code: 'E_RUN_SOURCES', kind: 'unavailable' } };
    expect(await readSources(store, 'run_other' as RunId, kept)).toMatchObject(gone);
    expect(await readSources(store, RUN, { entry: '0'.repeat(32) })).toMatchObject(gone);
    for (const { blob } of (await store.vault?.entries(RUN)) ?? []) {
      const bytes = await store.getBlob(blob);
      expect(Buffer.from(bytes as Uint8Array).toString('latin1')).not.toContain('beginning');
    }
    must((await store.vault?.erase(RUN, [kept.entry])) ?? { ok: false, error: 'no vault' });
    expect(await readSources(store, RUN, kept)).toMatchObject(gone);
  } finally {
    await stand.remove();
  }
});

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
it.each<readonly [string, Readonly<Record<string, string>>, string, string | undefined]>([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${A}\n` }, '.', A],
  ['a folder inside', { '.git/HEAD': `${A}\n`, 'deep/down/x': '' }, 'deep/down', A],
  [
    'packed branches',
    {
      '.git/HEAD': 'ref: refs/heads/x/y\n',
      '.git/packed-refs': `# pack\n${B} refs/heads/y\n${A} refs/heads/x/y\n`,
    },
    '.',
    A,
  ],
  [
    'a worktree',
    {
      'main/.git/worktrees/w/HEAD': 'ref: refs/heads/w\n',
      'main/.git/worktrees/w/commondir': '../..\n',
      'main/.git/refs/heads/w': `${A}\n`,
      'w/.git': 'gitdir: ../main/.git/worktrees/w\n',
    },
    'w',
    A,
  ],
  ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }, '.', undefined],
  ['no repository', { x: '' }, '.', undefined],
  ['a head that is none', { '.git/HEAD': 'ref: ../../x\n' }, '.', undefined],
])('the commit that is checked out: %s', async (_name, files, folder, commit) => {
  const stand = await hostStand({ kinds: [], files });
  try {
    expect(await headCommit(join(stand.project, folder))).toBe(commit);
  } finally {
    await stand.remove();
  }
});
