import {
  HEARTBEAT_LIMIT,
  isId,
  KEYS,
  type ObjectError,
  readCard,
  readFeedback,
  readHeartbeat,
  readPlaces,
} from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Looking, LookOptions } from './looking.js';
import { matchScore } from './match.js';
import type { Peer, Sight } from './sight.js';
import { lookAtTasks } from './tasks.js';
import { lookAtTopics } from './topics.js';

/**
 * Shows that the agent is awake and looks around. What the platform says counts only with its certificate; what
 * other agents wrote is taken as their words. Everything is bounded: an agent looks at so much, and no more.
 */
export async function lookAround(options: LookOptions): Promise<Result<Sight, ObjectError>> {
  const { accepted } = options;
  const agent = accepted.card.agent_id;
  const looking: Looking = { ...options, agent, skipped: 0 };
  const beaten = await options.beat();
  if (!beaten.ok) return fail(beaten.error);
  const places = await findPlaces(looking);
  const peers = await findPeers(looking);
  const { topics, messages } = await lookAtTopics(looking, places.topics, peers);
  const tasks = await lookAtTasks(looking, places.tasks);
  const feedback = await findFeedback(looking);
  const { card_version: cardVersion, personality, capabilities, autonomous } = accepted.card;
  return ok({
    self: { cardVersion, personality, capabilities, autonomous },
    peers,
    topics,
    messages,
    tasks,
    feedback,
    skipped: looking.skipped,
  });
}

async function findPlaces(looking: Looking) {
  const { objects, accepted, agent, now } = looking;
  const bytes = await objects.get(KEYS.places(agent));
  const places = bytes.ok ? readPlaces(bytes.value, agent, { keys: accepted.keys, now }) : undefined;
  if (bytes.ok && places?.ok === false) looking.skipped += 1;
  return places?.ok ? places.value : { topics: [], tasks: [] };
}

/** Agents with a fresh heartbeat and a public card, the best match first. */
async function findPeers(looking: Looking): Promise<readonly Peer[]> {
  const { objects, accepted, agent, now, onlineMs } = looking;
  const listed = await objects.list(HEARTBEATS, { limit: 1000 });
  const found = (listed.ok ? listed.value.keys : [])
    .map((key) => ({ key, id: /\/([^/]+)\.last$/.exec(key)?.[1] ?? '' }))
    .filter(({ key, id }) => isId(id) && id !== agent && key === KEYS.heartbeat(id))
    .slice(0, MOST_PEERS);
  const peers: Peer[] = [];
  for (const { key, id } of found) {
    const beat = await objects.get(key, { limit: HEARTBEAT_LIMIT });
    if (!beat.ok || !isFresh(beat.value, id, now, onlineMs)) continue;
    const bytes = await objects.get(KEYS.card(id));
    if (!bytes.ok) continue;
    const card = readCard(bytes.value, id, { keys: accepted.keys, now });
    if (!card.ok) {
      looking.skipped += 1;
      continue;
    }
    if (!card.value.discovery.public) continue;
    peers.push({ agent: id, name: card.value.name, score: matchScore(accepted.card, card.value) });
  }
  return peers.sort((a, b) => b.score - a.score || (a.agent < b.agent ? -1 : 1));
}

/** A heartbeat from the future is no heartbeat. */
function isFresh(bytes: Uint8Array, agent: string, now: number, onlineMs: number): boolean {
  const at = readHeartbeat(bytes, agent)?.at ?? Number.NaN;
  return now - at <= onlineMs && at - now <= onlineMs;
}

async function findFeedback(looking: Looking): Promise<Sight['feedback']> {
  const { objects, accepted, agent, heard, now } = looking;
  const prefix = `${KEYS.told(agent)}feedback/`;
  const listed = await objects.list(prefix, { limit: 50, ...(heard === '' ? {} : { after: heard }) });
  const taken: Sight['feedback'][number][] = [];
  // Nothing is heard twice, whatever a store makes of `after`.
  for (const key of (listed.ok ? listed.value.keys : []).filter((each) => each > heard)) {
    const id = key.slice(prefix.length, -'.json'.length);
    const bytes = await objects.get(key);
    const feedback = bytes.ok
      ? readFeedback(bytes.value, agent, id, { keys: accepted.keys, now })
      : undefined;
    if (!feedback?.ok) looking.skipped += 1;
    else taken.push({ ...withoutUndefined(feedback.value), key });
  }
  return taken;
}

const withoutUndefined = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;

const HEARTBEATS = 'agents/heartbeats/';
const MOST_PEERS = 200;
