import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describeJournalError, eventsOf, type RunId, type Store, type StoredEvent } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import { refuse } from './errors.js';
import { headVersion } from './head-commit.js';
import type { KeptSources, SourcesPlace } from './sources-place.js';
import { findUpdate } from './update/run-update.js';

/** What a run is told from. Plain JSON. */
export type RunSources = {
  /** The texts of files, by their path in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** The commit that they are of; left out: the one that is checked out. */
  readonly commit?: string;
  /** What else a later process needs. */
  readonly about: JsonValue;
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

/** What a run is told from, as an event of it names that. */
export async function readSources(
  store: Pick<Store, 'vault'>,
  run: RunId,
  { entry }: Pick<KeptSources, 'entry'>,
): Promise<Result<RunSources, HostError>> {
  const text = await store.vault?.open(run, entry);
  if (text === undefined) return refuse('unavailable', 'E_RUN_SOURCES', GONE);
  return ok(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as RunSources);
}

/** The sources that a run uses now: those of its beginning, or those that a person moved it to last. */
export async function findSources(
  store: Pick<Store, 'read' | 'projection'>,
  run: RunId,
): Promise<SourcesPlace | undefined> {
  const moved = await findUpdate(store, run);
  if (moved !== undefined) return moved.place;
  const [first] = await store.read(run, { limit: 1 });
  return sourcesIn(first);
}

/** The sources that an event names. */
const sourcesIn = (event: StoredEvent | undefined): KeptSources | undefined =>
  (Object(event?.data) as { readonly sources?: KeptSources }).sources;

/** A file as a run had it, and the commit that was checked out then. */
export interface KeptFile {
  readonly text: string;
  readonly commit?: string | undefined;
}

/**
 * Finds the files that a turn was told from, by their paths; without a turn, those of the newest sources. With the hash of
 * a file, the version that has it. What was not kept, or is erased, is not found.
 */
export async function openKeptFiles(
  store: Pick<Store, 'read' | 'vault'>,
  run: RunId,
  turn?: string,
): Promise<(path: string, hash?: string) => KeptFile | undefined> {
  const versions: (readonly [RunSources, string | undefined])[] = [];
  for (const sources of await sourcesOf(store, run, turn)) {
    const read = await readSources(store, run, sources);
    if (read.ok) versions.push([read.value, sources.commit]);
  }
  return (path, hash) => {
    const having = versions.filter(([{ files }]) => Object.hasOwn(files, path));
    const same = having.find(([{ files }]) => hash !== undefined && sha256(files[path] ?? '') === hash);
    const [found, commit] = same ?? having[0] ?? [];
    return found && { text: found.files[path] ?? '', commit };
  };
}

/**
 * All sources that a run has had: first those that a turn was begun with, then the others, the newest first. A turn begins
 * with the last sources before its effect was begun: a process that has others does not begin one.
 */
async function sourcesOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  turn: string | undefined,
): Promise<readonly KeptSources[]> {
  const all: KeptSources[] = [];
  let of: KeptSources | undefined;
  for await (const event of eventsOf(store, run)) {
    const { to, id } = Object(event.data) as { readonly to?: KeptSources; readonly id?: string };
    const found = event.type === 'run.updated' ? to : event.seq === 1 ? sourcesIn(event) : undefined;
    if (found !== undefined) all.unshift(found);
    if (event.type === 'effect.begun' && id !== undefined && turn?.replace(/\.\d+$/, '') === id) of = all[0];
  }
  return of === undefined ? all : [of, ...all.filter((each) => each !== of)];
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
