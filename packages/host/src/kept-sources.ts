import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describeJournalError, type RunId, type Store } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import { refuse } from './errors.js';
import { headVersion } from './head-commit.js';

/** What a run is told from. Plain JSON. */
export type RunSources = {
  /** The texts of files, by their path in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** The commit that they are of; left out: the one that is checked out. */
  readonly commit?: string;
  /** What else a later process needs. */
  readonly about: JsonValue;
};

/** What the first event of a run says of its sources. */
export type KeptSources = {
  /** The entry of the vault that has them. */
  readonly entry: string;
  /** `sha256:` and the hex digest of each file, by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** The commit that was checked out then, in a repository. */
  readonly commit?: string;
  /** Where in the repository the project's folder is; left out: at its top. */
  readonly within?: string;
  /** The content hash of all files of the project, as git makes it, where machines share them. */
  readonly tree?: string;
};

/**
 * Seals what a run is told from, as it is when the run begins: later processes read it from there, whatever has become
 * of the files. The answer is for the first event of the run.
 */
export async function keepSources(
  { store, run, folder }: KeepPlace,
  sources: RunSources,
): Promise<Result<KeptSources, HostError>> {
  if (store.vault === undefined) return refuse('unavailable', 'E_RUN_SOURCES', NO_VAULT);
  const text = gzipSync(JSON.stringify(sources), { level: 1 }).toString('base64');
  if (text.length > MAX_TEXT) return refuse('unavailable', 'E_RUN_SOURCES', TOO_LARGE);
  const sealed = await store.vault.seal(run, text);
  if (!sealed.ok) return refuse('unavailable', sealed.error.code, describeJournalError(sealed.error));
  await store.putBlob(sealed.value.blob);
  const head = folder === undefined ? undefined : await headVersion(folder);
  const version = sources.commit === undefined ? head : { ...head, commit: sources.commit };
  return ok({
    entry: sealed.value.id,
    files: hashesOf(sources.files),
    ...version,
  });
}

export interface KeepPlace {
  readonly store: Pick<Store, 'vault' | 'putBlob'>;
  readonly run: RunId;
  /** The project's folder. */
  readonly folder?: string | undefined;
}

/** What a run was begun with, as its first event names it. */
export async function readSources(
  store: Pick<Store, 'vault'>,
  run: RunId,
  { entry }: Pick<KeptSources, 'entry'>,
): Promise<Result<RunSources, HostError>> {
  const text = await store.vault?.open(run, entry);
  if (text === undefined) return refuse('unavailable', 'E_RUN_SOURCES', GONE);
  return ok(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as RunSources);
}

/** What the first event of a run says of its sources; undefined for one that kept none. */
export async function findSources(store: Pick<Store, 'read'>, run: RunId): Promise<KeptSources | undefined> {
  const [first] = await store.read(run, { limit: 1 });
  return (Object(first?.data) as { readonly sources?: KeptSources }).sources;
}

/** A file as a run was begun with it, and the commit that was checked out then. */
export interface KeptFile {
  readonly text: string;
  readonly commit?: string | undefined;
}

/** Finds the files that a run was begun with, by their paths. What was not kept, or is erased, is not found. */
export async function openKeptFiles(
  store: Pick<Store, 'read' | 'vault'>,
  run: RunId,
): Promise<(path: string) => KeptFile | undefined> {
  const sources = await findSources(store, run);
  const read = sources === undefined ? undefined : await readSources(store, run, sources);
  return (path) => {
    if (!read?.ok || !Object.hasOwn(read.value.files, path)) return undefined;
    return { text: read.value.files[path] ?? '', commit: sources?.commit };
  };
}

/** The hash of each file, as far as an event has room. */
function hashesOf(files: RunSources['files']): KeptSources['files'] {
  const rows: (readonly [string, string])[] = [];
  let room = MAX_NAMED;
  for (const [path, text] of Object.entries(files)) {
    room -= Buffer.byteLength(path) + HASH_BYTES;
    if (room < 0) break;
    rows.push([path, sha256(text)]);
  }
  return Object.fromEntries(rows);
}

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** A blob of the store has room for it. */
const MAX_TEXT = 48 * 1024 * 1024;
/** Bytes that names and hashes may have in an event. */
const MAX_NAMED = 1024 * 1024;
const HASH_BYTES = 80;

const NO_VAULT = 'This store seals nothing, so what the run is told from cannot be kept with it.';
const TOO_LARGE = 'What the run is told from is too large to be kept with it.';
const GONE = 'What the run was begun with cannot be had any more: it was erased, or sealed in another home.';
