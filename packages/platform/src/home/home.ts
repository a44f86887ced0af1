import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  canonicalBytes,
  createKey,
  DEFAULT_LIFETIMES,
  EMPTY_CATALOGUE,
  folderObjects,
  type Issuer,
  type KeySigner,
  keyIdOf,
  keySigner,
  type Objects,
  publicKeyOf,
  readJson,
  type S3Keys,
  s3Objects,
  stsIssuer,
  tokenIssuer,
} from '@cuebook/bundle';
import { type FileError, type Files, openFolder } from '@cuebook/files';
import { type JournalError, openStore, type StoreOwner, type StorePlace, timeOf } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { OfflineTrust, PlatformParts } from '../desk.js';
import { configSchema, type PlatformConfig } from './config.js';
import { readTemplates } from './templates.js';

/** A platform that is open, and what closes it. */
export interface OpenPlatform extends PlatformParts {
  readonly config: PlatformConfig;
  /** The platform's folder. */
  readonly files: Files;
  /** Keys of the server that are not there: nothing can be signed with them until they are replaced. */
  readonly lost: readonly ('online' | 'log')[];
  follow(): Promise<Result<void, HomeError>>;
  close(): Promise<void>;
}

/** `E_PLATFORM_HOME`: the folder is not that of a platform, or something in it or around it is missing. */
export type HomeError =
  | {
      readonly code: 'E_PLATFORM_HOME';
      readonly reason: 'none' | 'damaged' | 'no-store-keys';
      readonly what: string;
    }
  | FileError
  | JournalError;

export interface HomeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: () => number;
  /** Another journal than the file in the folder. */
  readonly place?: StorePlace;
  /** Opens it also where a key of the server is lost, for whoever replaces it. */
  readonly withoutKeys?: boolean;
  /** The project whose records it stands among, where it has no file of its own. */
  readonly owner?: StoreOwner;
}

/**
 * Opens the platform of a folder. It reads the keys that assign; those that are kept offline are not there to be read.
 * When another process changes keys or metadata, `follow` takes them over: what holds the platform open goes on.
 */
export async function openPlatform(
  folder: string,
  options: HomeOptions,
): Promise<Result<OpenPlatform, HomeError>> {
  const files = await openFolder(folder);
  if (!files.ok) return files.error.code === 'E_FILE_NOT_FOUND' ? missing('platform.json', 'none') : files;
  const first = await readCurrent(files.value, options);
  if (!first.ok) return first;
  let current = first.value;
  const { config, secret } = current;
  const objects = await openObjects(folder, config, secret, options.env);
  if (!objects.ok) return objects;
  const place = options.place ?? { file: join(folder, 'journal.db') };
  const owned = options.owner && { owner: options.owner };
  const { now: given } = options;
  const store = await openStore(place, { ...(given && { clock: { now: given } }), home: folder, ...owned });
  if (!store.ok) return store;
  const now = given ?? timeOf(store.value);
  const founded = await readTemplates(files.value, current.trust);
  return ok({
    get config() {
      return current.config;
    },
    get trust() {
      return current.trust;
    },
    get online() {
      return current.online;
    },
    get log() {
      return current.log;
    },
    get lost() {
      return current.lost;
    },
    files: files.value,
    name: config.name,
    store: store.value,
    ...objects.value,
    secret,
    catalogue: EMPTY_CATALOGUE,
    ...founded,
    lifetimes: DEFAULT_LIFETIMES,
    now,
    async follow() {
      const next = await followCurrent(files.value, current, options);
      if (next.ok) current = next.value;
      return next.ok ? ok(undefined) : next;
    },
    close: () => store.value.close(),
  });
}

/** What of a platform changes while it is open: one value, so that it is taken over as a whole. */
interface Current extends Pick<OpenPlatform, 'trust' | 'online' | 'log' | 'secret' | 'lost'> {
  readonly config: PlatformConfig;
  /** The configuration as it was read. */
  readonly text: string;
}

