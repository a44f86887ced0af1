import { verify } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { printTime } from '../cert/cert.js';
import { ID } from '../ids.js';
import { canonicalBytes, readJson } from '../json/read.js';
import { type KeySigner, publicKeyOf } from '../key/key.js';
import type { Accepted } from '../trust/accept.js';
import { type FailureNote, failureNoteSchema } from '../trust/notes.js';

/** What an agent tells of itself while it is awake: what it uses, and what it refused last. */
export interface Heartbeat {
  readonly agent: string;
  /** Milliseconds since 1970, by the agent's clock. */
  readonly at: number;
  /** Null: it has never had a valid bundle. */
  readonly applied: Accepted['applied'] | null;
  readonly failure: FailureNote | null;
}

/** In bytes. */
export const HEARTBEAT_LIMIT = 8 * 1024;

const version = z.int().min(0);
const object = z.strictObject({
  object: z.string().max(512),
  version,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const schema = z.looseObject({
  agent_id: z.string().regex(ID),
  observed_at: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/),
  applied: z
    .strictObject({ objects: z.array(object).max(8), roles: z.record(z.string().max(32), version) })
    .nullish(),
  failure: failureNoteSchema.nullish(),
  signature: z
    .string()
    .regex(/^[A-Za-z0-9+/]{86}==$/)
    .exactOptional(),
});

/** The heartbeat as it is stored, signed with the agent's key where it has one. */
export function printHeartbeat({ agent, at, applied, failure }: Heartbeat, signer?: KeySigner): Buffer {
  const body = {
    ...{ kind: 'agent_heartbeat', schema_version: 1, agent_id: agent },
    ...{ observed_at: printTime(at), applied, failure },
  };
  const signature = signer?.sign(signedBytes(body)).toString('base64');
  return canonicalBytes(signature === undefined ? body : { ...body, signature }) as Buffer;
}

/** A heartbeat, and whether the key vouches for it. */
export interface ReadHeartbeat extends Heartbeat {
  readonly signed: boolean;
}

/** The heartbeat of an agent; undefined when it is none, or that of somebody else. `key` is the agent's, in hexadecimal. */
export function readHeartbeat(bytes: Uint8Array, agent: string, key?: string): ReadHeartbeat | undefined {
  const read = readJson(bytes, { bytes: HEARTBEAT_LIMIT });
  const parsed = schema.safeParse(read.ok ? read.value : undefined);
  if (!parsed.success || parsed.data.agent_id !== agent) return undefined;
  const { observed_at, applied = null, failure = null, signature } = parsed.data;
  const at = Date.parse(observed_at);
  if (Number.isNaN(at)) return undefined;
  const { signature: _, ...body } = read.ok ? (read.value as Record<string, unknown>) : {};
  const vouched = isVouched(body, signature, key);
  return { agent, at, applied, failure, signed: !guard('heartbeat.signature', !vouched) };
}

function isVouched(body: object, signature: string | undefined, key: string | undefined): boolean {
  const known = key === undefined ? undefined : publicKeyOf(key);
  if (known === undefined || signature === undefined) return false;
  return verify(null, signedBytes(body), known.object, Buffer.from(signature, 'base64'));
}

/** The first line keeps the signature from being one over anything else that the key signs. */
const signedBytes = (body: object): Buffer =>
  Buffer.concat([Buffer.from('cuebook heartbeat 1\n'), canonicalBytes(body) as Buffer]);
