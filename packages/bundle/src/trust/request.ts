import { createHash } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { Metadata, MetadataKind, type Root, type Targets } from '@tufjs/models';
import { z } from 'zod';
import { canonicalBytes, readCanonical } from '../json/read.js';
import type { KeySigner } from '../key/key.js';
import type { SignedMetadata } from './metadata.js';

/** What is signed away from the server. */
export type OfflineRole = 'root' | 'targets' | 'library';

/**
 * New metadata that holders of keys are asked to sign, each on a machine of their own. It carries what counts now, so
 * that a holder sees what would change, and nothing that is secret.
 */
export interface SigningRequest {
  readonly platform: string;
  /** As it is stored now. */
  readonly before: Readonly<Record<OfflineRole, SignedMetadata>>;
  /** The bodies to be signed. */
  readonly parts: Readonly<Partial<Record<OfflineRole, object>>>;
}

/** One holder's signatures for a request. */
export interface RequestSignature {
  /** sha256 of the request. */
  readonly request: string;
  readonly keyId: string;
  readonly signatures: Readonly<Partial<Record<OfflineRole, string>>>;
}

/** `E_SIGNING`: why a request or a signature for it is not taken. */
export interface RequestError {
  readonly code: 'E_SIGNING';
  readonly reason: 'malformed' | 'not-a-holder' | 'other-request' | 'threshold';
  /** The role that it was found in. */
  readonly role?: OfflineRole;
}

const ROLES: readonly OfflineRole[] = ['root', 'targets', 'library'];
const text = z.string().max(4 * 1024 * 1024);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const body = z.looseObject({ version: z.int().min(1), expires: z.string().max(32) }).exactOptional();
const requestSchema = z.strictObject({
  format: z.literal('cuebook-request-1'),
  platform: z.string().min(1).max(128),
  before: z.strictObject({ root: text, targets: text, library: text }),
  parts: z.strictObject({ root: body, targets: body, library: body }),
});
const sig = z
  .string()
  .regex(/^[0-9a-f]{128}$/)
  .exactOptional();
const signatureSchema = z.strictObject({
  format: z.literal('cuebook-signature-1'),
  request: hash,
  key_id: hash,
  signatures: z.strictObject({ root: sig, targets: sig, library: sig }),
});

/** The request as a file. */
export const printRequest = ({ platform, before, parts }: SigningRequest): Buffer =>
  canonicalBytes({
    format: 'cuebook-request-1',
    platform,
    before: Object.fromEntries(ROLES.map((role) => [role, before[role].bytes.toString('utf8')])),
    parts,
  }) as Buffer;

/** The request in a file: one step on from what counted when it was made, and no other. */
export function readRequest(bytes: Uint8Array): Result<SigningRequest, RequestError> {
  const read = readCanonical(bytes, { bytes: REQUEST_LIMIT });
  const parsed = requestSchema.safeParse(read.ok ? read.value.value : undefined);
  if (!parsed.success) return refuse('malformed');
  const { platform, before, parts } = parsed.data;
  const known = ROLES.map((role) => {
    const stored = Buffer.from(before[role]);
    const version = bodyOf(stored)?.version;
    return [role, { version, bytes: stored }] as const;
  });
  for (const [role, { version }] of known) {
    if (typeof version !== 'number') return refuse('malformed', role);
    const next = parts[role]?.version;
    if (guard('request.version', next !== undefined && next !== version + 1))
      return refuse('malformed', role);
  }
  const stored = Object.fromEntries(known) as unknown as SigningRequest['before'];
  return ok({ platform, before: stored, parts: parts as SigningRequest['parts'] });
}

/** One holder's signatures: for every part that the key counts in, before or after. */
export function signRequest(
  request: SigningRequest,
  signer: KeySigner,
): Result<RequestSignature, RequestError> {
  const mine = ROLES.filter((role) => keysFor(request, role).has(signer.keyId));
  if (mine.length === 0) return refuse('not-a-holder');
  const signatures = mine.map((role) => [
    role,
    signer.sign(canonicalBytes(request.parts[role]) as Buffer).toString('hex'),
  ]);
  return ok({ request: hashOf(request), keyId: signer.keyId, signatures: Object.fromEntries(signatures) });
}

/** The signatures as a file. */
export const printSignature = ({ request, keyId, signatures }: RequestSignature): Buffer =>
  canonicalBytes({ format: 'cuebook-signature-1', request, key_id: keyId, signatures }) as Buffer;

export function readSignature(bytes: Uint8Array): Result<RequestSignature, RequestError> {
  const read = readCanonical(bytes, { bytes: 64 * 1024 });
  const parsed = signatureSchema.safeParse(read.ok ? read.value.value : undefined);
  if (!parsed.success) return refuse('malformed');
  const { request, key_id: keyId, signatures } = parsed.data;
  return ok({ request, keyId, signatures: signatures as RequestSignature['signatures'] });
}

