import { relative, sep } from 'node:path';

/** The path of a folder inside another as git spells it; undefined when it is not inside. */
export function pathInside(folder: string, inner: string): string | undefined {
  const path = relative(folder, inner).split(sep).join('/');
  return path === '' || path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path;
}
