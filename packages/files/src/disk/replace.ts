import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import { systemCode } from '../error.js';
import type { Fault } from '../fault.js';
import type { CleanPath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { temporaryName } from '../temporary.js';
import { childPath, isInside, NO_FOLLOW, syncDirectory } from './directory.js';
import type { Located } from './locate.js';

export interface ReplaceOptions {
  readonly fault: Fault;
  readonly mode: number | undefined;
  /** The name must be free: another process that takes it first wins, exactly. */
  readonly exclusive: boolean;
  /** False when the caller syncs the directory for many files at once. True by default. */
  readonly syncsDirectory?: boolean;
  /** Asked after the bytes are on the disk, right before they take their name. */
  readonly stillWanted: () => Promise<FileResult<never> | undefined>;
}

/**
 * Writes beside the target, syncs, renames over it, syncs the directory. A crash at any point leaves the
 * whole old content or the whole new one. Any failure before the rename removes the temporary file; a
 * failure after it means the new content stands but may not survive a power cut. Throws system errors.
 */
export async function replaceFile(
  located: Located,
  path: CleanPath,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<FileResult<void>> {
  const temporary = temporaryName();
  const { parent } = located;
  const mode = options.mode ?? keptMode(located.stat);
  // Without a mode to keep, 0666 lets the user's own mask decide.
  const handle = await open(childPath(parent, temporary), CREATE, mode === undefined ? 0o666 : 0o600);
  let finished = false;
  try {
    const written = await fill(handle, located, temporary, path, bytes, { ...options, mode });
    const refused = written.ok ? await options.stillWanted() : written;
    if (refused !== undefined) return refused;
    await options.fault('checked');

    const placed = await place(located, temporary, path, options.exclusive);
    if (!placed.ok) return placed;
    finished = true;
    await options.fault('renamed');
    if (options.syncsDirectory !== false) await syncDirectory(parent);
    await options.fault('directory-synced');
    return ok(undefined);
  } finally {
    if (!finished) await discard(childPath(parent, temporary));
  }
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
const CHUNK = 256 * 1024;

/** Set-user and sticky bits are not carried over to new content. */
const keptMode = (stat: BigIntStats | undefined): number | undefined =>
  stat === undefined ? undefined : Number(stat.mode) & 0o777;

async function fill(
  handle: FileHandle,
  { parent, stat }: Located,
  temporary: string,
  path: CleanPath,
  bytes: Uint8Array,
  { fault, mode }: Pick<ReplaceOptions, 'fault' | 'mode'>,
): Promise<FileResult<void>> {
  try {
    await fault('temporary-created');
    // Nothing is written before the file is known to be inside.
    if (guard('resolve.race', !(await isInside(parent, temporary, handle)))) {
      return fail({ code: 'E_FILE_CHANGED', path: path.shown });
    }
    if (stat !== undefined) await keepOwner(handle, stat);
    if (mode !== undefined) await handle.chmod(mode & 0o777);
    for (let at = 0; at < bytes.length; ) {
      if (at > 0) await fault('partly-written');
      const { bytesWritten } = await handle.write(bytes, at, Math.min(CHUNK, bytes.length - at), at);
      at += bytesWritten;
    }
    await fault('written');
    await handle.sync();
    await fault('synced');
    return ok(undefined);
  } finally {
    await handle.close();
  }
}

/** Gives the new content the owner of the old, where the system lets this user do so. */
async function keepOwner(handle: FileHandle, kept: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid === kept.uid && own.gid === kept.gid) return;
  try {
    await handle.chown(Number(kept.uid), Number(kept.gid));
  } catch (thrown) {
    if (systemCode(thrown) !== 'EPERM') throw thrown;
  }
}

async function place(
  { parent, name }: Located,
  temporary: string,
  path: CleanPath,
  exclusive: boolean,
): Promise<FileResult<void>> {
  const from = childPath(parent, temporary);
  const to = childPath(parent, name);
  if (!guard('write.if-absent', exclusive)) {
    await rename(from, to);
    return ok(undefined);
  }
  try {
    // A rename would replace a file that appeared meanwhile; a link fails if the name is taken.
    await link(from, to);
  } catch (thrown) {
    const system = systemCode(thrown);
    if (system === 'EEXIST') return fail({ code: 'E_FILE_CHANGED', path: path.shown });
    if (!NO_HARD_LINKS.has(system)) throw thrown;
    await rename(from, to);
    return ok(undefined);
  }
  await unlink(from);
  return ok(undefined);
}

/** What file systems without hard links answer; there `absent` is checked right before the rename instead. */
const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A temporary file that cannot be removed is harmless: it is never read or listed. */
async function discard(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
