import { basename, dirname, resolve } from 'node:path';
import { openFolder } from '@cuebook/files';
import type { Io } from '../io.js';
import { namedPath, requireFile } from '../project/named-file.js';

/** Writes a file that the caller named and that is not there yet. */
export async function writeNew(io: Pick<Io, 'cwd'>, named: string, bytes: Buffer): Promise<void> {
  const full = resolve(io.cwd, named);
  const files = requireFile(await openFolder(dirname(full), { create: true }), named);
  requireFile(await files.writeBytes(basename(full), bytes, { ifMatch: 'absent' }), named);
}

/** The bytes of a file that the caller named. */
export async function readBytesOf(io: Pick<Io, 'cwd'>, named: string): Promise<Uint8Array> {
  const { disk, path } = await namedPath(io.cwd, named);
  return requireFile(await disk.readBytes(path, { limit: 16 * 1024 * 1024 }), named);
}
