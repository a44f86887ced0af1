import { join, resolve } from 'node:path';
import type { Io } from '../io.js';

/** CUEBOOK_HOME of a project: the one that is named, else `.cuebook` in its folder. */
export const homeFolder = (folder: string, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string =>
  env.CUEBOOK_HOME ? resolve(cwd, env.CUEBOOK_HOME) : join(folder, '.cuebook');
