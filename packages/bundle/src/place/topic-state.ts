import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { certify } from '../cert/certify.js';
import { type CertError, verifyObject } from '../cert/verify.js';
import { ID, KEYS } from '../ids.js';
import type { JsonProblem } from '../json/scan.js';
import { isObjectKey } from '../objects/contract.js';
import type { ManifestOptions } from './manifest.js';
import type { PlaceReadOptions } from './told.js';

const id = z.string().regex(ID);

const schema = z.object({
  topic_id: id,
  /** How many messages there are, and of how many agents. */
  messages: z.int().min(0),
  speakers: z.int().min(0),
  /** The newest messages, the newest last, in the order in which the platform saw them. */
  recent: z
    .array(z.object({ agent_id: id, key: z.string().refine(isObjectKey), seen_at: z.string().max(32) }))
    .max(20),
});

/** How a topic stands, as its platform sees it. What was said is in the messages; this says how much, by whom and when. */
export type TopicState = z.infer<typeof schema>;

/** How many messages a topic state names. */
export const RECENT_MESSAGES = 20;

/** The state of a topic as it is stored. */
export const certifyTopicState = (state: TopicState, options: ManifestOptions): Result<Buffer, JsonProblem> =>
  certify({ kind: KIND, schema_version: 1, ...state }, { ...options, binding: bindingOf(state.topic_id) });

/** The state in stored bytes, if the platform certified it for this topic. */
export function readTopicState(
  bytes: Uint8Array,
  topic: string,
  options: PlaceReadOptions,
): Result<TopicState, CertError> {
  const verified = verifyObject(bytes, { ...options, expect: bindingOf(topic) });
  if (!verified.ok) return verified;
  const parsed = schema.safeParse(verified.value.object);
  return parsed.success && parsed.data.topic_id === topic
    ? ok(parsed.data)
    : fail({ code: 'E_CERT', reason: 'wrong_subject' });
}

const KIND = 'topic_state';
const bindingOf = (topic: string) => ({ kind: KIND, subject: topic, objectKey: KEYS.topicState(topic) });
