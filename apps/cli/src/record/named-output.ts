import { basename, dirname, resolve } from 'node:path';
import { openFolder } from '@cuebook/files';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { requireFile } from '../project/named-file.js';

/** Writes a file that the caller named, private to the user. A file that is there already is left as it is. */
export async function writeNamedFile(io: Io, named: string, bytes: Uint8Array): Promise<void> {
  const full = resolve(io.cwd, named);
  const folder = requireFile(await openFolder(dirname(full)), named);
  requireFile(await folder.writeBytes(basename(full), bytes, { mode: 0o600, ifMatch: 'absent' }), named);
}

/** Refuses a name that is taken before the work whose result would go there, not after it. */
export async function requireNewFile(io: Io, named: string): Promise<void> {
  const full = resolve(io.cwd, named);
  const folder = requireFile(await openFolder(dirname(full)), named);
  if ((await folder.stat(basename(full))).ok) {
    throw new Failure('E_WOULD_OVERWRITE', `Nothing was done: ${named} would be overwritten`, { exit: 1 });
  }
}

/** The same for a file that is made anew each time, such as a report: what was there is replaced. */
export async function replaceNamedFile(io: Io, named: string, bytes: Uint8Array): Promise<void> {
  const full = resolve(io.cwd, named);
  const folder = requireFile(await openFolder(dirname(full)), named);
  requireFile(await folder.writeBytes(basename(full), bytes), named);
}
