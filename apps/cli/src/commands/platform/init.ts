import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { openFolder } from '@cuebook/files';
import { foundPlatform, type PlatformConfig } from '@cuebook/platform';
import { CONFIG_FILE } from '@cuebook/profile';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { printJson } from '../../output/json.js';
import { requireDone } from '../../platform/describe.js';
import { keyPlace, keysFolder } from '../../platform/keys.js';
import { platformFolder } from '../../platform/open.js';
import { askPassphrases } from '../../platform/passphrase.js';
import { findProject, projectOrHere } from '../../project/find.js';
import { requireFile } from '../../project/named-file.js';

/** `cuebook platform init`: keys, and what they sign. Root keys go to folders of their own, encrypted. */
export const run: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0)
    throw usage(`${hint`platform init`} takes flags only; --name is the name of the platform`);
  const name = flagValue(flags, 'name') ?? 'home';
  await keepProject(name, flags, io);
  const folders = await foldersOf(flags, io);
  const names = [
    ...folders.roots.map((_, n) => `root key ${n + 1}`),
    'the library key',
    'the reviewer’s key',
  ];
  const passphrases = folders.rehearsed
    ? names.map(() => randomBytes(12).toString('hex'))
    : await askPassphrases(names, flagValue(flags, 'passphrases'), io);
  const at = async (folder: string, key: string, index: number) =>
    keyPlace(folder, key, passphrases[index] ?? '');
  const roots = [];
  for (const [index, folder] of folders.roots.entries()) roots.push(await at(folder, 'root', index));
  const reviewer = await at(folders.reviewer, 'reviewer', roots.length + 1);
  const config = requireDone(
    await foundPlatform(await platformFolder(flags, io), {
      name,
      url: flagValue(flags, 'url') ?? `http://127.0.0.1:${await freePort()}`,
      store: storeOf(flags),
      roots,
      threshold: Number(flagValue(flags, 'threshold') ?? Math.floor(roots.length / 2) + 1),
      library: await at(folders.library, 'library', roots.length),
      reviewer,
      now: Date.now(),
    }),
    'No platform was made',
  );
  if (folders.rehearsed) {
    // For trying things out: who has the folder has every key.
    const { files } = reviewer;
    const text = `${passphrases.at(-1)}\n`;
    requireFile(await files.writeText('passphrase.txt', text, { mode: 0o600 }), 'passphrase.txt');
    const all = await keyPlace(join(folders.library, '..'), 'none', '');
    const lines = `${passphrases.join('\n')}\n`;
    requireFile(await all.files.writeText('passphrases.txt', lines, { mode: 0o600 }), 'passphrases.txt');
  }
  const { url, keys } = config;
  if (isOn(flags, 'json')) await printJson(io, { name, url, keys, rehearsal: folders.rehearsed });
  else await io.out(told(io, report(config, folders.rehearsed)));
  return 0;
};

/** A folder that is no project becomes one: what a platform asks of models is on record there. */
async function keepProject(name: string, flags: Flags, io: Io): Promise<void> {
  const folder = await projectOrHere(flags, io);
  const files = requireFile(await openFolder(folder), 'the project');
  try {
    await findProject(io.cwd, flagValue(flags, 'project'));
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'E_NO_PROJECT')) throw error;
    const text = `# The project of the platform ${name}.\n`;
    requireFile(await files.writeText(CONFIG_FILE, text, { ifMatch: 'absent' }), CONFIG_FILE);
  }
}

/** A port of this machine that nobody uses now: `cuebook up` listens there, so that agents find the platform again. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

interface Folders {
  readonly roots: readonly string[];
  readonly library: string;
  readonly reviewer: string;
  /** Keys and passphrases stay on this machine, beside one another. */
  readonly rehearsed: boolean;
}

async function foldersOf(flags: Flags, io: Io): Promise<Folders> {
  const keys = await keysFolder(flags, io);
  const given = flagValues(flags, 'keys').map((folder) => resolve(io.cwd, folder));
  const rehearsed = isOn(flags, 'rehearsal');
  if (rehearsed === given.length > 0)
    throw usage(
      'To try things out, add --rehearsal: every key stays on this machine. For real use say where the root keys go, each on a medium of its own: --keys DIR --keys DIR --keys DIR',
    );
  const roots = rehearsed ? [1, 2, 3].map((n) => join(keys, `root-${n}`)) : given;
  return {
    roots,
    library: join(rehearsed ? keys : (roots[0] as string), 'library'),
    reviewer: join(keys, 'reviewer'),
    rehearsed,
  };
}

function storeOf(flags: Call['flags']) {
  const bucket = flagValue(flags, 'bucket');
  if (bucket === undefined) return { kind: 'folder' as const };
  const role_arn = flagValue(flags, 'role');
  const endpoint = flagValue(flags, 'endpoint');
  if (role_arn === undefined) throw usage('With --bucket the role that agents assume is needed: --role ARN');
  const region = flagValue(flags, 'region') ?? 'default';
  return {
    kind: 's3' as const,
    bucket,
    prefix: '',
    region,
    role_arn,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

function report({ name, url, keys }: PlatformConfig, rehearsed: boolean): string {
  const made = rehearsed
    ? `A platform called ${name}, to try things out: its root keys and their passphrases are beside it.`
    : `A platform called ${name}. ${keys.threshold} of ${keys.root.length} root keys must agree; keep each away from the others and from this machine.`;
  const next = `Next: ${hint`card new NAME`}, then ${hint`card submit NAME`}`;
  return `${made}\nAgents find it at ${url} while ${hint`up`} runs.\n${next}\n`;
}
