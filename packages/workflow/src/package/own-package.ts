import { createHash } from 'node:crypto';
import type { FileError, Files } from '@cuebook/files';
import { ok, type Result } from '@cuebook/prompt';
import { isOwnFolder } from '../profile.js';

/** Whether a folder of the project was written in it: not installed, and not another repository inside of it. */
export async function isOwnPackage(files: Files, folder: string): Promise<boolean> {
  if (isOwnFolder(folder).trust !== 'author') return false;
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    if ((await files.stat(`${parts.slice(0, depth).join('/')}/.git`)).ok) return false;
  }
  return true;
}

/** The hash of every file of a package's folder with its path: what a person accepts. */
export async function packageFolderHash(files: Files): Promise<Result<string, FileError>> {
  const rows: (readonly [path: string, hash: string])[] = [];
  for await (const path of files.walk('.', { ignore: ['.git'] })) {
    if (!path.ok) return path;
    const bytes = await files.readBytes(path.value);
    if (!bytes.ok) return bytes;
    rows.push([path.value, sha256(bytes.value)]);
  }
  return ok(sha256(JSON.stringify(rows)));
}

const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
