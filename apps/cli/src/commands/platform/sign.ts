import { resolve } from 'node:path';
import {
  createSealedKeys,
  printSignature,
  type RequestSignature,
  readRequest,
  readSignature,
  signRequest,
} from '@cuebook/bundle';
import { applyRequest, tellChange } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { keyPlace, openKey } from '../../platform/keys.js';
import { withPlatform } from '../../platform/open.js';
import { askPassphrases } from '../../platform/passphrase.js';
import { readBytesOf, writeNew } from '../../platform/request-file.js';
import { LENIENT, renewAfter } from './rotate.js';

/** `cuebook platform key DIR`: a sealed key for whoever will hold it, on a machine of theirs. Needs no platform. */
export const key: CommandHandler = async (call) => {
  const { flags, io } = call;
  const folder = oneArgument(call, `a folder for it: ${hint`platform key DIR`}`);
  const [passphrase = ''] = await askPassphrases(['the new key'], flagValue(flags, 'passphrases'), io);
  const place = await keyPlace(resolve(io.cwd, folder), flagValue(flags, 'name') ?? 'holder', passphrase);
  const [made] = requireDone(await createSealedKeys([place]), 'The new key');
  const publicKey = made?.publicKey.hex ?? '';
  if (isOn(flags, 'json')) await printJson(io, { publicKey, file: place.path });
  else await io.out(`${publicKey}\n`);
  return 0;
};

/** `cuebook platform sign FILE --key FILE`: one holder's signature for a request. Needs no platform and no network. */
export const sign: CommandHandler = async (call) => {
  const { flags, io } = call;
  const file = oneArgument(call, `the request: ${hint`platform sign FILE --key FILE`}`);
  const [named, ...more] = flagValues(flags, 'key');
  if (named === undefined || more.length > 0) throw usage('--key FILE is the sealed key of one holder');
  const request = requireDone(readRequest(await readBytesOf(io, file)), file);
  const changes = tellChange(request);
  if (isAtTerminal(io)) {
    await io.out(`${request.platform}\n${changes.map((line) => `  ${line}\n`).join('')}`);
    const { confirm } = await import('../../input/questions.js');
    if ((await confirm({ message: 'Sign this?', initialValue: false })) !== true)
      throw new Failure('E_SIGNING', 'Nothing was signed', { exit: 1 });
  }
  const [passphrase = ''] = await askPassphrases([named], flagValue(flags, 'passphrases'), io);
  const signer = await openKey(resolve(io.cwd, named), named, passphrase);
  const signature = requireDone(signRequest(request, signer), named);
  const out = flagValue(flags, 'out') ?? `${file}.${signer.keyId.slice(0, 8)}.sig`;
  await writeNew(io, out, printSignature(signature));
  if (isOn(flags, 'json')) await printJson(io, { signature: out, keyId: signer.keyId, changes });
  else {
    for (const line of isAtTerminal(io) ? [] : changes) await io.out(`${line}\n`);
    await io.out(`Signed. Hand over ${out}\n`);
  }
  return 0;
};

/** `cuebook platform apply FILE --signature FILE`: takes what enough holders have signed, and renews everything. */
export const apply: CommandHandler = async (call) => {
  const { flags, io } = call;
  const file = oneArgument(call, `the request: ${hint`platform apply FILE --signature FILE`}`);
  const request = requireDone(readRequest(await readBytesOf(io, file)), file);
  const signatures: RequestSignature[] = [];
  for (const named of flagValues(flags, 'signature'))
    signatures.push(requireDone(readSignature(await readBytesOf(io, named)), named));
  return withPlatform(
    flags,
    io,
    async (platform) => {
      const { config: next } = requireDone(
        await applyRequest(platform, request, signatures),
        'The request was not taken',
      );
      const { versions, keys } = next;
      if (isOn(flags, 'json')) await printJson(io, { versions, keys, changes: tellChange(request) });
      else await io.out(told(io, `Root version ${versions.root}: ${tellChange(request).join('; ')}\n`));
      return renewAfter(call, platform);
    },
    LENIENT,
  );
};
