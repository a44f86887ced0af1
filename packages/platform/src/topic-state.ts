import { createHash } from 'node:crypto';
import {
  certifyTopicState,
  isId,
  KEYS,
  keysBelow,
  printTime,
  RECENT_MESSAGES,
  type TopicState,
} from '@cuebook/bundle';
import { ok, type Result } from '@cuebook/prompt';
import { manifestOptions, type PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError } from './ledger.js';
import type { PlaceError } from './places.js';

/** What the platform keeps of a topic's messages: which it has seen, and the newest with the time. */
interface SeenMessages {
  readonly version: number;
  /** The version that is in the store: another one is still to be written. */
  readonly written: number;
  /** Eight hexadecimal digits of the hash of each key. */
  readonly seen: string;
  readonly state: TopicState;
  /** When the state was certified, and by which key of the server. */
  readonly at: number;
  readonly key?: string;
}

const subjectOf = (topic: string): LedgerSubject => ({ name: 'platform.topic', key: topic });

/**
 * Writes how a topic stands, certified, if that changed since it was written last or half of its time is over. The
 * order of messages is that in which the platform saw them: no author can put words before others. On record first:
 * what a crash left unwritten is written by the next call.
 */
export async function tellTopicState(
  parts: PlatformParts,
  topic: string,
): Promise<Result<TopicState, PlaceError>> {
  const below = await keysBelow(parts.objects, `topics/${topic}/messages/`);
  const seen = await noteSeen(
    parts,
    topic,
    below.filter((key) => isId(authorOf(key))),
  );
  if (!seen.ok) return seen;
  const { version, written, state } = seen.value;
  if (written === version) return ok(state);
  const bytes = certifyTopicState(state, manifestOptions(parts, version));
  if (!bytes.ok) return bytes;
  const put = await parts.objects.put(KEYS.topicState(topic), bytes.value);
  if (!put.ok) return put;
  const noted = await noteWritten(parts, topic, version);
  return noted.ok ? ok(state) : noted;
}

/**
 * Certifies again how topics stand, where half of the time is over or another key of the server did it, and writes what
 * a crash left unwritten. Answers the topics.
 */
export async function renewTopics(parts: PlatformParts): Promise<Result<readonly string[], PlaceError>> {
  const renewed: string[] = [];
  for (const [topic, value] of await parts.store.projections('platform.topic')) {
    const seen = value as unknown as SeenMessages;
    if (seen.written === seen.version && !isAging(parts, seen)) continue;
    const told = await tellTopicState(parts, topic);
    if (!told.ok) return told;
    renewed.push(topic);
  }
  return ok(renewed);
}

const isAging = (
  { now, lifetimes, online }: Pick<PlatformParts, 'now' | 'lifetimes' | 'online'>,
  { at, key }: SeenMessages,
): boolean => now() - at > lifetimes.cert / 2 || key !== online.keyId;

/** The same, unless this process looked at the topic less than half a minute ago: for what happens all the time. */
export async function keepTopicState(parts: PlatformParts, topic: string): Promise<void> {
  const looked = LOOKED.get(parts.store) ?? new Map<string, number>();
  LOOKED.set(parts.store, looked);
  if (parts.now() - (looked.get(topic) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
  looked.set(topic, parts.now());
  await tellTopicState(parts, topic);
}

const LOOKED = new WeakMap<PlatformParts['store'], Map<string, number>>();
const PAUSE_MS = 30_000;

function noteSeen(
  parts: PlatformParts,
  topic: string,
  keys: readonly string[],
): Promise<Result<SeenMessages, RecordError>> {
  const { store, now, online } = parts;
  return change<SeenMessages, SeenMessages, never>(store, subjectOf(topic), (before) => {
    const known = new Set((before?.seen ?? '').match(/.{8}/g));
    const fresh = keys.filter((key) => !known.has(shortHash(key)));
    const isSame = fresh.length === 0 && before?.state.messages === keys.length;
    if (before !== undefined && isSame && !isAging(parts, before)) return ok({ events: [], answer: before });
    const seen_at = printTime(now());
    const recent = fresh.map((key) => ({ agent_id: authorOf(key), key, seen_at }));
    const kept: SeenMessages = {
      version: (before?.version ?? 0) + 1,
      written: before?.written ?? 0,
      seen: keys.map(shortHash).join(''),
      at: now(),
      key: online.keyId,
      state: {
        topic_id: topic,
        messages: keys.length,
        speakers: new Set(keys.map(authorOf)).size,
        recent: [...(before?.state.recent ?? []), ...recent].slice(-RECENT_MESSAGES),
      },
    };
    const data = { topic, version: kept.version, messages: keys.length, fresh: fresh.length };
    return ok({ events: [{ type: 'topic.changed', data }], state: kept, answer: kept });
  });
}

const noteWritten = ({ store }: PlatformParts, topic: string, version: number) =>
  change<SeenMessages, void, never>(store, subjectOf(topic), (before) =>
    ok(
      before === undefined || before.written >= version
        ? { events: [], answer: undefined }
        : {
            events: [{ type: 'topic.told', data: { topic, version } }],
            state: { ...before, written: version },
            answer: undefined,
          },
    ),
  );

const authorOf = (key: string): string => key.split('/')[3] ?? '';
const shortHash = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
