import { isAbsolute, relative } from 'node:path';
import { usage } from '../failure.js';
import type { Io } from '../io.js';

/** Whether every named file lies below the folder, so that watching it sees their changes. */
export function requireWatchable(named: readonly string[], folder: string, io: Io): void {
  for (const each of named) {
    if (each === '-') throw usage('Standard input can be read only once: --watch needs files');
    if (isOutside(relativeTo(folder, each, io))) throw usage(`--watch does not see ${each}: it lies outside`);
  }
}

const relativeTo = (folder: string, named: string, io: Io): string =>
  relative(folder, isAbsolute(named) ? named : `${io.cwd}/${named}`);

/** Whether a path that was made relative leads out. */
export const isOutside = (path: string): boolean =>
  path === '..' || /^\.\.[\\/]/.test(path) || isAbsolute(path);
