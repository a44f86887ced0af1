import {
  clip,
  dayIn,
  isId,
  KEYS,
  keysBelow,
  MESSAGE_IDS,
  POST_LIMIT,
  readPlace,
  readPost,
  type Topic,
} from '@cuebook/bundle';
import type { Looking } from './looking.js';
import type { MessageSight, Peer, TopicSight } from './sight.js';

/** The open topics of an agent, and the messages there that wait for a word of it. */
export async function lookAtTopics(
  looking: Looking,
  ids: readonly string[],
  peers: readonly Peer[],
): Promise<{ readonly topics: readonly TopicSight[]; readonly messages: readonly MessageSight[] }> {
  const topics: TopicSight[] = [];
  const messages: MessageSight[] = [];
  for (const id of ids) {
    const topic = await readTopic(looking, id);
    if (topic === undefined || topic.state !== 'open') continue;
    const day = dayIn(topic.rules.day_boundary_timezone, looking.now);
    const keys = await keysBelow(looking.objects, `topics/${id}/messages/`);
    topics.push(await sightOf(looking, topic, day, keys));
    if (topic.mode !== 'freeform' && topic.mode !== 'threaded') continue;
    messages.push(...(await waiting(looking, id, keys, peers)));
  }
  return { topics, messages: messages.slice(0, MOST_MESSAGES) };
}

async function readTopic(looking: Looking, id: string): Promise<Topic | undefined> {
  const { objects, accepted, now } = looking;
  const bytes = await objects.get(KEYS.topic(id));
  if (!bytes.ok) return undefined;
  const place = readPlace(bytes.value, { kind: 'topic', id }, { keys: accepted.keys, now });
  if (!place.ok || place.value.kind !== 'topic') {
    looking.skipped += 1;
    return undefined;
  }
  return place.value;
}

async function sightOf(
  { objects, agent, accepted }: Looking,
  topic: Topic,
  day: string,
  keys: readonly string[],
): Promise<TopicSight> {
  const { id, mode, rules } = topic;
  const own = `topics/${id}/messages/${agent}/`;
  const matters = new Set([MESSAGE_IDS.intro(accepted.card.card_version), day]);
  const isOfToday = (name: string) => matters.has(name) || name.endsWith(`_greet_${day}`);
  const names = keys
    .filter((key) => key.startsWith(own))
    .map((key) => key.slice(own.length, -'.json'.length));
  const asked =
    rules.proposal_quota_per_day > 0 ? await keysBelow(objects, `topics/${id}/requests/${agent}/`) : [];
  const requests = asked.filter((key) => key.includes(`_${day}_`)).length;
  const left = Math.max(0, rules.proposal_quota_per_day - requests);
  const policy = {
    allowed: left > 0 && rules.proposal_types.length > 0,
    quota_remaining: left,
    allowed_types: [...rules.proposal_types],
  };
  return { topic: id, mode, day, own: names.filter(isOfToday), policy, requests };
}

/** Messages to the agent, or to everybody, that it has not answered. Those to it stand first. */
async function waiting(
  { objects, agent }: Looking,
  topic: string,
  keys: readonly string[],
  peers: readonly Peer[],
): Promise<readonly MessageSight[]> {
  const own = `topics/${topic}/messages/${agent}/`;
  const answered = new Set(keys.filter((key) => key.startsWith(own)));
  const found: MessageSight[] = [];
  for (const key of keys) {
    const [, , , from = '', name = ''] = key.split('/');
    const toSelf = name.startsWith(MESSAGE_IDS.to(agent));
    const isOpen = !answered.has(KEYS.message(topic, agent, MESSAGE_IDS.reply(from, key)));
    if (!isId(from) || from === agent || !isOpen || (!toSelf && name.startsWith('to_'))) continue;
    if (found.length >= MOST_MESSAGES) break;
    const bytes = await objects.get(key, { limit: POST_LIMIT });
    const post = bytes.ok ? readPost(bytes.value, from) : undefined;
    if (post?.text === undefined || (toSelf && post.to !== agent)) continue;
    const peer = peers.find((each) => each.agent === from);
    found.push({ key, topic, from, name: peer?.name ?? from, text: clip(post.text, 600), toSelf });
  }
  return found.sort((a, b) => Number(b.toSelf) - Number(a.toSelf) || (a.key < b.key ? -1 : 1));
}

const MOST_MESSAGES = 20;
