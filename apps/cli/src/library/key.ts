import { join, resolve } from 'node:path';
import type { KeySigner } from '@cuebook/bundle';
import type { OpenPlatform } from '@cuebook/platform';
import { type Flags, flagValue } from '../command.js';
import { Failure, usage } from '../failure.js';
import type { Io } from '../io.js';
import { keysFolder, openKey } from '../platform/keys.js';
import { askPassphrases } from '../platform/passphrase.js';
import { readNamedFile } from '../project/named-file.js';

/** The library's key that the call names. */
export async function openNamedKey(flags: Flags, io: Io): Promise<KeySigner> {
  const named = flagValue(flags, 'key');
  if (named === undefined) throw usage('Name the library’s key: --key FILE');
  const [passphrase = ''] = await askPassphrases(['the library’s key'], flagValue(flags, 'passphrases'), io);
  return openKey(resolve(io.cwd, named), named, passphrase);
}

/** The key that the call names, or that of a platform to try things out, which lies beside it. */
export async function openLibraryKey(flags: Flags, io: Io, { config }: OpenPlatform): Promise<KeySigner> {
  if (flagValue(flags, 'key') !== undefined) return openNamedKey(flags, io);
  const folder = await keysFolder(flags, io);
  const passphrase = await rehearsed(join(folder, 'passphrases.txt'), config.keys.root.length);
  if (passphrase === undefined)
    throw usage(
      'Nothing was signed: name the library’s key with --key FILE, or hand in what was signed elsewhere',
    );
  return openKey(join(folder, 'library', 'library.key.json'), 'the library’s key', passphrase);
}

/** The line of the library's key, behind those of the root keys. */
async function rehearsed(file: string, roots: number): Promise<string | undefined> {
  try {
    return (await readNamedFile('/', file)).split('\n')[roots];
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
