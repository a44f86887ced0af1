import type { KeySigner } from '@cuebook/bundle';
import {
  changesOf,
  findLibrary,
  joinLists,
  type LibraryChanges,
  type LibraryRequest,
  publishLibrary,
  readLibraryFile,
  requestLibrary,
  requestSchema,
  signatureSchema,
  signLibrary,
  versionName,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { openLibraryKey, openNamedKey } from '../../library/key.js';
import { requireCases } from '../../library/run-cases.js';
import { printJson } from '../../output/json.js';
import { count, screenText } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { readNamedFile } from '../../project/named-file.js';
import { timeText } from '../../record/event-text.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';

/** `cuebook library request --out FILE`: all that is to be signed, for the machine of the library's key. */
export const request: CommandHandler = async ({ args, flags, io }) => {
  const out = flagValue(flags, 'out');
  if (args.length > 0 || out === undefined)
    throw usage(`Say where the request goes: ${hint`library request --out request.json`}`);
  return withPlatform(flags, io, async (platform) => {
    const asked = requestLibrary(platform, await findLibrary(platform));
    await writeNamedFile(io, out, Buffer.from(JSON.stringify(asked)));
    if (isOn(flags, 'json'))
      await printJson(io, { file: out, version: asked.version, templates: asked.templates.length });
    else
      await io.out(
        told(
          io,
          `Wrote ${out}: list ${asked.version} with ${count(asked.templates.length, 'version')}. Carry it to the library’s key and sign it there: ${hint`library sign request.json --key FILE --out signature.json`}\n`,
        ),
      );
    return 0;
  });
};

/** `cuebook library sign REQUEST --key FILE --out FILE`: needs the request and the key, no platform and no network. */
export const sign: CommandHandler = async (call) => {
  const { flags, io } = call;
  const file = oneArgument(
    call,
    `the request: ${hint`library sign request.json --key FILE --out signature.json`}`,
  );
  const out = flagValue(flags, 'out');
  if (out === undefined) throw usage('Say where the signature goes: --out FILE');
  await requireNewFile(io, out);
  const asked = requireDone(
    readLibraryFile(Buffer.from(await readNamedFile(io.cwd, file)), requestSchema),
    file,
  );
  const signer = await openNamedKey(flags, io);
  const { changes, cases } = await lookAt(call, asked, signer);
  const signature = signLibrary(asked, signer);
  await writeNamedFile(io, out, Buffer.from(JSON.stringify(signature)));
  if (isOn(flags, 'json'))
    await printJson(io, { file: out, version: asked.version, ...changeNames(changes), cases });
  else {
    await io.out(changesText(asked, changes, cases, io.terminal.out));
    await io.out(
      told(io, `Signed: ${out}. Carry it back and hand it in: ${hint`library publish signature.json`}\n`),
    );
  }
  return 0;
};

/**
 * `cuebook library publish [SIGNATURE...]`: takes what was signed, by as many holders as must agree; without a file,
 * signs with a key that is here.
 */
export const publish: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [file] = args;
  return withPlatform(flags, io, async (platform) => {
    const signature =
      file === undefined
        ? await signHere(
            call,
            requestLibrary(platform, await findLibrary(platform)),
            await openLibraryKey(flags, io, platform),
          )
        : await readSignatures(call, [file, ...args.slice(1)]);
    const done = requireDone(
      await publishLibrary(platform, signature, byWhom(flags, io)),
      file ?? 'The library',
    );
    if (isOn(flags, 'json')) await printJson(io, done);
    else {
      const named = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
      await io.out(
        told(
          io,
          `List ${done.version}: added ${named(done.added)}, retired ${named(done.retired)}. Assign a version with ${hint`library pin NAME@VERSION`}, or try it first: ${hint`help experiment`}\n`,
        ),
      );
    }
    return 0;
  });
};

async function readSignatures({ io }: Call, files: readonly [string, ...string[]]) {
  const read = async (file: string) =>
    requireDone(readLibraryFile(Buffer.from(await readNamedFile(io.cwd, file)), signatureSchema), file);
  const [first, ...more] = files;
  const others = [];
  for (const each of more) others.push(await read(each));
  return requireDone(joinLists([await read(first), ...others]), 'The signatures');
}

async function signHere(call: Call, asked: LibraryRequest, signer: KeySigner) {
  await lookAt(call, asked, signer);
  return signLibrary(asked, signer);
}

/** Whatever is new is checked, and its cases run; nothing is signed when one fails. */
async function lookAt(call: Call, asked: LibraryRequest, signer: KeySigner) {
  const changes = requireDone(changesOf(asked, signer), 'Nothing was signed');
  let cases = 0;
  for (const scenario of changes.added) {
    const name = versionName(scenario);
    const text = Object.hasOwn(asked.cases, name) ? asked.cases[name] : undefined;
    if (text !== undefined) cases += (await requireCases(call, scenario, text)).cases;
  }
  return { changes, cases };
}

const changeNames = ({ added, retired, isOwn }: LibraryChanges) => ({
  added: added.map(versionName),
  retired,
  isOwn,
});

function changesText(
  { platform, version, expires, templates }: LibraryRequest,
  { added, retired, isOwn }: LibraryChanges,
  cases: number,
  isTerminal: boolean,
): string {
  const shown = (text: string) => screenText(text, isTerminal);
  return [
    `Platform ${shown(platform)}, list ${version} of ${count(templates.length, 'version')}, until ${timeText(expires)}`,
    ...(isOwn ? [] : ['This key did not sign the list before: every version counts as new']),
    ...added.flatMap((each) => [
      `+ ${versionName(each)} ${shown(each.summary)}`,
      ...each.template.split('\n').map((line) => `    ${shown(line)}`),
    ]),
    ...retired.map((name) => `- ${shown(name)}`),
    `${count(cases, 'case')} passed`,
    '',
  ].join('\n');
}
