import { gunzipSync, gzipSync } from 'node:zlib';
import { describeJournalError, type RunId, type Store } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import { refuse } from './errors.js';

/**
 * Seals what a run is told from, as it is when the run begins: later processes read it from there, whatever has become
 * of the files. Answers the name of the entry, which the first event of the run keeps.
 */
export async function keepSources(
  store: Pick<Store, 'vault' | 'putBlob'>,
  run: RunId,
  sources: JsonValue,
): Promise<Result<string, HostError>> {
  if (store.vault === undefined) return refuse('unavailable', 'E_RUN_SOURCES', NO_VAULT);
  const text = gzipSync(JSON.stringify(sources), { level: 1 }).toString('base64');
  if (text.length > MAX_TEXT) return refuse('unavailable', 'E_RUN_SOURCES', TOO_LARGE);
  const sealed = await store.vault.seal(run, text);
  if (!sealed.ok) return refuse('unavailable', sealed.error.code, describeJournalError(sealed.error));
  await store.putBlob(sealed.value.blob);
  return ok(sealed.value.id);
}

/** What a run was begun with, by the name that its first event keeps. */
export async function readSources(
  store: Pick<Store, 'vault'>,
  run: RunId,
  id: string,
): Promise<Result<JsonValue, HostError>> {
  const text = await store.vault?.open(run, id);
  if (text === undefined) return refuse('unavailable', 'E_RUN_SOURCES', GONE);
  return ok(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as JsonValue);
}

/** A blob of the store has room for it. */
const MAX_TEXT = 48 * 1024 * 1024;

const NO_VAULT = 'This store seals nothing, so what the run is told from cannot be kept with it.';
const TOO_LARGE = 'What the run is told from is too large to be kept with it.';
const GONE = 'What the run was begun with cannot be had any more: it was erased, or sealed in another home.';
