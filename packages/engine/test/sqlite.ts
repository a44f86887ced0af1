import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store, type StoreOptions } from '@cuebook/journal';
import { manualClock } from '../src/timer/manual-clock.js';
import { createStand, type Stand } from './bench-stand.js';

/** A journal in a folder of its own that is removed at the end. */
export interface SqliteFolder {
  readonly file: string;
  open(options?: StoreOptions): Promise<Store>;
  remove(): Promise<void>;
}

export function sqliteFolder(): SqliteFolder {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const file = join(folder, 'journal.db');
  const opened: Store[] = [];
  return {
    file,
    async open(options) {
      const store = await requireStore({ file }, options);
      opened.push(store);
      return store;
    },
    async remove() {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function requireStore(
  place: Parameters<typeof openStore>[0],
  options?: StoreOptions,
): Promise<Store> {
  const store = await openStore(place, options);
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return store.value;
}

/** A stand over a journal of its own, with one clock for both. */
export async function sqliteStand(folder: SqliteFolder): Promise<Stand> {
  const clock = manualClock(1_000);
  return createStand({ clock, store: await folder.open({ clock }) });
}
