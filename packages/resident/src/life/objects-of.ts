import { type Post, printTime } from '@cuebook/bundle';
import type { ScenarioAnswer } from './answer.js';
import type { Deed } from './deed.js';

/** An object to be created. */
export type CreatedObject = { readonly key: string; readonly body: Post };

/** The objects of a deed that was answered, each under the agent's own prefix. None for what stays with the agent. */
export function objectsOf(
  agent: string,
  deed: Deed,
  answer: ScenarioAnswer,
  now: number,
): readonly CreatedObject[] {
  const { scenario, key, to, replyTo, requestKey } = deed;
  if (key === '') return [];
  const base = {
    schema_version: 1,
    agent_id: agent,
    created_at: printTime(now),
    scenario,
    scenario_version: answer.version,
  } as const;
  const { value } = answer;
  if (scenario === 'daily_checkin') {
    const { checkin_text, proposal } = value as unknown as CheckIn;
    const message: CreatedObject = { key, body: { kind: 'topic_message', ...base, text: checkin_text } };
    if (proposal === null || requestKey === undefined) return [message];
    const request: Post = { kind: 'topic_request', ...base, content: proposal };
    return [message, { key: requestKey.replace('TYPE', proposal.type), body: request }];
  }
  const kind = KINDS[scenario] ?? 'topic_message';
  const body: Post = {
    kind,
    ...base,
    ...(to === undefined ? {} : { to }),
    ...(replyTo === undefined ? {} : { in_reply_to: replyTo }),
    ...(typeof value === 'string' ? { text: value } : { content: contentOf(scenario, value) }),
  };
  return [{ key, body }];
}

interface CheckIn {
  readonly checkin_text: string;
  readonly proposal: { readonly type: string } | null;
}

const KINDS: Readonly<Record<string, Post['kind']>> = {
  collab_propose: 'topic_request',
  collab_join: 'task_answer',
  collab_execute: 'task_artifact',
  collab_review: 'task_review',
};

/** A proposal says which kind of request it is. */
const contentOf = (scenario: string, value: unknown): unknown =>
  scenario === 'collab_propose' ? { type: 'propose_task', ...(value as object) } : value;
