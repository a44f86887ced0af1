import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * The file of this installation that `cuebook:PACKAGE/FILE` names, from the folder that the command was called in;
 * undefined for other references.
 */
export function shippedPath(ref: string, cwd: string): string | undefined {
  const [, owner, file] = /^cuebook:([a-z]+)\/([\w.-]+(?:\/[\w.-]+)*)$/.exec(ref) ?? [];
  if (owner === undefined || file === undefined || file.split('/').includes('..')) return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve(`@cuebook/${owner}`);
    const path = join(dirname(entry), '..', 'texts', file);
    const near = relative(cwd, path);
    return near.startsWith('..') ? path : near;
  } catch {
    // A package that is not installed has no file to open.
    return undefined;
  }
}
