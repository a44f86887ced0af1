import { basename, delimiter, dirname, resolve } from 'node:path';
import { openFolder } from '@cuebook/files';

/**
 * Whether a command would be found, without running it: a program that a project's file names is nobody's to
 * start just because somebody looks.
 */
export async function isOnPath(
  command: string,
  { env, folder }: { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string },
): Promise<boolean> {
  if (/[\\/]/.test(command)) return isFile(dirname(resolve(folder, command)), basename(command));
  const folders = (env.PATH ?? '').split(delimiter).filter((each) => each !== '');
  for (const each of folders.slice(0, MAX_FOLDERS)) if (await isFile(each, command)) return true;
  return false;
}

const MAX_FOLDERS = 200;

/** A link that leads out of its folder cannot be followed here, and is there. */
async function isFile(folder: string, name: string): Promise<boolean> {
  const files = await openFolder(folder, { access: 'ro' });
  if (!files.ok) return false;
  const found = await files.value.stat(name);
  return found.ok ? found.value.kind === 'file' : found.error.code === 'E_SANDBOX_VIOLATION';
}
