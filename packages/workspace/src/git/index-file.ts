import { join } from 'node:path';
import type { FolderSnapshot } from './moment.js';
import { type ContentStore, STORE } from './store.js';

/** What git remembers of a folder: which content each file had, and by what it knows that a file is unchanged. */
export interface FolderIndex {
  readonly path: string;
  /** The snapshot that it stands for, when this process has taken it and nobody has written it since. */
  known(): Promise<FolderSnapshot | undefined>;
  remember(snapshot: FolderSnapshot | undefined): Promise<void>;
  /** Takes away the lock of a git that was killed: no git of ours lives so long. */
  unlock(): Promise<void>;
  /** Removes one that is of no further use; one that has a key stays. */
  drop(): Promise<void>;
}

/**
 * The index of a folder by its key; without a key a fresh one. It is used where it lies, never copied: git trusts the
 * time of the file itself to tell which entries it must look at twice.
 */
export async function indexOf(store: ContentStore, key?: string): Promise<FolderIndex> {
  const name = key === undefined ? store.temporary().name : indexName(key);
  const { files, memory } = store;
  return {
    path: join(store.folder, name),
    async known() {
      const remembered = memory.get(name);
      if (remembered === undefined) return undefined;
      return (await stampOf(store, name)) === remembered.stamp ? remembered.snapshot : undefined;
    },
    async remember(snapshot) {
      const stamp = snapshot && (await stampOf(store, name));
      if (snapshot === undefined || stamp === undefined) memory.delete(name);
      else memory.set(name, { snapshot, stamp });
    },
    async unlock() {
      const lock = await files.stat(`${name}.lock`);
      if (lock.ok && Date.now() - lock.value.modifiedMs > LOCK_MS) await files.remove(`${name}.lock`);
    },
    async drop() {
      if (key !== undefined) return;
      memory.delete(name);
      await files.remove(name);
    },
  };
}

/** Twice as long as a git of ours may take. */
const LOCK_MS = 1_200_000;

/** Where indexes lie, below `workspaces`. */
export const INDEXES = `${STORE}/folders`;
/** The index of a key. */
export const indexName = (key: string): string => `${INDEXES}/${key}`;

async function stampOf({ files }: ContentStore, name: string): Promise<string | undefined> {
  const stat = await files.stat(name);
  return stat.ok ? `${stat.value.identity} ${stat.value.modifiedMs} ${stat.value.size}` : undefined;
}
