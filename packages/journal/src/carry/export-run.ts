import { createHash, type Hash } from 'node:crypto';
import type { JsonValue } from '@cuebook/prompt';
import type { ProjectionRecord, RunId, Store, StoredCommit } from '../contract.js';
import { JournalFailure } from '../error.js';
import { canonical } from '../turn/canonical.js';
import { digest } from '../turn/digest.js';
import { fingerprintOf, type PublicKeys, pemOf } from '../turn/key/key.js';
import { type CommitLine, type ExportLine, FORMAT_VERSION, type Header } from './format.js';

export interface ExportOptions {
  /** The keys that go along, so that whoever gets the file can check its signatures. */
  readonly publicKeys: PublicKeys;
}

/**
 * A run as the lines of one file, each with its line feed, holding at most one page of it in memory. The run's
 * last event when the export began is the last one in the file. Nothing for a run that is not there.
 */
export async function* exportRun(
  store: Store,
  run: RunId,
  { publicKeys }: ExportOptions,
): AsyncIterable<string> {
  const still = await standStill(store, run);
  if (still === undefined) return;
  const { head, projections } = still;
  const sum = createHash('sha256');
  const blobs = new Set<string>();
  const keys = Object.fromEntries([...publicKeys.values()].map((key) => [fingerprintOf(key), pemOf(key)]));
  const chain = [...(await store.keys())];
  yield line(sum, { cuebook: 'run', version: FORMAT_VERSION, run, keys, chain, head });
  for await (const commit of commitsUpTo(store, run, head)) {
    for (const hash of commit.blobs) blobs.add(hash);
    yield line(sum, { commit: toLine(commit) });
  }
  for (const projection of projections) yield line(sum, { projection });
  for (const hash of blobs) yield line(sum, await blobLine(store, hash));
  yield `${JSON.stringify({ end: `sha256:${sum.digest('hex')}` } satisfies ExportLine)}\n`;
}

interface Still {
  readonly head: string;
  readonly projections: readonly { readonly name: string; readonly key: string; readonly value: JsonValue }[];
}

/** The projections of a run and the head that they belong to: read again when the run has gone on meanwhile. */
async function standStill(store: Store, run: RunId): Promise<Still | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const head = await store.head(run);
    if (head === undefined) return undefined;
    const last = new Map<string, ProjectionRecord>();
    for await (const { projections } of commitsUpTo(store, run, head.hash)) {
      for (const each of projections) last.set(JSON.stringify([each.name, each.key]), each);
    }
    const projections: Still['projections'][number][] = [];
    for (const { name, key, hash } of last.values()) {
      const value = await store.projection(name, key);
      // One that another run has written since is not this run's to carry.
      if (value !== undefined && digest(canonical(value)) === hash) projections.push({ name, key, value });
    }
    if ((await store.head(run))?.hash === head.hash) return { head: head.hash, projections };
  }
  throw new JournalFailure({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy' });
}

const MAX_ATTEMPTS = 20;

async function* commitsUpTo(store: Store, run: RunId, head: string): AsyncIterable<StoredCommit> {
  for (let after = 0; ; ) {
    const page = await store.commits(run, { after });
    for (const commit of page) {
      yield commit;
      if (commit.hash === head) return;
      after = commit.position;
    }
    if (page.length === 0) return;
  }
}

function line(sum: Hash, value: ExportLine | Header): string {
  const text = `${JSON.stringify(value)}\n`;
  sum.update(text);
  return text;
}

const toLine = ({ run: _run, position: _position, events, ...commit }: StoredCommit): CommitLine => ({
  ...commit,
  events: events.map(({ type, data, hash }) => ({ type, data, hash })),
  projections: commit.projections.map((each) => ({ ...each })),
  blobs: [...commit.blobs],
});

async function blobLine(store: Store, hash: string): Promise<ExportLine> {
  const bytes = await store.getBlob(hash);
  if (bytes === undefined || bytes === 'deleted') return { blob: hash, deleted: true, size: 0 };
  const buffer = Buffer.from(bytes);
  const text = buffer.toString();
  // Text stays readable where it is text; U+FFFD may stand for bytes that are none.
  if (!text.includes('\ufffd')) return { blob: hash, text };
  return { blob: hash, base64: buffer.toString('base64') };
}