/**
 * The metadata of a request with its signatures, if an agent that knows what counted before will follow: the root by the
 * old threshold and by the new one, the others by the keys that the new root and the new targets name. `now` is what
 * counts now: what the request does not touch may have changed since, and what it does may not.
 */
export function assembleRequest(
  asked: SigningRequest,
  given: readonly RequestSignature[],
  now: SigningRequest['before'] = asked.before,
): Result<Readonly<Record<OfflineRole, SignedMetadata>>, RequestError> {
  const isMoved = ROLES.some(
    (role) => asked.parts[role] !== undefined && !asked.before[role].bytes.equals(now[role].bytes),
  );
  if (guard('request.current', isMoved)) return refuse('other-request');
  const hash = hashOf(asked);
  const request = { ...asked, before: now };
  if (
    guard(
      'request.same',
      given.some((each) => each.request !== hash),
    )
  )
    return refuse('other-request');
  const made = ROLES.map((role) => [role, withSignatures(request, role, given)] as const);
  const next = Object.fromEntries(made) as Readonly<Record<OfflineRole, SignedMetadata>>;
  const failed = ROLES.find((role) => !isFollowed(request.before, next, role));
  return guard('request.threshold', failed !== undefined) ? refuse('threshold', failed) : ok(next);
}

/** The keys whose signatures count for a part: those of now for a root, and those that come. */
function keysFor({ before, parts }: SigningRequest, role: OfflineRole): ReadonlySet<string> {
  if (parts[role] === undefined) return new Set();
  const root = (parts.root ?? bodyOf(before.root.bytes)) as LooseBody | undefined;
  const targets = (parts.targets ?? bodyOf(before.targets.bytes)) as LooseBody | undefined;
  const old = bodyOf(before.root.bytes);
  const named = {
    root: [...(root?.roles?.root?.keyids ?? []), ...(old?.roles?.root?.keyids ?? [])],
    targets: root?.roles?.targets?.keyids ?? [],
    library: targets?.delegations?.roles?.find(({ name }) => name === 'library')?.keyids ?? [],
  };
  return new Set(named[role]);
}

function withSignatures(
  request: SigningRequest,
  role: OfflineRole,
  given: readonly RequestSignature[],
): SignedMetadata {
  const signed = request.parts[role] as LooseBody | undefined;
  if (signed === undefined) return request.before[role];
  const keys = keysFor(request, role);
  const found = given.flatMap(({ keyId, signatures }) => {
    const sig = signatures[role];
    return sig === undefined || !keys.has(keyId) ? [] : [[keyId, { keyid: keyId, sig }] as const];
  });
  const signatures = [...new Map(found).values()];
  return { version: signed.version, bytes: canonicalBytes({ signatures, signed }) as Buffer };
}

function isFollowed(
  before: SigningRequest['before'],
  next: Readonly<Record<OfflineRole, SignedMetadata>>,
  role: OfflineRole,
): boolean {
  try {
    const [old, root] = [rootOf(before.root), rootOf(next.root)];
    const targets = targetsOf(next.targets);
    if (role === 'root') {
      if (before.root !== next.root) old.verifyDelegate('root', root);
      root.verifyDelegate('root', root);
    } else if (role === 'targets') root.verifyDelegate('targets', targets);
    else targets.verifyDelegate('library', targetsOf(next.library));
    return true;
  } catch {
    // The library says no by throwing.
    return false;
  }
}

const rootOf = ({ bytes }: SignedMetadata): Metadata<Root> =>
  Metadata.fromJSON(MetadataKind.Root, JSON.parse(bytes.toString('utf8')));
const targetsOf = ({ bytes }: SignedMetadata): Metadata<Targets> =>
  Metadata.fromJSON(MetadataKind.Targets, JSON.parse(bytes.toString('utf8')));

interface LooseBody {
  readonly version: number;
  readonly roles?: Readonly<Record<string, { readonly keyids: readonly string[] }>>;
  readonly delegations?: {
    readonly roles?: readonly { readonly name: string; readonly keyids: readonly string[] }[];
  };
}

/** What is signed in stored metadata. */
export function bodyOf(bytes: Uint8Array): LooseBody | undefined {
  const read = readCanonical(bytes, { bytes: 4 * 1024 * 1024 });
  return read.ok ? ((read.value.value as { readonly signed?: LooseBody })?.signed ?? undefined) : undefined;
}

const hashOf = (request: SigningRequest): string =>
  createHash('sha256').update(printRequest(request)).digest('hex');
const REQUEST_LIMIT = 16 * 1024 * 1024;

const refuse = (reason: RequestError['reason'], role?: OfflineRole) =>
  fail<RequestError>({ code: 'E_SIGNING', reason, ...(role === undefined ? {} : { role }) });
