import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { openStore, readPublicKeys } from '@cuebook/journal';
import { requireFile } from '../project/named-file.js';
import { type Journal, journalFailure, keyFailure } from '../record/journal.js';

/** A journal that is thrown away: runs of tests are not put on record. */
export interface Scratch {
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

export async function openScratch(): Promise<Scratch> {
  const name = `cuebook-test-${randomUUID()}`;
  const place = requireFile(await openFolder(tmpdir()), 'The temporary folder');
  const folder = join(tmpdir(), name);
  const home = requireFile(await openFolder(folder, { create: true }), 'The temporary folder');
  const keys = await readPublicKeys(home);
  if (!keys.ok) throw keyFailure(keys.error);
  const opened = await openStore({ file: join(folder, 'journal.db') });
  if (!opened.ok) throw journalFailure(opened.error);
  const store = opened.value;
  return {
    journal: { store, home, keys: keys.value },
    async close() {
      await store.close();
      requireFile(await place.removeTree(name), 'The temporary folder');
    },
  };
}
