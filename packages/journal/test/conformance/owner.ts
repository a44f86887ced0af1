import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_FILE } from '../../src/owner/project.js';
import { openStore, restoreStore } from '../../src/store/open.js';
import { createRecorder } from '../../src/turn/recorder.js';
import { ownerOf, withStore } from '../owner.js';
import { type Places, scratchFolder } from '../places.js';
import { rawDatabase } from '../raw.js';
import { block, requestOf } from '../turns.js';
import { batch, codeOf, must, RUN } from '../write.js';

export function ownerCases(places: Places): void {
  const homes = async () => {
    const root = scratchFolder();
    return {
      root,
      mine: await ownerOf(join(root, 'mine'), 'mine'),
      yours: await ownerOf(join(root, 'yours'), 'yours'),
    };
  };

  // In a database each project has tables of its own.
  if (places.kind === 'sqlite') {
    it('belongs to the project that opens it first, and refuses every other by name', async () => {
      const { root, mine, yours } = await homes();
      const place = await places.fresh();
      await withStore(place, mine, (store) => store.append(batch()));
      const refused = await openStore(place, { owner: yours });
      expect(refused).toEqual({
        ok: false,
        error: { code: 'E_JOURNAL_PROJECT', project: mine.project.id, name: 'mine' },
      });
      // Another process of the same home, and the same home under another name, are the same project.
      const again = await ownerOf(join(root, 'mine'), 'renamed');
      expect(again.project.id).toBe(mine.project.id);
      await withStore(place, again, async (store) => expect((await store.runs()).length).toBe(1));
    });

    it('is claimed by one of two projects that open it at the same moment', async () => {
      const { mine, yours } = await homes();
      const place = await places.fresh();
      const opened = await Promise.all([
        openStore(place, { owner: mine }),
        openStore(place, { owner: yours }),
      ]);
      expect(opened.map(({ ok }) => ok).sort()).toEqual([false, true]);
      for (const each of opened) if (each.ok) await each.value.close();
    });
  }

  it('without an owner is claimed by who signed what is in it, and by nobody else', async () => {
    const { mine, yours } = await homes();
    const place = await places.fresh();
    const old = must(await openStore(place));
    const recorder = createRecorder({ store: old, signer: mine.signer });
    const sent = { channel: 'http', hash: `sha256:${'0'.repeat(64)}`, ordinal: 1 } as const;
    const request = requestOf([block('task', 'Plan.')]);
    const recorded = await recorder.record({ run: RUN, turn: 't', lane: 'l', request, provider: 'p', sent });
    expect(recorded.ok).toBe(true);
    await old.close();
    if (places.kind === 'sqlite')
      expect(await openStore(place, { owner: yours })).toMatchObject({
        ok: false,
        error: { code: 'E_JOURNAL_PROJECT', project: `key ${mine.signer.keyId}` },
      });
    else await withStore(place, yours, async (store) => expect(await store.runs()).toEqual([]));
    await withStore(place, mine, async (store) => expect((await store.runs()).length).toBe(1));
  });

  it('is known again by a home that lost its id and has its key', async () => {
    const { root, mine } = await homes();
    const place = await places.fresh();
    await withStore(place, mine, async () => undefined);
    rmSync(join(root, 'mine', PROJECT_FILE));
    const again = await ownerOf(join(root, 'mine'), 'mine');
    await withStore(place, again, async () => undefined);
    expect(JSON.parse(readFileSync(join(root, 'mine', PROJECT_FILE), 'utf8')).id).toBe(mine.project.id);
    // A home with another key cannot say so.
    const raw = await rawDatabase(place);
    await raw.run("UPDATE cuebook_owner SET signature = 'x'");
    await raw.close();
    writeFileSync(join(root, 'mine', PROJECT_FILE), 'not an id');
    const stranger = await openStore(place, { owner: await ownerOf(join(root, 'mine')) });
    // In a database its home has the key of the project beside the one that signs.
    expect(codeOf(stranger)).toBe(places.kind === 'sqlite' ? 'E_JOURNAL_PROJECT' : 'ok');
    if (stranger.ok) await stranger.value.close();
  });

  it('that is restored from a copy belongs to who restores it', async () => {
    const { root, mine, yours } = await homes();
    const copy = join(root, 'copy.db');
    await withStore(await places.fresh(), mine, async (store) => {
      must(await store.append(batch()));
      await store.backup(copy);
    });
    const place = await places.fresh();
    await must(await restoreStore(copy, place, { owner: yours })).close();
    if (places.kind === 'sqlite') expect((await openStore(place, { owner: mine })).ok).toBe(false);
    else await withStore(place, mine, async (store) => expect(await store.runs()).toEqual([]));
    await withStore(place, yours, async (store) => expect((await store.runs()).length).toBe(1));
  });
}