async function readCurrent(files: Files, options: Lenience): Promise<Result<Current, HomeError>> {
  const config = await readConfig(files);
  if (!config.ok) return config;
  const trust = await readTrust(files, config.value.config);
  if (!trust.ok) return trust;
  const keys = await readKeys(files, config.value.config, options);
  return keys.ok ? ok({ ...config.value, ...keys.value, trust: trust.value }) : keys;
}

/** What counts now; the same value where nothing changed. */
async function followCurrent(
  files: Files,
  current: Current,
  options: Lenience,
): Promise<Result<Current, HomeError>> {
  const text = await files.readText('platform.json', { limit: 64 * 1024 });
  if (text.ok && text.value === current.text) return ok(current);
  return readCurrent(files, options);
}

type Lenience = Pick<HomeOptions, 'withoutKeys'>;

/** The keys of the server, made once and readable by its user alone. */
export async function makeServerKeys(
  files: Files,
): Promise<Result<{ readonly online: KeySigner; readonly log: KeySigner }, FileError>> {
  const online = createKey();
  const log = createKey();
  const made = await files.makeDirectory('keys');
  if (!made.ok) return made;
  const texts = [
    [onlinePath(online.signer.publicKey.hex), online.pem],
    [logPath(log.signer.publicKey.hex), log.pem],
    ['keys/access.key', randomBytes(32).toString('hex')],
  ] as const;
  for (const [path, text] of texts) {
    const written = await files.writeText(path, text, { mode: 0o600, ifMatch: 'absent' });
    if (!written.ok) return written;
  }
  return ok({ online: online.signer, log: log.signer });
}

/** Where a key of the server is kept: by its own name, so that the configuration says which one counts. */
export const onlinePath = (hex: string): string => `keys/online-${hex.slice(0, 16)}.pem`;
export const logPath = (hex: string): string => `keys/log-${hex.slice(0, 16)}.pem`;

/**
 * Writes what was signed, then what the platform says about itself, which names it: whenever the process dies, the old
 * platform or the new one is there, whole.
 */
export async function saveOffline(
  files: Files,
  config: PlatformConfig,
  trust: OfflineTrust,
): Promise<Result<void, FileError>> {
  const made = await files.makeDirectory('trust');
  if (!made.ok) return made;
  for (const name of ['root', 'targets', 'library'] as const) {
    const written = await files.writeBytes(`trust/${config.versions[name]}.${name}.json`, trust[name].bytes);
    if (!written.ok) return written;
  }
  const written = await files.writeBytes('platform.json', canonicalBytes(config) as Buffer);
  return written.ok ? ok(undefined) : written;
}

async function readConfig(files: Files): Promise<Result<Pick<Current, 'config' | 'text'>, HomeError>> {
  const text = await files.readText('platform.json', { limit: 64 * 1024 });
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? missing('platform.json', 'none') : text;
  const read = readJson(Buffer.from(text.value));
  const parsed = configSchema.safeParse(read.ok ? read.value : undefined);
  return parsed.success ? ok({ config: parsed.data, text: text.value }) : missing('platform.json');
}

async function readTrust(
  files: Files,
  { versions }: PlatformConfig,
): Promise<Result<OfflineTrust, HomeError>> {
  const found: Partial<Record<'root' | 'targets' | 'library', OfflineTrust['root']>> = {};
  for (const name of ['root', 'targets', 'library'] as const) {
    const path = `trust/${versions[name]}.${name}.json`;
    const bytes = await files.readBytes(path, { limit: 4 * 1024 * 1024 });
    if (!bytes.ok) return missing(path);
    const read = readJson(bytes.value, { bytes: 4 * 1024 * 1024 });
    const version = read.ok ? (read.value as { signed?: { version?: unknown } }).signed?.version : undefined;
    if (version !== versions[name]) return missing(path);
    found[name] = { version: versions[name], bytes: Buffer.from(bytes.value) };
  }
  const roots: OfflineTrust['root'][] = [];
  for (let version = 1; version < versions.root; version += 1) {
    const bytes = await files.readBytes(`trust/${version}.root.json`, { limit: 4 * 1024 * 1024 });
    // One that is not here any more was put into the store long ago.
    if (bytes.ok) roots.push({ version, bytes: Buffer.from(bytes.value) });
  }
  return ok({ ...(found as OfflineTrust), roots });
}

