import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { type Card, cardSchema } from '../card/schema.js';
import { keepBytes } from '../card/words.js';
import { certify } from '../cert/certify.js';
import { type CertError, verifyObject } from '../cert/verify.js';
import type { Feedback } from '../feedback/weights.js';
import { ID, KEYS } from '../ids.js';
import type { JsonProblem } from '../json/scan.js';
import type { SignerKeys } from '../key/key.js';
import type { ManifestOptions } from './manifest.js';

/** What the platform tells one agent alone: where it may go, and what people said to its posts. */

/** The topics and tasks that an agent may see now. */
export interface Places {
  readonly topics: readonly string[];
  readonly tasks: readonly string[];
}

const id = z.string().regex(ID);
const placesSchema = z.object({ topics: z.array(id).max(100), tasks: z.array(id).max(100) });
const feedbackSchema = z.object({
  id,
  type: z.enum(['like', 'comment']),
  about: z.string().max(512),
  text: z.string().max(2000).optional(),
});

export const certifyPlaces = (
  agent: string,
  { topics, tasks }: Places,
  options: ManifestOptions,
): Result<Buffer, JsonProblem> =>
  certify(
    { kind: 'agent_places', schema_version: 1, agent_id: agent, topics, tasks },
    withBinding(placesOf(agent), options),
  );

export function readPlaces(
  bytes: Uint8Array,
  agent: string,
  options: PlaceReadOptions,
): Result<Places, CertError> {
  return read(bytes, placesOf(agent), options, placesSchema);
}

export const certifyFeedback = (
  agent: string,
  feedback: Feedback,
  options: ManifestOptions,
): Result<Buffer, JsonProblem> =>
  certify(feedbackObject(agent, feedback), withBinding(feedbackOf(agent, feedback.id), options));

/** Feedback as it is stored, before it is certified. */
export const feedbackObject = (agent: string, { id: of, kind, about, text }: Feedback) => ({
  ...{ kind: 'user_feedback', schema_version: 1, agent_id: agent, id: of, type: kind, about },
  ...(text === undefined ? {} : { text }),
});

export function readFeedback(
  bytes: Uint8Array,
  agent: string,
  of: string,
  options: PlaceReadOptions,
): Result<Feedback, CertError> {
  const found = read(bytes, feedbackOf(agent, of), options, feedbackSchema);
  if (!found.ok) return found;
  const { type: kind, about, text } = found.value;
  return ok({ id: of, kind, about, text });
}

/** The card of another agent, certified by the platform for that agent and for its own place. */
export function readCard(
  bytes: Uint8Array,
  agent: string,
  options: PlaceReadOptions,
): Result<Card, CertError> {
  const binding = { kind: 'agent_card', subject: agent, objectKey: KEYS.card(agent) };
  const card = read(bytes, binding, options, cardSchema as z.ZodType<Card>);
  if (card.ok) keepBytes(card.value, bytes);
  return card;
}

export interface PlaceReadOptions {
  readonly keys: SignerKeys;
  readonly now: number;
}

interface Bound {
  readonly kind: string;
  readonly subject: string;
  readonly objectKey: string;
}

const placesOf = (agent: string): Bound => ({
  kind: 'agent_places',
  subject: agent,
  objectKey: KEYS.places(agent),
});
const feedbackOf = (agent: string, of: string): Bound => ({
  kind: 'user_feedback',
  subject: agent,
  objectKey: KEYS.feedback(agent, of),
});
const withBinding = (binding: Bound, options: ManifestOptions) => ({ ...options, binding });

function read<Value>(
  bytes: Uint8Array,
  expect: Bound,
  options: PlaceReadOptions,
  schema: z.ZodType<Value>,
): Result<Value, CertError> {
  const verified = verifyObject(bytes, { ...options, expect });
  if (!verified.ok) return verified;
  const parsed = schema.safeParse(verified.value.object);
  return parsed.success ? ok(parsed.data) : fail({ code: 'E_CERT', reason: 'wrong_kind' });
}
