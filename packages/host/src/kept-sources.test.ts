import type { RunId } from '@cuebook/journal';
import { expect, it } from 'vitest';
import { hostStand, must } from '../test/stand.js';
import { keepSources, readSources } from './kept-sources.js';

const RUN = 'run_kept' as RunId;

it('what is kept with a run is had again by its name, by that run alone, and never in clear', async () => {
  const stand = await hostStand({ kinds: [], files: {} });
  try {
    const { store } = stand;
    const sources = { texts: [['a.md', 'words \u0000 \ud800 of the beginning']], empty: null };
    const id = must(await keepSources(store, RUN, sources));
    expect(must(await keepSources(store, RUN, sources))).toBe(id);
    expect(must(await readSources(store, RUN, id))).toEqual(sources);
    const gone = { ok: false, error: { code: 'E_RUN_SOURCES', kind: 'unavailable' } };
    expect(await readSources(store, 'run_other' as RunId, id)).toMatchObject(gone);
    expect(await readSources(store, RUN, '0'.repeat(32))).toMatchObject(gone);
    for (const { blob } of (await store.vault?.entries(RUN)) ?? []) {
      const bytes = await store.getBlob(blob);
      expect(Buffer.from(bytes as Uint8Array).toString('latin1')).not.toContain('beginning');
    }
    must((await store.vault?.erase(RUN, [id])) ?? { ok: false, error: 'no vault' });
    expect(await readSources(store, RUN, id)).toMatchObject(gone);
  } finally {
    await stand.remove();
  }
});
