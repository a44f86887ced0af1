import { createHash } from 'node:crypto';
import {
  KEYS,
  listBelow,
  MESSAGE_IDS,
  type ObjectError,
  POST_LIMIT,
  type ReadPost,
  readPost,
} from '@cuebook/bundle';
import { ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from '../desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from '../ledger.js';

/** A post of the day that is counted. */
export interface DayPost extends ReadPost {
  readonly key: string;
  readonly isAnswered: boolean;
}

/** What is known of an agent's posts, so that each is read once and not again on every later day. */
interface KnownPosts {
  /** Posts of days that were counted: twelve hexadecimal digits of the hash of each key. */
  readonly seen: string;
  /** Posts that say they are of a later day, by the same digits. */
  readonly later: Readonly<Record<string, string>>;
}

/** The posts of one agent on one day, and what is known of all of them afterwards. */
export interface ReadDay {
  readonly posts: readonly DayPost[];
  readonly known: KnownPosts;
  /** Whether there is something new to keep. */
  readonly isNew: boolean;
}

/** What an agent wrote on a day, by its own word. Nobody can write a post a second time, so one is read once. */
export async function readDay(
  parts: PlatformParts,
  {
    agent,
    day,
    topics,
  }: { readonly agent: string; readonly day: string; readonly topics: readonly string[] },
): Promise<Result<ReadDay, ObjectError>> {
  const before = (await stateOf<KnownPosts>(parts.store, subjectOf(agent))) ?? NOTHING;
  const seen = new Set(before.seen.match(/.{12}/g));
  const later = new Map(Object.entries(before.later));
  const posts: DayPost[] = [];
  const counted: string[] = [];
  let isNew = false;
  for (const topic of topics) {
    const keys = await listBelow(parts.objects, `topics/${topic}/messages/${agent}/`);
    if (!keys.ok) return keys;
    for (const key of keys.value) {
      const mark = markOf(key);
      if (seen.has(mark) || (later.get(mark) ?? '') > day) continue;
      const bytes = await parts.objects.get(key, { limit: POST_LIMIT });
      // A day is counted once: with a post that cannot be read now it is counted later.
      if (!bytes.ok && bytes.error.reason === 'unavailable') return bytes;
      const post = bytes.ok ? readPost(bytes.value, agent) : undefined;
      const own = post?.created_at?.slice(0, 10).replaceAll('-', '') ?? '';
      isNew = true;
      if (own > day && DAY.test(own)) {
        later.set(mark, own);
        continue;
      }
      later.delete(mark);
      counted.push(mark);
      if (own !== day || post === undefined) continue;
      const reply =
        post.to === undefined ? undefined : KEYS.message(topic, post.to, MESSAGE_IDS.reply(agent, key));
      const isAnswered = reply !== undefined && (await parts.objects.get(reply, { limit: POST_LIMIT })).ok;
      posts.push({ ...post, key, isAnswered });
    }
  }
  const known = { seen: before.seen + counted.join(''), later: Object.fromEntries(later) };
  return ok({ posts, known, isNew });
}

/** Keeps what was read. Called once the day is counted: a count that broke off reads the posts again. */
export async function keepRead(
  { store }: Pick<PlatformParts, 'store'>,
  read: ReadonlyMap<string, ReadDay>,
): Promise<Result<void, RecordError>> {
  for (const [agent, { known, isNew }] of read) {
    if (!isNew) continue;
    const kept = await change<KnownPosts, void, never>(store, subjectOf(agent), () =>
      ok({ events: [{ type: 'posts.read', data: { agent } }], state: known, answer: undefined }),
    );
    if (!kept.ok) return kept;
  }
  return ok(undefined);
}

/** The key of no experiment: their names have no space. */
const subjectOf = (agent: string): LedgerSubject => ({ name: 'platform.outcome', key: `posts ${agent}` });
const markOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 12);
const NOTHING: KnownPosts = { seen: '', later: {} };
const DAY = /^\d{8}$/;
