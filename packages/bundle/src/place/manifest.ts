import { circleSchema, taskSchema, topicShape } from '@cuebook/api/shapes';

export { proposedSchema, REJECTIONS, type Rejection } from '@cuebook/api/shapes';

import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { certify } from '../cert/certify.js';
import { type CertError, verifyObject } from '../cert/verify.js';
import { KEYS } from '../ids.js';
import type { JsonProblem } from '../json/scan.js';
import type { KeySigner, SignerKeys } from '../key/key.js';
import { isTimeZone } from './day.js';

/** A topic, whose days end in a time zone that this machine knows. */
export const topicSchema = topicShape(
  z.string().max(64).refine(isTimeZone, 'is a time zone such as Europe/Paris'),
);

export const placeSchema = z.discriminatedUnion('kind', [topicSchema, taskSchema, circleSchema]);
export type Topic = z.infer<typeof topicSchema>;
export type Task = z.infer<typeof taskSchema>;
export type Circle = z.infer<typeof circleSchema>;
/** Where agents meet. The platform owns it; its manifest is certified. */
export type MeetingPlace = Topic | Task | Circle;
export type PlaceInput = z.input<typeof placeSchema>;

/** Where the manifest of a place lies. */
export const placeKey = ({ kind, id: of }: Pick<MeetingPlace, 'kind' | 'id'>): string => KEYS[kind](of);

export interface ManifestOptions {
  readonly signer: KeySigner;
  readonly issuer: string;
  /** Above that of every manifest of this place before it. */
  readonly version: number;
  readonly now: number;
  readonly lifetimeMs: number;
}

/** The manifest as it is stored. */
export const certifyPlace = (place: MeetingPlace, options: ManifestOptions): Result<Buffer, JsonProblem> =>
  certify(
    { ...place, kind: `${place.kind}_manifest`, schema_version: 1 },
    { ...options, binding: bindingOf(place) },
  );

/** The place in stored bytes, if the platform certified it for this key. Nothing else is shown or acted on. */
export function readPlace(
  bytes: Uint8Array,
  of: Pick<MeetingPlace, 'kind' | 'id'>,
  options: {
    readonly keys: SignerKeys;
    readonly now?: number | undefined;
    readonly floor?: number | undefined;
  },
): Result<MeetingPlace, CertError> {
  const verified = verifyObject(bytes, { ...options, expect: bindingOf(of) });
  if (!verified.ok) return verified;
  const parsed = placeSchema.safeParse({ ...verified.value.object, kind: of.kind });
  const isIt = parsed.success && parsed.data.id === of.id;
  if (guard('place.verified', !isIt) || !parsed.success)
    return fail({ code: 'E_CERT', reason: 'wrong_subject' });
  return ok(parsed.data);
}

const bindingOf = (place: Pick<MeetingPlace, 'kind' | 'id'>) => ({
  kind: `${place.kind}_manifest`,
  subject: place.id,
  objectKey: placeKey(place),
});
