import {
  clip,
  isId,
  KEYS,
  MESSAGE_IDS,
  POST_LIMIT,
  type ReadPost,
  readPost,
  type TopicState,
} from '@cuebook/bundle';
import type { Looking } from './looking.js';
import type { MessageSight, Peer, SaidInGroup } from './sight.js';

interface Group {
  readonly topic: string;
  readonly keys: readonly string[];
  readonly state: TopicState | undefined;
  readonly peers: readonly Peer[];
}

interface GroupSight {
  /** Messages to the agent, or to everybody, that it has not answered. Those to it stand first. */
  readonly waiting: readonly MessageSight[];
  /** The newest words of somebody else. */
  readonly newest?: SaidInGroup;
  readonly speakers: number;
}

/**
 * The words of a group. The certified state of the topic says in which order they came; without one they stand by the
 * time that their authors claim. Of many messages those that may wait for an answer are read first, then the newest.
 */
export async function lookAtMessages(looking: Looking, group: Group): Promise<GroupSight> {
  const { objects, agent } = looking;
  const { topic, keys, state, peers } = group;
  const places = keys.filter((key) => isId(authorOf(key)));
  const answered = new Set(places.filter((key) => authorOf(key) === agent));
  const isOpen = (key: string) =>
    authorOf(key) !== agent &&
    !answered.has(KEYS.message(topic, agent, MESSAGE_IDS.reply(authorOf(key), key))) &&
    (isTo(key, agent) || !nameOf(key).startsWith('to_'));
  const order = new Map(state?.recent.map(({ key }, at) => [key, at]));
  const candidates = places.filter(isOpen).sort((a, b) => Number(isTo(b, agent)) - Number(isTo(a, agent)));
  const recent = [...order.keys()].filter((key) => places.includes(key)).reverse();
  const chosen = [...new Set([...candidates.slice(0, MOST_WAITING), ...recent, ...places])];
  const read: Said[] = [];
  for (const key of chosen.slice(0, MOST_READ)) {
    const bytes = await objects.get(key, { limit: POST_LIMIT });
    const post = bytes.ok ? readPost(bytes.value, authorOf(key)) : undefined;
    if (post?.text === undefined) continue;
    const from = authorOf(key);
    const name = peers.find((peer) => peer.agent === from)?.name ?? from;
    const said = { key, from, name, text: clip(post.text, 600) };
    read.push({ said, post, order: order.get(key) ?? placeOf(post, state) });
  }
  const sorted = read.sort(byTime);
  const waiting = sorted.flatMap(({ said, post }, at): readonly MessageSight[] => {
    const toSelf = isTo(said.key, agent);
    if (!isOpen(said.key) || (toSelf && post.to !== agent)) return [];
    const before = sorted.slice(Math.max(0, at - MOST_BEFORE), at).map((each) => each.said);
    return [{ ...said, topic, toSelf, before }];
  });
  const newest = sorted.findLast(({ said }) => said.from !== agent)?.said;
  const first = (a: MessageSight, b: MessageSight) => Number(b.toSelf) - Number(a.toSelf);
  return {
    waiting: [...waiting].sort(first).slice(0, MOST_WAITING),
    ...(newest && { newest }),
    speakers: new Set(places.map(authorOf)).size,
  };
}

interface Said {
  readonly said: SaidInGroup;
  readonly post: ReadPost;
  /** Where it stands among the recent messages of the topic's state. */
  readonly order: number;
}

/** What the state does not name is older than all that it names, or was written after it. */
const placeOf = ({ created_at = '' }: ReadPost, state: TopicState | undefined): number =>
  state !== undefined && created_at > (state.recent.at(-1)?.seen_at ?? '') ? state.recent.length : -1;

const byTime = (a: Said, b: Said): number =>
  a.order - b.order ||
  compare(a.post.created_at ?? '', b.post.created_at ?? '') ||
  compare(a.said.key, b.said.key);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const authorOf = (key: string): string => key.split('/')[3] ?? '';
const nameOf = (key: string): string => key.split('/')[4] ?? '';
const isTo = (key: string, agent: string): boolean => nameOf(key).startsWith(MESSAGE_IDS.to(agent));

const MOST_WAITING = 20;
const MOST_READ = 40;
const MOST_BEFORE = 8;
