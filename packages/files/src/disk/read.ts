import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import { DEFAULT_READ_LIMIT, type ReadOptions, type TextDocument } from '../contract.js';
import type { FileKind } from '../error.js';
import type { Fault } from '../fault.js';
import type { CleanPath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { childPath, type Directory, isInside, NO_FOLLOW, namesOfOpen } from './directory.js';
import { type Located, withLocated } from './locate.js';
import type { Mount } from './mount.js';
import { findInvalidUtf8 } from './utf8.js';

export function readBytes(
  mount: Mount,
  path: CleanPath,
  fault: Fault,
  options: ReadOptions = {},
): Promise<FileResult<Uint8Array>> {
  return withLocated(mount, path, { create: false, follow: true }, async (located) => {
    await fault('located');
    return readLocated(located, path, options);
  });
}

/** Reads what a path was found to lead to. */
export const readLocated = (
  located: Located,
  path: CleanPath,
  options: ReadOptions = {},
): Promise<FileResult<Uint8Array>> =>
  withOpenFile(located, path, (handle, stat) => readBounded(handle, stat, path, options));

/** Strict UTF-8: a byte that is not is an error with its offset, never a replacement character. */
export function decodeText(
  path: CleanPath,
  bytes: Uint8Array,
): FileResult<Pick<TextDocument, 'text' | 'hasByteOrderMark'>> {
  if (guard('read.utf8', !isUtf8(bytes))) {
    return fail({ code: 'E_NOT_UTF8', path: path.shown, offset: findInvalidUtf8(bytes) });
  }
  const whole = DECODER.decode(bytes);
  const hasByteOrderMark = whole.startsWith('\uFEFF');
  return ok({ text: hasByteOrderMark ? whole.slice(1) : whole, hasByteOrderMark });
}

/** The text with what an editor needs. */
export function decodeDocument(path: CleanPath, bytes: Uint8Array): FileResult<TextDocument> {
  const decoded = decodeText(path, bytes);
  if (!decoded.ok) return decoded;
  return ok({ path: path.text, ...decoded.value, sha256: sha256Of(bytes), size: bytes.length });
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Opens a regular file that is inside the root at this moment; never waits on a pipe or wakes a device. */
export async function withOpenFile<Value>(
  { parent, name, stat }: Located,
  path: CleanPath,
  use: (handle: FileHandle, stat: BigIntStats) => Promise<FileResult<Value>>,
): Promise<FileResult<Value>> {
  if (stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
  if (guard('read.special', !stat.isFile())) return notAFile(path, stat);

  const handle = await open(childPath(parent, name), OPEN_FILE);
  try {
    const opened = await handle.stat({ bigint: true });
    if (guard('read.special', !opened.isFile())) return notAFile(path, opened);
    if (guard('resolve.race', !(await isInside(parent, name, handle)))) {
      return fail({ code: 'E_FILE_CHANGED', path: path.shown });
    }
    if (await isWithheldFile(parent, name, handle, opened)) {
      return fail({ code: 'E_SANDBOX_VIOLATION', path: path.shown, reason: 'withheld' });
    }
    return await use(handle, opened);
  } finally {
    await handle.close();
  }
}

/** Whether the file that is open now is withheld, where it really is. */
async function isWithheldFile(
  parent: Directory,
  name: string,
  handle: FileHandle,
  stat: BigIntStats,
): Promise<boolean> {
  const { withheld } = parent.mount;
  if (withheld === undefined) return false;
  const names = await namesOfOpen(parent, name, handle);
  return withheld.open(names, { fd: handle.fd, stat }) !== undefined;
}

/** The hash of an open file, in constant memory. */
export async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunk = new Uint8Array(CHUNK);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function kindOf(stat: Pick<BigIntStats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileKind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  return stat.isSymbolicLink() ? 'symlink' : 'other';
}

const CHUNK = 64 * 1024;
const OPEN_FILE = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const notAFile = (path: CleanPath, stat: BigIntStats): FileResult<never> =>
  fail({ code: 'E_NOT_A_FILE', path: path.shown, kind: kindOf(stat) });

/** Trusts the size only to refuse early: a file of size 0 may stream and any file may grow. */
async function readBounded(
  handle: FileHandle,
  stat: BigIntStats,
  path: CleanPath,
  { limit = DEFAULT_READ_LIMIT, beginning = false }: ReadOptions,
): Promise<FileResult<Uint8Array>> {
  if (beginning) {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(limit), 0, limit, 0);
    return ok(buffer.subarray(0, bytesRead));
  }
  const tooLarge = fail({ code: 'E_FILE_TOO_LARGE', path: path.shown, limit, unit: 'bytes' });
  if (guard('read.limit', stat.size > limit)) return tooLarge;

  let bytes = new Uint8Array(Number(stat.size) + 1);
  let length = 0;
  for (;;) {
    if (length === bytes.length) bytes = grow(bytes);
    const { bytesRead } = await handle.read(bytes, length, Math.min(bytes.length - length, MAX_READ), length);
    if (bytesRead === 0) return ok(bytes.subarray(0, length));
    length += bytesRead;
    if (guard('read.limit', length > limit)) return tooLarge;
  }
}

const MAX_READ = 8 * 1024 * 1024;

function grow(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(CHUNK, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