async function readKeys(
  files: Files,
  config: PlatformConfig,
  { withoutKeys = false }: Lenience,
): Promise<Result<Pick<Current, 'online' | 'log' | 'secret' | 'lost'>, HomeError>> {
  const text = async (name: string) => {
    const read = await files.readText(name, { limit: 4096 });
    return read.ok ? read.value : '';
  };
  const online = keySigner(await text(onlinePath(config.keys.online)));
  // A platform that never changed the key of its log has it under its first name.
  const log = keySigner((await text(logPath(config.keys.log))) || (await text('keys/log.pem')));
  const secret = Buffer.from(await text('keys/access.key'), 'hex');
  const found = { online, log };
  const lost = (['online', 'log'] as const).filter(
    (role) => found[role]?.publicKey.hex !== config.keys[role],
  );
  if (lost[0] !== undefined && !withoutKeys) return missing(`keys/${lost[0]}.pem`);
  if (secret.length !== 32) return missing('keys/access.key');
  const keyOf = (role: 'online' | 'log'): KeySigner =>
    lost.includes(role) ? lostKey(config.keys[role]) : (found[role] as KeySigner);
  return ok({ online: keyOf('online'), log: keyOf('log'), secret, lost });
}

/** What is known of a key that is gone. Whoever wants to sign with it has not looked at `lost`. */
function lostKey(hex: string): KeySigner {
  const publicKey = publicKeyOf(hex);
  if (publicKey === undefined) throw new Error('The configuration was checked.');
  return {
    keyId: keyIdOf(hex),
    publicKey,
    sign: () => {
      throw new Error('The key of the server is lost.');
    },
  };
}

async function openObjects(
  folder: string,
  { store, url, name }: PlatformConfig,
  secret: Uint8Array,
  env: HomeOptions['env'],
): Promise<Result<{ readonly objects: Objects; readonly issuer: Issuer }, HomeError>> {
  if (store.kind === 'folder') {
    const files = await openFolder(join(folder, 'objects'), { create: true });
    if (!files.ok) return files;
    const issuer = tokenIssuer({
      url: `${url.replace(/\/+$/, '')}/api/v1/platform/objects`,
      platform: name,
      secret,
    });
    return ok({ objects: folderObjects(files.value), issuer });
  }
  const credentials = keysIn(env, 'CUEBOOK_S3');
  const broker = keysIn(env, 'CUEBOOK_S3_BROKER');
  if (credentials === undefined) return missing('CUEBOOK_S3_ACCESS_KEY_ID', 'no-store-keys');
  if (broker === undefined) return missing('CUEBOOK_S3_BROKER_ACCESS_KEY_ID', 'no-store-keys');
  const { bucket, prefix, region, endpoint, role_arn: roleArn } = store;
  const place = { bucket, prefix, region, ...(endpoint === undefined ? {} : { endpoint }), credentials };
  return ok({ objects: s3Objects(place), issuer: stsIssuer({ place, broker, roleArn }) });
}

function keysIn(env: HomeOptions['env'], prefix: string): S3Keys | undefined {
  const accessKeyId = env[`${prefix}_ACCESS_KEY_ID`];
  const secretAccessKey = env[`${prefix}_SECRET_ACCESS_KEY`];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
}

const missing = (what: string, reason: 'none' | 'damaged' | 'no-store-keys' = 'damaged') =>
  fail<HomeError>({ code: 'E_PLATFORM_HOME', reason, what });
