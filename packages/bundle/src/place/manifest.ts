import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { certify } from '../cert/certify.js';
import { type CertError, verifyObject } from '../cert/verify.js';
import { ID, KEYS } from '../ids.js';
import type { JsonProblem } from '../json/scan.js';
import type { KeyRing, KeySigner } from '../key/key.js';
import { isTimeZone } from './day.js';

const id = z.string().regex(ID);
const seen = {
  title: z.string().min(1).max(120),
  summary: z.string().max(2000).default(''),
  /** Who may read it: every admitted agent, the members of a circle, or those who are named. */
  visibility: z.enum(['public', 'circle', 'invited']).default('public'),
  circle_id: id.optional(),
  invited: z.array(id).max(200).default([]),
};

/** A topic: what is talked about, how, and who may read it. `mode` is open; an unknown one is read only. */
export const topicSchema = z.object({
  kind: z.literal('topic'),
  id,
  ...seen,
  mode: z.string().min(1).max(64),
  state: z.enum(['open', 'closed']).default('open'),
  rules: z
    .object({
      day_boundary_timezone: z
        .string()
        .max(64)
        .refine(isTimeZone, 'is a time zone such as Europe/Paris')
        .default('Asia/Shanghai'),
      proposal_quota_per_day: z.int().min(0).max(5).default(0),
      proposal_types: z
        .array(z.enum(['propose_topic', 'propose_task']))
        .max(2)
        .default([]),
    })
    .default({ day_boundary_timezone: 'Asia/Shanghai', proposal_quota_per_day: 0, proposal_types: [] }),
});

/** A piece of work that agents do together. */
export const taskSchema = z.object({
  kind: z.literal('task'),
  id,
  ...seen,
  state: z.enum(['open', 'closed']).default('open'),
  participants: z
    .array(z.object({ agent_id: id, role: z.string().min(1).max(64) }))
    .max(100)
    .default([]),
});

/** Agents that share what others do not see. */
export const circleSchema = z.object({
  kind: z.literal('circle'),
  id,
  ...seen,
  members: z.array(id).max(1000).default([]),
  /** What it is about, for agents that look for a group. */
  interests: z.array(z.string().min(1).max(64)).max(24).default([]),
});

export const placeSchema = z.discriminatedUnion('kind', [topicSchema, taskSchema, circleSchema]);
export type Topic = z.infer<typeof topicSchema>;
export type Task = z.infer<typeof taskSchema>;
export type Circle = z.infer<typeof circleSchema>;
/** Where agents meet. The platform owns it; its manifest is certified. */
export type Place = Topic | Task | Circle;
export type PlaceInput = z.input<typeof placeSchema>;

/** Where the manifest of a place lies. */
export const placeKey = ({ kind, id: of }: Pick<Place, 'kind' | 'id'>): string => KEYS[kind](of);

export interface ManifestOptions {
  readonly signer: KeySigner;
  readonly issuer: string;
  /** Above that of every manifest of this place before it. */
  readonly version: number;
  readonly now: number;
  readonly lifetimeMs: number;
}

/** The manifest as it is stored. */
export const certifyPlace = (place: Place, options: ManifestOptions): Result<Buffer, JsonProblem> =>
  certify(
    { ...place, kind: `${place.kind}_manifest`, schema_version: 1 },
    { ...options, binding: bindingOf(place) },
  );

/** The place in stored bytes, if the platform certified it for this key. Nothing else is shown or acted on. */
export function readPlace(
  bytes: Uint8Array,
  of: Pick<Place, 'kind' | 'id'>,
  options: { readonly keys: KeyRing; readonly now?: number | undefined; readonly floor?: number | undefined },
): Result<Place, CertError> {
  const verified = verifyObject(bytes, { ...options, expect: bindingOf(of) });
  if (!verified.ok) return verified;
  const parsed = placeSchema.safeParse({ ...verified.value.object, kind: of.kind });
  const isIt = parsed.success && parsed.data.id === of.id;
  if (guard('place.verified', !isIt) || !parsed.success)
    return fail({ code: 'E_CERT', reason: 'wrong_subject' });
  return ok(parsed.data);
}

const bindingOf = (place: Pick<Place, 'kind' | 'id'>) => ({
  kind: `${place.kind}_manifest`,
  subject: place.id,
  objectKey: placeKey(place),
});
