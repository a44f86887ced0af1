import type { Stats } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import type { FolderChange, OnChange, Watcher, WatchOptions } from '../contract.js';
import { type FileError, fromSystem } from '../error.js';
import { cleanPath, isAddressable, type PathRules } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { DEFAULT_IGNORE } from '../source/source.js';
import type { Mount } from './mount.js';
import { createNewFolders } from './new-folders.js';

/** Watches the roots and answers once everything below them is watched. Links are not followed. */
export async function watchMounts(
  mounts: readonly Mount[],
  rules: PathRules,
  onChange: OnChange,
  { ignore = DEFAULT_IGNORE, quietMs = 50 }: WatchOptions = {},
): Promise<FileResult<Watcher>> {
  const batch = openBatch(onChange, quietMs);
  try {
    const { watch } = await import('chokidar');
    const watchers = mounts.map((mount) => {
      const ignored = (path: string, stats?: Stats): boolean =>
        stats?.isSymbolicLink() === true || isIgnored(mount, path, ignore);
      const watcher = watch(mount.real, { ignoreInitial: true, followSymlinks: false, ignored });
      watcher.on('error', (thrown) => batch.fail(fromSystem(mount.alias || '.', thrown)));
      const folders = createNewFolders({
        isIgnored: (path) => isIgnored(mount, path, ignore),
        isWatched: (path) => watcher.getWatched()[dirname(path)]?.includes(basename(path)) === true,
        found(path, kind) {
          watcher.add(path);
          if (kind === 'file') batch.add(aliasPath(mount, rules, path), 'added');
        },
      });
      watcher.on('all', (event, path) => {
        const kind = KINDS[event];
        if (kind !== undefined) batch.add(aliasPath(mount, rules, path), kind);
        if (event === 'addDir') folders.appeared(path);
      });
      return {
        watcher,
        folders,
        ready: new Promise<void>((resolve) => watcher.once('ready', () => resolve())),
      };
    });
    await Promise.all(watchers.map(({ ready }) => ready));
    const close = async (): Promise<void> => {
      batch.close();
      for (const { folders } of watchers) folders.close();
      await Promise.all(watchers.map(({ watcher }) => watcher.close()));
    };
    return ok({ close });
  } catch (thrown) {
    batch.close();
    return fail(fromSystem(mounts[0]?.alias || '.', thrown));
  }
}

const KINDS: Readonly<Record<string, FolderChange['kind']>> = {
  add: 'added',
  change: 'changed',
  unlink: 'removed',
};

const partsBelow = (mount: Mount, path: string): string[] =>
  relative(mount.real, path)
    .split(/[/\\]/)
    .filter((part) => part !== '');

/** The same rules as a walk: unfinished writes and names no path can spell are not reported. */
function isIgnored(mount: Mount, path: string, ignore: readonly string[]): boolean {
  const windows = process.platform === 'win32';
  return partsBelow(mount, path).some((part) => ignore.includes(part) || !isAddressable(part, windows));
}

const aliasPath = (mount: Mount, rules: PathRules, path: string): string =>
  cleanPath(mount.alias, partsBelow(mount, path), rules).text;

interface Batch {
  add(path: string, kind: FolderChange['kind']): void;
  fail(error: FileError): void;
  close(): void;
}

function openBatch(onChange: OnChange, quietMs: number): Batch {
  const changes = new Map<string, FolderChange['kind']>();
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let closed = false;

  const flush = (): void => {
    timer = undefined;
    const sorted = [...changes]
      .map(([path, kind]) => ({ path, kind }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    changes.clear();
    onChange(ok(sorted));
  };
  return {
    add(path, kind) {
      if (closed) return;
      const now = performance.now();
      if (changes.size === 0) since = now;
      changes.set(path, kind);
      clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, Math.min(quietMs, since + 10 * quietMs - now)));
    },
    fail(error) {
      if (!closed) onChange(fail(error));
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
