import { isAbsolute, relative, sep } from 'node:path';
import { guard } from '@cuebook/guard';

/** A path as it is named from the folder; undefined when it lies elsewhere. */
export function insideName(folder: string, path: string): string | undefined {
  const name = relative(folder, path);
  const isOutside = name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);
  if (guard('run.outside', isOutside)) return undefined;
  return name === '' ? '.' : name.split(sep).join('/');
}
