import { constants, lstatSync, realpathSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { guard } from '@cuebook/guard';
import { systemCode } from '../error.js';
import type { Mount } from './mount.js';
import { shareNext } from './share.js';

/**
 * A directory inside a root, reached without passing a symbolic link. When the mount is anchored `base` goes
 * through the open descriptor, so `childPath` names a child of this very directory whatever happens to the
 * path that led here. Otherwise `base` is a path and each use must be verified with `isInside`.
 */
export interface Directory {
  readonly mount: Mount;
  /** The parts below the root, none of them a link. */
  readonly names: readonly string[];
  readonly base: string;
  readonly handle: FileHandle | undefined;
}

/** Opens the root of a mount; `undefined` when another directory has taken its place. Throws system errors. */
export async function openRoot(mount: Mount): Promise<Directory | undefined> {
  const directory = await openAt(mount, [], mount.real).catch(keepReplaced);
  if (directory === undefined) return undefined;
  const real = mount.anchored ? await readlink(directory.base) : await realpath(mount.real);
  if (!guard('resolve.root', real !== mount.real)) return directory;
  await closeDirectory(directory);
  return undefined;
}

/** Opens a child directory; a symbolic link in its place is a system error, never followed. */
export function openChild(parent: Directory, name: string): Promise<Directory> {
  return openAt(parent.mount, [...parent.names, name], childPath(parent, name));
}

export const childPath = (parent: Directory, name: string): string =>
  parent.mount.anchored ? `${parent.base}/${name}` : join(parent.base, name);

export async function closeDirectory(directory: Directory): Promise<void> {
  await directory.handle?.close();
}

/** Whether the opened child is inside the root now, seen from the descriptor and not from the path. */
export async function isInside(parent: Directory, name: string, opened: FileHandle): Promise<boolean> {
  const { mount } = parent;
  if (mount.anchored) return isWithin(await readlink(`/proc/self/fd/${opened.fd}`), mount.real);
  const { dev, ino } = await opened.stat({ bigint: true });
  return holds(parent, () => {
    const named = lstatSync(childPath(parent, name), { bigint: true });
    return named.dev === dev && named.ino === ino;
  });
}

/** The names of an open child below the root, seen from the descriptor where the system can tell. */
export async function namesOfOpen(
  { mount, names }: Directory,
  name: string,
  opened: FileHandle,
): Promise<readonly string[]> {
  if (!mount.anchored) return [...names, name];
  const real = await readlink(`/proc/self/fd/${opened.fd}`);
  return real
    .slice(mount.real.length)
    .replace(DELETED, '')
    .split('/')
    .filter((part) => part !== '');
}

/** What Linux adds to the path of a file that is open and has no name any more. */
const DELETED = / \(deleted\)$/;

/** Whether the directory itself is inside the root now. */
export async function isDirectoryInside(directory: Directory): Promise<boolean> {
  const { mount } = directory;
  if (mount.anchored) return isWithin(await readlink(directory.base), mount.real);
  return holds(directory, () => true);
}

/**
 * The portable check: no part on the way is a link, before and after `look`, and the parts are the same both
 * times. A directory swapped out and back between two of these calls would pass, so they are synchronous,
 * microseconds apart, and must agree several times over.
 */
function holds(directory: Directory, look: () => boolean): boolean {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = partsOf(directory);
    if (before === undefined || !look() || partsOf(directory) !== before) return false;
  }
  return true;
}

const ROUNDS = 4;

/** The identities of the directories from the root down; `undefined` when one of them is none. */
function partsOf({ mount, names }: Directory): string | undefined {
  if (realpathSync.native(mount.real) !== mount.real) return undefined;
  let path = mount.real;
  let identities = '';
  for (const part of names) {
    path = join(path, part);
    const stat = lstatSync(path, { bigint: true });
    if (!stat.isDirectory()) return undefined;
    identities += ` ${stat.dev}:${stat.ino}`;
  }
  return identities;
}

/**
 * Makes the names in a directory durable. File systems that cannot sync a directory are taken as they are. Who comes
 * while a sync runs waits for the next one, and all who wait share it: a sync covers every name that was there when it
 * began.
 */
export function syncDirectory(directory: Directory): Promise<void> {
  if (process.platform === 'win32') return Promise.resolve();
  return shareNext([directory.mount.real, ...directory.names].join('\0'), () => syncNow(directory));
}

async function syncNow(directory: Directory): Promise<void> {
  const handle = directory.handle ?? (await open(directory.base, OPEN_DIRECTORY));
  try {
    await handle.sync();
  } catch (thrown) {
    if (!UNSYNCABLE.has(systemCode(thrown))) throw thrown;
  } finally {
    if (handle !== directory.handle) await handle.close();
  }
}

/** `O_NOFOLLOW` and friends are missing on Windows, where they count as nothing. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
const UNSYNCABLE: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/** What opening answers when a link or a file stands where the root was. */
function keepReplaced(thrown: unknown): undefined {
  const system = systemCode(thrown);
  if (system !== 'ELOOP' && system !== 'ENOTDIR') throw thrown;
  return undefined;
}

async function openAt(mount: Mount, names: readonly string[], path: string): Promise<Directory> {
  if (!mount.anchored) return { mount, names, base: path, handle: undefined };
  const handle = await open(path, OPEN_DIRECTORY);
  return { mount, names, base: `/proc/self/fd/${handle.fd}`, handle };
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
}
