import { dirname, resolve } from 'node:path';
import { createSealedKeys, type KeySigner, printRequest } from '@cuebook/bundle';
import {
  type KeyChange,
  makeServerKey,
  type OpenPlatform,
  offlineTrust,
  renewPlatform,
  requestChange,
  rolesOf,
  rotateKeys,
  tellChange,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { refusalFailure, requireDone } from '../../platform/describe.js';
import { keyPlace, openKey } from '../../platform/keys.js';
import { withPlatform } from '../../platform/open.js';
import { askPassphrases } from '../../platform/passphrase.js';
import { writeNew } from '../../platform/request-file.js';

/**
 * `cuebook platform rotate ROLE`: another key for a role. With `--key` for each holder who is at hand it is done at once;
 * with `--out FILE` the holders sign on machines of their own.
 */
export const rotate: CommandHandler = async (call) => {
  const named = oneArgument(call, `the role: ${hint`platform rotate online --key FILE --key FILE`}`);
  const role = ROLES[named];
  if (role === undefined) throw usage(`A role is root, library, reviewer, online or log, not "${named}"`);
  return change(call, role);
};

/** `cuebook platform extend root|library`: a new year for what was signed offline, with the keys as they are. */
export const extend: CommandHandler = async (call) => {
  const named = oneArgument(call, `what to extend: ${hint`platform extend root --key FILE --key FILE`}`);
  if (named !== 'root' && named !== 'library') throw usage('What ends is the root or the library');
  return change(call, named === 'root' ? 'ends' : 'library-end');
};

type Asked = KeyChange['role'] | 'ends' | 'library-end';

const ROLES: Readonly<Record<string, KeyChange['role'] | undefined>> = {
  root: 'root',
  library: 'library',
  reviewer: 'reviews',
  online: 'online',
  server: 'online',
  log: 'log',
};

async function change(call: Call, asked: Asked): Promise<number> {
  const { flags, io } = call;
  const out = flagValue(flags, 'out');
  const files = flagValues(flags, 'key');
  const folder = newFolder(flags, io, files);
  const isServers = asked === 'online' || asked === 'log';
  return withPlatform(
    flags,
    io,
    async (platform) => {
      const gone = goneOf(platform, asked, flags);
      const threshold = thresholdOf(flags);
      if (asked === 'root' || asked === 'reviews') requireWhich(asked, flags, { gone, folder, threshold });
      const needed = rolesOf(platform.trust)[asked === 'library-end' ? 'library' : 'root'].threshold;
      if (out === undefined && files.length < needed)
        throw usage(
          `${count(needed, asked === 'library-end' ? 'library key' : 'root key')} must agree: name each with --key FILE, or ask the holders with --out FILE`,
        );
      if (out !== undefined && files.length > 0)
        throw usage('With --out the holders sign elsewhere: leave --key out');
      const names = [
        ...files,
        ...(folder === undefined ? [] : [`the new ${asked === 'reviews' ? 'reviewer' : asked} key`]),
      ];
      const passphrases =
        names.length === 0 ? [] : await askPassphrases(names, flagValue(flags, 'passphrases'), io);
      const signers: KeySigner[] = [];
      for (const [index, file] of files.entries())
        signers.push(await openKey(resolve(io.cwd, file), file, passphrases[index] ?? ''));
      const made = folder === undefined ? undefined : await newKey(folder, asked, passphrases);
      if (made !== undefined) signers.push(made);
      const server = isServers
        ? requireDone(await makeServerKey(platform.files, asked), 'The new key')
        : undefined;
      const come = [
        ...flagValues(flags, 'come'),
        ...(made ? [made.publicKey.hex] : []),
        ...(server ? [server] : []),
      ];
      const wanted =
        asked === 'ends' || asked === 'library-end'
          ? asked
          : { role: asked, come, gone, ...(threshold === undefined ? {} : { threshold }) };
      if (out !== undefined) return ask(call, platform, wanted, out);
      const { config: next } = requireDone(
        await rotateKeys(platform, wanted, { signers, now: platform.now() }),
        'The key was not replaced',
      );
      const { versions, keys } = next;
      if (isOn(flags, 'json')) await printJson(io, { versions, keys });
      else await io.out(`Root version ${versions.root}: ${SAID[asked]}\n`);
      return renewAfter(call, platform);
    },
    LENIENT,
  );
}

/** A key of the server that is lost is what a change of keys is for. */
export const LENIENT = { withoutKeys: true } as const;

/** Everything again below the new root: what a replaced key signed counts for nobody any more. */
export async function renewAfter({ flags, io }: Call, platform: OpenPlatform): Promise<number> {
  requireDone(await platform.follow(), 'Not renewed yet');
  const [lost] = platform.lost;
  if (lost !== undefined) {
    if (!isOn(flags, 'json'))
      await io.out(
        told(
          io,
          `Nothing is signed again yet: the key ${lost} is lost too. Go on with: ${hint`platform rotate ${lost} --key FILE`}\n`,
        ),
      );
    return 1;
  }
  const report = requireDone(await renewPlatform(platform, byWhom(flags, io)), 'Not renewed yet');
  const { objects, snapshot } = report.agents;
  if (!isOn(flags, 'json')) {
    await io.out(`${count(objects.length + snapshot.length, 'bundle')} signed again\n`);
    for (const { agent, reason } of report.left)
      await io.out(
        told(
          io,
          `${agent}  ${reason === 'unsigned' ? `waits for a reviewer: ${hint`card renew`}` : reason}\n`,
        ),
      );
  }
  return report.left.length === 0 ? 0 : 1;
}

async function ask(
  { flags, io }: Call,
  platform: OpenPlatform,
  wanted: KeyChange | 'ends' | 'library-end',
  out: string,
): Promise<number> {
  const request = requireDone(
    requestChange(platform.name, await offlineTrust(platform), wanted, platform.now()),
    'There is nothing to sign',
  );
  await writeNew(io, out, printRequest(request));
  const changes = tellChange(request);
  if (isOn(flags, 'json')) await printJson(io, { status: 'waiting', request: out, changes });
  else {
    for (const line of changes) await io.out(`${line}\n`);
    await io.out(
      told(
        io,
        `Wrote ${out}. Each holder signs it with: ${hint`platform sign ${out} --key FILE`}\nThen go on with: ${hint`platform apply ${out} --signature FILE --signature FILE`}\n`,
      ),
    );
  }
  return 0;
}

const SAID: Readonly<Record<Asked, string>> = {
  root: 'a root key was replaced',
  library: 'the library has a new key',
  reviews: 'the reviewers changed',
  online: 'the server has a new key',
  log: 'the log has a new key',
  ends: 'what was signed offline has a new end',
  'library-end': 'the library has a new end',
};

function goneOf({ trust }: OpenPlatform, asked: Asked, flags: Flags): readonly string[] {
  if (asked === 'ends' || asked === 'library-end') return [];
  const { keys } = rolesOf(trust)[asked];
  const gone = flagValues(flags, 'gone');
  const isOneByOne = asked === 'root' || asked === 'reviews';
  // The server has one key of each kind. Another key of the library takes the place of all, unless it is said who goes.
  const isWhole = asked !== 'library' || (gone.length === 0 && flagValue(flags, 'threshold') === undefined);
  if (!isOneByOne && isWhole) return keys;
  const stranger = gone.find((hex) => !keys.includes(hex) && /^[0-9a-f]{64}$/.test(hex));
  // Before a passphrase is asked for and a key is made.
  if (stranger !== undefined) throw refusalFailure({ code: 'E_KEYS', reason: 'change' }, stranger);
  return gone;
}

/** What a change of root keys or reviewers needs. */
function requireWhich(
  asked: 'root' | 'reviews',
  flags: Flags,
  {
    gone,
    folder,
    threshold,
  }: {
    readonly gone: readonly string[];
    readonly folder: string | undefined;
    readonly threshold: number | undefined;
  },
): void {
  const come = flagValues(flags, 'come');
  if (
    [...gone, ...come].some((hex) => !/^[0-9a-f]{64}$/.test(hex)) ||
    (asked === 'root' && gone.length === 0 && threshold === undefined && come.length === 0)
  )
    throw usage(`--gone KEY is the public key that goes, 64 digits as in ${hint`bundle keys`}`);
  if (
    folder !== undefined ||
    come.length > 0 ||
    threshold !== undefined ||
    (asked === 'reviews' && gone.length > 0)
  )
    return;
  throw usage(
    asked === 'root'
      ? 'Say where the new root key goes, on a medium of its own: --new DIR. One that its holder made is named with --come KEY'
      : 'Say who comes or goes: --come KEY, --new DIR or --gone KEY',
  );
}

function thresholdOf(flags: Flags): number | undefined {
  const named = flagValue(flags, 'threshold');
  if (named === undefined) return undefined;
  if (!/^[1-9]\d?$/.test(named)) throw usage('--threshold N is how many must agree');
  return Number(named);
}

/** The folder of a new key: none that another key is in. */
function newFolder(flags: Flags, io: Io, files: readonly string[]): string | undefined {
  const named = flagValue(flags, 'new');
  if (named === undefined) return undefined;
  const folder = resolve(io.cwd, named);
  if (files.some((file) => dirname(resolve(io.cwd, file)) === folder))
    throw refusalFailure({ code: 'E_KEY', reason: 'same-place' }, named);
  return folder;
}

/** The new key, made in its folder. One that a rotation left there when it was cut off is used. */
async function newKey(folder: string, asked: Asked, passphrases: readonly string[]): Promise<KeySigner> {
  const passphrase = passphrases.at(-1) ?? '';
  if (passphrases.indexOf(passphrase) !== passphrases.length - 1)
    throw refusalFailure({ code: 'E_KEY', reason: 'same-passphrase' }, 'The new key');
  const place = await keyPlace(folder, asked === 'reviews' ? 'reviewer' : asked, passphrase);
  if ((await place.files.stat(place.path)).ok)
    return openKey(resolve(folder, place.path), 'The new key', passphrase);
  const [made] = requireDone(await createSealedKeys([place]), 'The new key');
  return made as KeySigner;
}
