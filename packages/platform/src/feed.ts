import { HEARTBEAT_LIMIT, type ObjectError, readJson } from '@cuebook/bundle';
import { ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';

/** An object that an agent wrote. */
export interface WrittenObject {
  /** Hand it in to `ackFeed` when it is dealt with. */
  readonly position: number;
  readonly at: number;
  readonly agent: string;
  readonly key: string;
}

const FEED: LedgerSubject = { name: 'platform.feed', key: 'written' };
const cursorOf = (name: string): LedgerSubject => ({ name: 'platform.feed', key: `cursor/${name}` });

/** Notes a write of an agent. Heartbeats are left out: they say nothing but that somebody is awake. */
export async function noteWrite(
  { store }: Pick<PlatformParts, 'store'>,
  { agent, key }: Pick<WrittenObject, 'agent' | 'key'>,
): Promise<Result<void, RecordError>> {
  if (key.startsWith('agents/heartbeats/')) return ok(undefined);
  return change<never, void, never>(store, FEED, () =>
    ok({ events: [{ type: 'object.written', data: { agent, key } }], answer: undefined }),
  );
}

/** What was written below a prefix since the reader of this name last said that it was done, oldest first. */
export async function readFeed(
  { store }: Pick<PlatformParts, 'store'>,
  { name, prefix, limit = 100 }: { readonly name: string; readonly prefix: string; readonly limit?: number },
): Promise<readonly WrittenObject[]> {
  let after = (await stateOf<number>(store, cursorOf(name))) ?? 0;
  const found: WrittenObject[] = [];
  while (found.length < limit) {
    const page = await store.readAll({ after, limit: PAGE });
    for (const { position, at, type, data } of page) {
      after = position;
      if (type !== 'object.written' || found.length === limit) continue;
      const { agent, key } = data as { readonly agent: string; readonly key: string };
      if (key.startsWith(prefix)) found.push({ position, at, agent, key });
    }
    if (page.length < PAGE) break;
  }
  return found;
}

/** Says that everything up to a position is dealt with. It never goes back. */
export const ackFeed = (
  { store }: Pick<PlatformParts, 'store'>,
  name: string,
  position: number,
): Promise<Result<void, RecordError>> =>
  change<number, void, never>(store, cursorOf(name), (before = 0) =>
    ok(
      position <= before
        ? { events: [], answer: undefined }
        : { events: [{ type: 'feed.acked', data: { name, position } }], state: position, answer: undefined },
    ),
  );

/** Removes heartbeats that are older than a week, or that say no time. Answers which agents they were of. */
export async function sweepHeartbeats(
  { objects, now }: Pick<PlatformParts, 'objects' | 'now'>,
  olderThanMs = WEEK,
): Promise<Result<readonly string[], ObjectError>> {
  const gone: string[] = [];
  let after: string | undefined;
  do {
    const page = await objects.list('agents/heartbeats/', after === undefined ? {} : { after });
    if (!page.ok) return page;
    for (const key of page.value.keys) {
      const bytes = await objects.get(key, { limit: HEARTBEAT_LIMIT });
      if (!bytes.ok && bytes.error.reason !== 'too-large') continue;
      if (bytes.ok && now() - timeOf(bytes.value) <= olderThanMs) continue;
      const removed = await objects.remove(key);
      if (!removed.ok) return removed;
      gone.push(key.slice(key.lastIndexOf('/') + 1).replace(/\.last$/, ''));
    }
    after = page.value.next;
  } while (after !== undefined);
  return ok(gone);
}

/** When a heartbeat says that it was written; never, if it says nothing that is a time. */
function timeOf(bytes: Uint8Array): number {
  const read = readJson(bytes);
  const said = read.ok ? (read.value as { observed_at?: unknown } | null)?.observed_at : undefined;
  const time = typeof said === 'string' ? Date.parse(said) : Number.NaN;
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

const PAGE = 1000;
const WEEK = 7 * 24 * 60 * 60_000;
