import { lstat } from 'node:fs/promises';
import type { Fault } from '../fault.js';
import type { CleanPath } from '../path.js';
import { type FileResult, ok } from '../result.js';
import { childPath, type Directory, syncDirectory } from './directory.js';
import { lookAt, withLocated } from './locate.js';
import type { Mount } from './mount.js';
import { replaceFile } from './replace.js';
import { withRoom } from './room.js';
import { inTurn } from './turn.js';
import { refuseMount, refuseTarget } from './write.js';

/** A file to be written, and its content. */
export interface CleanFile {
  readonly path: CleanPath;
  readonly bytes: Uint8Array;
}

/**
 * Replaces or creates many files, each whole or not at all, all of them durable when it answers. There is no order
 * between them: after a failure or a crash any of them may be there. Each directory is walked to and synced once, which
 * is what makes it cheaper than one write after the other.
 */
export async function writeAll(
  mount: Mount,
  files: readonly CleanFile[],
  fault: Fault,
): Promise<FileResult<void>> {
  const folders = new Map<string, CleanFile[]>();
  for (const file of files) {
    const folder = file.path.segments.slice(0, -1).join('/');
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [file]);
    else known.push(file);
  }
  return sideBySide([...folders.values()], FOLDERS, (inside) =>
    withRoom(() => writeFolder(mount, inside, fault)),
  );
}

async function writeFolder(
  mount: Mount,
  files: readonly CleanFile[],
  fault: Fault,
): Promise<FileResult<void>> {
  const [first] = files;
  if (first === undefined) return ok(undefined);
  return withLocated(mount, first.path, { create: true, follow: false }, async ({ parent }) => {
    const { dev, ino } = await lstat(childPath(parent, '.'), { bigint: true });
    const written = await sideBySide(files, FILES, (file) => {
      const name = file.path.segments.at(-1) ?? '.';
      const key = `${dev}:${ino}:${name.normalize('NFC').toLowerCase()}`;
      return inTurn(key, () => writeFile(mount, parent, name, file, fault));
    });
    await syncDirectory(parent);
    return written;
  });
}

async function writeFile(
  mount: Mount,
  parent: Directory,
  name: string,
  { path, bytes }: CleanFile,
  fault: Fault,
): Promise<FileResult<void>> {
  const kept = refuseMount(mount, path, [...parent.names, name]);
  if (kept !== undefined) return kept;
  const located = { parent, name, stat: await lookAt(parent, name) };
  const refused = await refuseTarget(located, path, {});
  if (refused !== undefined) return refused;
  await fault('located');
  return replaceFile(located, path, bytes, {
    fault,
    mode: undefined,
    exclusive: false,
    syncsDirectory: false,
    stillWanted: async () => undefined,
  });
}

/** The first failure is the answer; what has begun is waited for, and nothing more is begun. */
async function sideBySide<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<FileResult<void>>,
): Promise<FileResult<void>> {
  let next = 0;
  let failure: FileResult<void> | undefined;
  const hand = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const done = await work(items[next++] as Item);
      if (!done.ok) failure ??= done;
    }
  };
  const hands = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, hand));
  const thrown = hands.find((one) => one.status === 'rejected');
  if (thrown !== undefined) throw thrown.reason;
  return failure ?? ok(undefined);
}

const FOLDERS = 16;
const FILES = 8;
