import { resolve } from 'node:path';
import { publishApproved, publishOffline, rotateKeys } from '@cuebook/bundle';
import { flagValue, flagValues, type Handler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { openKey } from '../../platform/keys.js';
import { byWhom, withPlatform } from '../../platform/open.js';
import { askPassphrases } from '../../platform/passphrase.js';

/** `cuebook bundle keys`: the public keys of every role. */
export const keys: Handler = async ({ flags, io }) =>
  withPlatform(flags, io, async ({ config }) => {
    const { keys: known, versions, name } = config;
    if (isOn(flags, 'json')) await printJson(io, { name, keys: known, versions });
    else {
      await io.out(
        `${name}, root version ${versions.root}: ${known.threshold} of ${known.root.length} must agree\n`,
      );
      for (const key of known.root) await io.out(`root      ${key}\n`);
      for (const role of ['library', 'reviewer', 'online', 'log'] as const)
        await io.out(`${role.padEnd(9)} ${known[role]}\n`);
    }
    return 0;
  });

/** `cuebook bundle rotate server --key FILE --key FILE`: a new key for the server, signed in by root keys. */
export const rotate: Handler = async (call) => {
  const { flags, io } = call;
  const what = oneArgument(call, 'what to replace: cuebook bundle rotate server --key FILE --key FILE');
  if (what !== 'server') throw usage('cuebook bundle rotate replaces the key of the server: rotate server');
  const files = flagValues(flags, 'key');
  return withPlatform(flags, io, async (platform) => {
    const { threshold } = platform.config.keys;
    if (files.length < threshold)
      throw usage(`${count(threshold, 'root key')} must agree: name each with --key FILE`);
    const passphrases = await askPassphrases(files, flagValue(flags, 'passphrases'), io);
    const signers = [];
    for (const [index, file] of files.entries())
      signers.push(await openKey(resolve(io.cwd, file), file, passphrases[index] ?? ''));
    const rotation = { replace: 'server', signers, now: platform.now() } as const;
    const rotated = requireDone(
      await rotateKeys(platform.files, platform.config, platform.trust.library, rotation),
      'The key was not replaced',
    );
    const { versions } = rotated.config;
    if (isOn(flags, 'json')) await printJson(io, { versions, keys: rotated.config.keys });
    else await io.out(`Root version ${versions.root}: the server has a new key\n`);
    return 0;
  }).then((code) => (code === 0 ? publishAgain(call) : code));
};

/** Everything again with the new key: what the old one signed counts for nobody any more. */
const publishAgain: Handler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    requireDone(await publishOffline(platform.objects, platform.trust), 'The new root');
    const by = byWhom(flags, io);
    const { published } = requireDone(await publishApproved(platform, { by, again: true }), 'Not published');
    if (!isOn(flags, 'json')) await io.out(`${count(published.length, 'bundle')} published again\n`);
    return 0;
  });
