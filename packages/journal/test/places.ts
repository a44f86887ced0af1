import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Databases } from '../../../test/shared-postgres.js';
import type { Store } from '../src/contract.js';
import { openStore, type StoreOptions, type StorePlace } from '../src/store/open.js';

/** Where stores of one driver are made for tests. */
export interface Places {
  readonly kind: 'sqlite' | 'postgres';
  /** A place with nothing in it. */
  fresh(): Promise<StorePlace>;
}

/** A store file in a folder of its own, removed after the test. */
export const sqlitePlaces: Places = {
  kind: 'sqlite',
  fresh: async () => ({ file: join(scratchFolder(), 'home', 'journal.db') }),
};

/** Databases of a running server. */
export const postgresPlaces = (server: () => Databases): Places => ({
  kind: 'postgres',
  fresh: async () => ({ databaseUrl: await server().createDatabase() }),
});

/** A folder that is removed after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a store and closes it after the test. */
export async function openForTest(place: StorePlace, options: StoreOptions = {}): Promise<Store> {
  const opened = await openStore(place, { clock: tickingClock(), ...options });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  onTestFinished(() => opened.value.close());
  return opened.value;
}

/** A clock that goes on by one with each look. */
export function tickingClock(start = 1_700_000_000_000): { now(): number; add(ms: number): void } {
  let now = start;
  return {
    now: () => ++now,
    add: (ms) => {
      now += ms;
    },
  };
}
