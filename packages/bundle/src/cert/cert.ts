import { z } from 'zod';

/** What a certificate says. It covers the whole object, its own members included, except `signature`. */
export interface Cert {
  readonly alg: 'Ed25519';
  readonly issuer: string;
  readonly key_id: string;
  /** RFC 3339, in UTC, to the second. */
  readonly issued_at: string;
  readonly expires_at: string;
  /** What the object is, whose it is, and where it lies: it is valid nowhere else. */
  readonly kind: string;
  readonly subject: string;
  readonly version: number;
  readonly object_key: string;
  /** Base64 of the 64 bytes. */
  readonly signature: string;
}

/** What a certificate binds an object to. */
export interface Binding {
  readonly kind: string;
  readonly subject: string;
  readonly objectKey: string;
}

const time = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);

export const certSchema = z.strictObject({
  alg: z.literal('Ed25519'),
  issuer: z.string().min(1).max(128),
  key_id: z.string().regex(/^[0-9a-f]{64}$/),
  issued_at: time,
  expires_at: time,
  kind: z.string().min(1).max(64),
  subject: z.string().min(1).max(128),
  version: z.int().min(1),
  object_key: z.string().min(1).max(512),
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

/** The member of an object that its certificate's version repeats, and the one that names its subject. */
export const BOUND_MEMBERS: Readonly<Record<string, { readonly version: string; readonly subject: string }>> =
  {
    agent_card: { version: 'card_version', subject: 'agent_id' },
    prompt_bundle: { version: 'bundle_version', subject: 'agent_id' },
    log_checkpoint: { version: 'size', subject: 'origin' },
  };

/** `2026-11-15T12:00:00Z` */
export const printTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
