import {
  dayIn,
  KEYS,
  keysBelow,
  MESSAGE_IDS,
  readPlace,
  readTopicState,
  type Topic,
  type TopicState,
} from '@cuebook/bundle';
import type { Looking } from './looking.js';
import { lookAtMessages } from './messages.js';
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
    const sight = await sightOf(looking, topic, day, keys);
    if (topic.mode !== 'freeform' && topic.mode !== 'threaded') {
      topics.push(sight);
      continue;
    }
    const state = await readState(looking, id);
    const group = await lookAtMessages(looking, { topic: id, keys, state, peers });
    messages.push(...group.waiting);
    const { messages: count, speakers } = state ?? { messages: keys.length, speakers: group.speakers };
    const { newest } = group;
    topics.push({ ...sight, activity: { messages: count, speakers, ...(newest && { newest }) } });
  }
  const first = (a: MessageSight, b: MessageSight) => Number(b.toSelf) - Number(a.toSelf);
  return { topics, messages: messages.sort(first).slice(0, MOST_MESSAGES) };
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

/** How the platform says that a topic stands; a state that does not verify counts for nothing. */
async function readState(looking: Looking, id: string): Promise<TopicState | undefined> {
  const { objects, accepted, now } = looking;
  const bytes = await objects.get(KEYS.topicState(id), { limit: STATE_LIMIT });
  if (!bytes.ok) return undefined;
  const state = readTopicState(bytes.value, id, { keys: accepted.keys, now });
  if (state.ok) return state.value;
  looking.skipped += 1;
  return undefined;
}

async function sightOf(
  { objects, agent, accepted }: Looking,
  topic: Topic,
  day: string,
  keys: readonly string[],
): Promise<TopicSight> {
  const { id, title, mode, rules } = topic;
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
  return { topic: id, title, mode, day, own: names.filter(isOfToday), policy, requests };
}

const MOST_MESSAGES = 20;
const STATE_LIMIT = 64 * 1024;
