import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * The file of this installation that `cuebook:PACKAGE/FILE` names, from the folder that the command was called in;
 * undefined for other references.
 */
export function shippedPath(ref: string, cwd: string): string | undefined {
  const [, owner, file] = /^cuebook:([a-z]+)\/([\w.-]+(?:\/[\w.-]+)*)$/.exec(ref) ?? [];
  if (owner === undefined || file === undefined || file.split('/').includes('..')) return undefined;
  const path = publishedPath(owner, file) ?? packagePath(owner, file);
  if (path === undefined) return undefined;
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}

const require = createRequire(import.meta.url);

/** In the published command the texts of its packages stand below `parts`. */
function publishedPath(owner: string, file: string): string | undefined {
  try {
    return require.resolve(`../../parts/${owner}/texts/${file}`);
  } catch {
    return undefined; // A clone, or a package that is published itself.
  }
}

function packagePath(owner: string, file: string): string | undefined {
  try {
    return join(dirname(require.resolve(`@cuebook/${owner}`)), '..', 'texts', file);
  } catch {
    return undefined; // A package that is not installed has no file to open.
  }
}
