import { basename, dirname, join, resolve } from 'node:path';
import { type KeyPlace, type KeySigner, openSealedKey } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { type Flags, flagValue } from '../command.js';
import type { Io } from '../io.js';
import { requireFile } from '../project/named-file.js';
import { requireDone } from './describe.js';
import { platformFolder } from './open.js';
import { askPassphrases } from './passphrase.js';

/** The folder of the keys that are kept away from the platform, where none was named. */
export const keysFolder = async (flags: Flags, io: Io): Promise<string> =>
  join(dirname(await platformFolder(flags, io)), 'platform-keys');

/** A place for a key: a file in a folder, which is made if it is missing. */
export async function keyPlace(folder: string, name: string, passphrase: string): Promise<KeyPlace> {
  const files = requireFile(await openFolder(folder, { create: true }), basename(folder));
  return { files, path: `${name}.key.json`, passphrase };
}

/** The reviewer's key: `--key FILE`, or the one that `platform init` made here. */
export async function openReviewer(flags: Flags, io: Io): Promise<KeySigner> {
  const own = join(await keysFolder(flags, io), 'reviewer');
  const named = flagValue(flags, 'key');
  const file = named === undefined ? join(own, 'reviewer.key.json') : resolve(io.cwd, named);
  const rehearsed = join(own, 'passphrase.txt');
  const passphrases = flagValue(flags, 'passphrases') ?? ((await isFile(rehearsed)) ? rehearsed : undefined);
  const [passphrase = ''] = await askPassphrases(['the reviewer’s key'], passphrases, io);
  return openKey(file, named ?? 'the reviewer’s key', passphrase);
}

/** Opens a sealed key that lies anywhere. */
export async function openKey(file: string, shown: string, passphrase: string): Promise<KeySigner> {
  const files = requireFile(await openFolder(dirname(file), { access: 'ro' }), shown);
  return requireDone(await openSealedKey({ files, path: basename(file), passphrase }), shown);
}

async function isFile(path: string): Promise<boolean> {
  const files = await openFolder(dirname(path), { access: 'ro' });
  return files.ok && (await files.value.stat(basename(path))).ok;
}
