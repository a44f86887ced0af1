import { openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { childEnvironment, hasRun, startChild } from '@cuebook/process';
import type { Provider, ProviderCapabilities } from '../turn.js';
import { type CatalogEntry, DEFAULT_PROVIDER, type ProgramNeed, type SignIn } from './entry.js';
import { isOnPath } from './look-up.js';
import { findVersion, isWithin } from './version.js';

/** A provider as it is on this machine. Nothing in it is read from a login: only that there is one. */
export interface DetectedProvider {
  readonly name: string;
  readonly kind: Provider['kind'];
  readonly title: string;
  readonly isDefault: boolean;
  /** Left out where there is nothing to install. */
  readonly installed?: boolean;
  readonly version?: string;
  /** `none`: nobody has to sign in. `unknown`: it cannot be told from outside. */
  readonly signedIn: 'key' | 'login' | 'no' | 'none' | 'unknown';
  /** What keeps it from speaking, each with its fix; empty when nothing does. */
  readonly missing: readonly string[];
  /** What does not keep it from speaking but should be known. */
  readonly notes: readonly string[];
  readonly capabilities: ProviderCapabilities;
}

export interface DetectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the user's own logins are. */
  readonly home: string;
  readonly defaultName?: string;
  /** Where the agents would work: commands such as `./helper.sh` are looked for from here. Left out: here. */
  readonly folder?: string;
  /** What a program says to `--version`; undefined when it is not there. */
  readonly run?: (command: string) => Promise<string | undefined>;
}

/** Looks for all of them at once. Starts no session and sends nothing. */
export function detectProviders(
  entries: readonly CatalogEntry[],
  options: DetectOptions,
): Promise<readonly DetectedProvider[]> {
  const run = options.run ?? ((command) => askVersion(command, options.env));
  return Promise.all(entries.map((entry) => detect(entry, { ...options, run })));
}

async function detect(
  entry: CatalogEntry,
  options: DetectOptions & Required<Pick<DetectOptions, 'run'>>,
): Promise<DetectedProvider> {
  const { name, kind, title, capabilities, program, signIn, address } = entry;
  const { env, home, defaultName = DEFAULT_PROVIDER, run, folder = process.cwd() } = options;
  const [found, signedIn] = await Promise.all([
    program === undefined ? undefined : findProgram(program, { env, run, folder }),
    findSignIn(signIn, { env, home, isProgram: program !== undefined }),
  ]);
  const missing = [
    ...(found?.isInstalled === false
      ? [`The program \`${program?.command}\` is not there. ${program?.install}`]
      : []),
    ...(signedIn === 'no' ? [`Nobody is signed in. ${signIn?.how ?? ''}`.trim()] : []),
    ...(address === undefined || address.configured || hasAny(env, address.names)
      ? []
      : [
          `No address. Set ${address.names.join(' or ')}, or add one of kind \`compatible\` under \`providers\`.`,
        ]),
  ];
  return {
    name,
    kind,
    title,
    isDefault: name === defaultName,
    ...(found === undefined ? {} : { installed: found.isInstalled }),
    ...(found?.version === undefined ? {} : { version: found.version }),
    signedIn,
    missing,
    notes: found?.note === undefined ? [] : [found.note],
    capabilities,
  };
}

interface FoundProgram {
  readonly isInstalled: boolean;
  readonly version?: string;
  readonly note?: string;
}

async function findProgram(
  { command, versions, tested }: ProgramNeed,
  { env, run, folder }: Required<Pick<DetectOptions, 'env' | 'run' | 'folder'>>,
): Promise<FoundProgram> {
  // Only what is built in is run: see `isOnPath`.
  if (guard('catalog.run', versions === undefined))
    return { isInstalled: await isOnPath(command, { env, folder }) };
  const said = await run(command);
  if (said === undefined) return { isInstalled: false };
  const version = findVersion(said);
  if (version === undefined || versions === undefined) return { isInstalled: true };
  if (isWithin(version, versions)) return { isInstalled: true, version };
  const [from, before] = versions;
  const note = `Known are versions from ${from} to before ${before}, tested with ${tested}: this one may speak otherwise.`;
  return { isInstalled: true, version, note };
}

async function findSignIn(
  signIn: SignIn | undefined,
  { env, home, isProgram }: Pick<DetectOptions, 'env' | 'home'> & { readonly isProgram: boolean },
): Promise<DetectedProvider['signedIn']> {
  if (signIn === undefined) return isProgram ? 'unknown' : 'none';
  if (hasAny(env, signIn.keys)) return 'key';
  // There a login may be in the keychain, where nobody looks.
  let isCertain = process.platform !== 'darwin' || signIn.logins.length === 0;
  for (const { folderName, home: below, file } of signIn.logins) {
    const named = folderName === undefined ? undefined : env[folderName];
    const found = named ? await isThere(named, file) : await isThere(home, `${below}/${file}`);
    if (found === true) return 'login';
    if (found === undefined) isCertain = false;
  }
  return isCertain ? 'no' : 'unknown';
}

const hasAny = (env: DetectOptions['env'], names: readonly string[]): boolean =>
  names.some((name) => (env[name] ?? '') !== '');

/** Undefined when it cannot be told, such as behind a link that leads elsewhere. */
async function isThere(folder: string, file: string): Promise<boolean | undefined> {
  const files = await openFolder(folder, { access: 'ro' });
  if (!files.ok) return files.error.code === 'E_FILE_NOT_FOUND' ? false : undefined;
  const found = await files.value.exists(file);
  return found.ok ? found.value : undefined;
}

const VERSION_MS = 20_000;
const VERSION_LINES = 20;

/** Bounded in time and output; whatever it prints, it was there. Programs of strangers see no key here. */
async function askVersion(command: string, env: DetectOptions['env']): Promise<string | undefined> {
  const signal = AbortSignal.timeout(VERSION_MS);
  const child = startChild({
    command,
    args: ['--version'],
    cwd: process.cwd(),
    env: childEnvironment(env, []),
    signal,
    maxLineBytes: 4096,
  });
  child.endInput();
  const said: string[] = [];
  for await (const line of child.lines) {
    said.push(line);
    if (said.length >= VERSION_LINES) break;
  }
  await child.kill();
  const { failure } = await child.exited;
  const isThere = failure === undefined || hasRun(failure);
  return isThere ? said.join('\n') : undefined;
}
