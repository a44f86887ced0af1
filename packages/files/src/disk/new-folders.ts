import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a look into a new folder needs of the watcher. */
export interface FolderWatch {
  readonly isIgnored: (path: string) => boolean;
  /** Whether the library has the file or folder by now. */
  readonly isWatched: (path: string) => boolean;
  /** A file or folder that the library has not told of. */
  readonly found: (path: string, kind: 'file' | 'folder') => void;
}

/** How long after a folder appeared it is looked into: the library has its watch on it by then, or by the last. */
const LOOKS_MS = [100, 1_000];

/**
 * Looks into folders that appear while they are watched. What is put into one between the library's reading of it and
 * its watching of it is told by nobody, so a folder that is made and filled at once would lose files.
 */
export function createNewFolders(watch: FolderWatch): { appeared(folder: string): void; close(): void } {
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  const look = async (folder: string): Promise<void> => {
    // A folder that is gone again has nothing to tell.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (isClosed) return;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (watch.isIgnored(path) || watch.isWatched(path)) continue;
      if (entry.isFile()) watch.found(path, 'file');
      if (!entry.isDirectory()) continue;
      watch.found(path, 'folder');
      appeared(path);
      await look(path);
    }
  };
  const appeared = (folder: string): void => {
    for (const ms of LOOKS_MS) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        void look(folder);
      }, ms);
      timers.add(timer);
    }
  };
  return {
    appeared,
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
