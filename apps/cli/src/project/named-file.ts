import { parse, resolve } from 'node:path';
import { describeFileError, type FileResult, type Files, openFolder } from '@cuebook/files';
import { Failure } from '../failure.js';

/**
 * A file or folder that the caller named on the command line. It may lie anywhere that this user may read;
 * errors name it by the caller's own words.
 */
export interface NamedPath {
  /** The whole disk (or drive), read only. */
  readonly disk: Files;
  /** Relative to `disk`. */
  readonly path: string;
  readonly full: string;
}

/** Opens the disk at the path the caller named, seen from `cwd`. */
export async function namedPath(cwd: string, named: string): Promise<NamedPath> {
  const full = resolve(cwd, named);
  const { root } = parse(full);
  const disk = requireFile(await openFolder(root, { access: 'ro' }), named);
  return { disk, path: full.slice(root.length) || '.', full };
}

/** The text of a file the caller named: strict UTF-8, of bounded size. */
export async function readNamedFile(cwd: string, named: string): Promise<string> {
  const { disk, path } = await namedPath(cwd, named);
  return requireFile(await disk.readText(path), named);
}

/** The value, or the failure told by the caller's words. */
export function requireFile<Value>(result: FileResult<Value>, named: string): Value {
  if (result.ok) return result.value;
  throw new Failure(result.error.code, describeFileError({ ...result.error, path: named }));
}
