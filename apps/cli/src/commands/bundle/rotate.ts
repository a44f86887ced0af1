import { dirname, resolve } from 'node:path';
import { createSealedKeys, type KeySigner } from '@cuebook/bundle';
import { publishApproved, publishOffline, type Rotation, rotateKeys } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import type { Io } from '../../io.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { refusalFailure, requireDone } from '../../platform/describe.js';
import { keyPlace, openKey } from '../../platform/keys.js';
import { byWhom, withPlatform } from '../../platform/open.js';
import { askPassphrases } from '../../platform/passphrase.js';

/**
 * `cuebook bundle rotate server --key FILE --key FILE`: a new key for the server, signed in by root keys.
 * `cuebook bundle rotate root --gone KEY --new DIR --key FILE --key FILE`: a new root key in place of another.
 */
export const rotate: CommandHandler = async (call) => {
  const { flags, io } = call;
  const what = oneArgument(call, `what to replace: ${hint`bundle rotate server --key FILE --key FILE`}`);
  if (what !== 'server' && what !== 'root')
    throw usage(`${hint`bundle rotate`} replaces the server’s key or a root key: rotate server, rotate root`);
  const change = what === 'root' ? changeOf(flags, io) : undefined;
  const files = flagValues(flags, 'key');
  return withPlatform(flags, io, async (platform) => {
    const { threshold, root: known } = platform.config.keys;
    if (files.length < threshold)
      throw usage(`${count(threshold, 'root key')} must agree: name each with --key FILE`);
    // Before a passphrase is asked for and a key is made.
    if (change !== undefined && !known.includes(change.gone))
      throw refusalFailure({ code: 'E_PLATFORM_HOME', reason: 'root-key' }, change.gone);
    const names = change === undefined ? files : [...files, 'the new root key'];
    const passphrases = await askPassphrases(names, flagValue(flags, 'passphrases'), io);
    const signers: KeySigner[] = [];
    for (const [index, file] of files.entries())
      signers.push(await openKey(resolve(io.cwd, file), file, passphrases[index] ?? ''));
    const root = change === undefined ? {} : { root: await replacementOf(change, passphrases) };
    const rotation: Rotation = { replace: what, signers, now: platform.now(), ...root };
    const rotated = requireDone(
      await rotateKeys(platform.files, platform.config, platform.trust.library, rotation),
      'The key was not replaced',
    );
    const { versions, keys } = rotated.config;
    const said = change === undefined ? 'the server has a new key' : 'a root key was replaced';
    if (isOn(flags, 'json')) await printJson(io, { versions, keys });
    else await io.out(`Root version ${versions.root}: ${said}\n`);
    return 0;
  }).then((code) => (code === 0 ? publishAgain(call) : code));
};

/** The root key that goes, and the folder of the one that comes. */
interface RootChange {
  readonly gone: string;
  readonly folder: string;
}

function changeOf(flags: Flags, io: Io): RootChange {
  const gone = flagValue(flags, 'gone') ?? '';
  const named = flagValue(flags, 'new');
  if (!/^[0-9a-f]{64}$/.test(gone))
    throw usage(`--gone KEY is the public key that goes, 64 digits as in ${hint`bundle keys`}`);
  if (named === undefined) throw usage('Say where the new root key goes, on a medium of its own: --new DIR');
  const folder = resolve(io.cwd, named);
  if (flagValues(flags, 'key').some((file) => dirname(resolve(io.cwd, file)) === folder))
    throw refusalFailure({ code: 'E_KEY', reason: 'same-place' }, named);
  return { gone, folder };
}

/** The new key, made in its folder. One that a rotation left there when it was cut off is used. */
async function replacementOf(
  { gone, folder }: RootChange,
  passphrases: readonly string[],
): Promise<NonNullable<Rotation['root']>> {
  const passphrase = passphrases.at(-1) ?? '';
  if (passphrases.indexOf(passphrase) !== passphrases.length - 1)
    throw refusalFailure({ code: 'E_KEY', reason: 'same-passphrase' }, 'The new root key');
  const place = await keyPlace(folder, 'root', passphrase);
  if ((await place.files.stat(place.path)).ok)
    return { gone, come: await openKey(resolve(folder, place.path), 'The new root key', passphrase) };
  const [come] = requireDone(await createSealedKeys([place]), 'The new root key');
  return { gone, come: come as KeySigner };
}

/** Everything again below the new root: what a replaced key signed counts for nobody any more. */
const publishAgain: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    requireDone(await publishOffline(platform.objects, platform.trust), 'The new root');
    const by = byWhom(flags, io);
    const { published } = requireDone(await publishApproved(platform, { by, again: true }), 'Not published');
    if (!isOn(flags, 'json')) await io.out(`${count(published.length, 'bundle')} published again\n`);
    return 0;
  });
