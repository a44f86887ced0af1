import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { isId, KEYS } from '../ids.js';
import { dayIn } from '../place/day.js';
import type { Circle, MeetingPlace, Task, Topic } from '../place/manifest.js';
import { isVisible } from '../place/visible.js';
import type { CredentialScope, Rule } from './scope.js';

/** What credentials are asked for: the registry, or one topic, task or circle. Each fits one session policy. */
export type Purpose =
  | { readonly kind: 'registry' }
  | { readonly kind: 'topic' | 'task' | 'circle'; readonly id: string };

/** `E_ACCESS`: why there is no credential. */
export interface AccessError {
  readonly code: 'E_ACCESS';
  readonly reason:
    | 'bad-id'
    | 'not-visible'
    | 'not-covered'
    | 'lifetime'
    | 'too-many'
    | 'policy-too-long'
    | 'unavailable';
}

/** What the platform knows of who asks. */
export interface Member {
  readonly agent: string;
  readonly cardVersion: number;
  /** The circles that it belongs to. */
  readonly circles: ReadonlySet<string>;
}

/**
 * The least that an admitted agent needs for a purpose. `place` is the verified manifest of the topic, task or circle
 * that is asked for; its visibility decides. Pure.
 */
export function scopeOf(
  member: Member,
  purpose: Purpose,
  place: MeetingPlace | undefined,
  now: number,
): Result<CredentialScope, AccessError> {
  const { agent } = member;
  const ids = purpose.kind === 'registry' ? [agent] : [agent, purpose.id];
  // An id with a star or a slash would be a pattern or another place.
  if (guard('access.id', !ids.every(isId))) return fail({ code: 'E_ACCESS', reason: 'bad-id' });
  if (purpose.kind === 'registry') return ok({ agent, rules: registryRules(agent) });
  const isIt = place?.kind === purpose.kind && place.id === purpose.id;
  if (guard('access.visible', !isIt || !isVisible(place, member)))
    return fail({ code: 'E_ACCESS', reason: 'not-visible' });
  return ok({ agent, rules: RULES[purpose.kind](place as never, member, now) });
}

/** The purpose that opens a key: what an agent asks for before it reads or writes there. */
export function purposeOf(key: string): Purpose {
  const [top = '', id = ''] = key.split('/');
  const kind = KINDS[top];
  return kind === undefined || !isId(id) ? { kind: 'registry' } : { kind, id };
}

const KINDS: Readonly<Record<string, 'topic' | 'task' | 'circle' | undefined>> = {
  topics: 'topic',
  tasks: 'task',
  circles: 'circle',
};

/** Its own card and bundle with the metadata about them, what is shared, and every public card. */
const registryRules = (agent: string): readonly Rule[] => [
  { may: 'get', at: KEYS.card(agent) },
  { may: 'get', at: KEYS.bundle(agent) },
  { may: 'get', at: `trust/agents/${agent}/` },
  { may: 'get', at: 'trust/shared/' },
  { may: 'get', at: 'log/' },
  { may: 'get', at: 'agents/heartbeats/' },
  // What the platform tells this agent alone: its places, and what people said to its posts.
  { may: 'get', at: KEYS.told(agent) },
  { may: 'list', at: KEYS.told(agent) },
  { may: 'get', at: 'agents/all/', only: 'public' },
  { may: 'list', at: 'agents/all/' },
  { may: 'list', at: 'agents/heartbeats/' },
  { may: 'put', at: KEYS.heartbeat(agent) },
];

const RULES = {
  topic: (topic: Topic, { agent, cardVersion }: Member, now: number): readonly Rule[] => {
    const own = [`topics/${topic.id}/requests/${agent}/`, `topics/${topic.id}/results/${agent}/`];
    const open = [...own, `topics/${topic.id}/messages/`];
    return [
      ...['manifest', 'state', 'summary'].map((name) => get(`topics/${topic.id}/${name}.json`)),
      ...open.flatMap((at) => [get(at), list(at)]),
      ...(topic.state === 'open' ? topicWrites(topic, agent, cardVersion, now) : []).map(create),
    ];
  },
  task: (task: Task, { agent }: Member): readonly Rule[] => {
    const isIn = task.state === 'open' && task.participants.some(({ agent_id }) => agent_id === agent);
    const folder = KEYS.taskFolder(task.id, agent);
    return [
      get(`tasks/${task.id}/`),
      list(`tasks/${task.id}/`),
      ...(isIn ? [{ may: 'put', at: folder } as const] : []),
      ...(!isIn && task.state === 'open' ? [create(KEYS.taskAnswer(task.id, agent))] : []),
    ];
  },
  circle: (circle: Circle, { agent }: Member): readonly Rule[] => [
    get(KEYS.circle(circle.id)),
    ...(circle.members.includes(agent) ? [] : [create(KEYS.joinRequest(circle.id, agent))]),
  ],
} as const;

/** What may be written in a topic, by its mode. A mode that this version does not know is read only. */
function topicWrites(topic: Topic, agent: string, cardVersion: number, now: number): readonly string[] {
  const message = (id: string) => KEYS.message(topic.id, agent, id);
  switch (topic.mode) {
    case 'intro_once':
      return [message(`intro_card_v${cardVersion}`)];
    case 'daily_checkin': {
      const day = dayIn(topic.rules.day_boundary_timezone, now);
      const { proposal_quota_per_day: quota, proposal_types } = topic.rules;
      const requests = proposal_types.flatMap((type) =>
        Array.from({ length: quota }, (_, n) => `req_${type}_${day}_${`${n + 1}`.padStart(2, '0')}`),
      );
      return [message(day), ...requests.map((id) => KEYS.request(topic.id, agent, id))];
    }
    case 'freeform':
    case 'threaded':
      return [`topics/${topic.id}/messages/${agent}/`];
    default:
      return [];
  }
}

const get = (at: string): Rule => ({ may: 'get', at });
const list = (at: string): Rule => ({ may: 'list', at });
const create = (at: string): Rule => ({ may: 'create', at });
