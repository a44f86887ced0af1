import {
  type AccessError,
  type AdmissionError,
  type Credential,
  type CredentialScope,
  DEFAULT_LIFETIME_MS,
  type Purpose,
  scopeOf,
  termProblem,
  type Upload,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { findAgent } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { change, type RecordError } from '../ledger.js';
import { circlesOf, findPlace } from '../places.js';
import { type AgentRecord, agentSubject, countOne, HOURLY } from '../record.js';
import { keepTopicState } from '../topic-state.js';

export type CredentialError = AccessError | AdmissionError | RecordError;

export interface CredentialRequest {
  readonly agent: string;
  readonly purpose: Purpose;
  /** A quarter of an hour by default, an hour at most. */
  readonly lifetimeMs?: number;
}

/**
 * A credential for an admitted agent. It is on record before it leaves, with what it opens and until when; one that
 * cannot be put on record is not handed out. A refusal is on record too.
 */
export async function issueCredential(
  parts: PlatformParts,
  request: CredentialRequest,
): Promise<Result<Credential, CredentialError>> {
  const { agent, purpose, lifetimeMs = DEFAULT_LIFETIME_MS } = request;
  const scope = await allowedScope(parts, request);
  if (!scope.ok) return audited<Credential>(parts, agent, purpose, scope);
  // Whoever goes to a topic finds there how it stands; without that it can go all the same.
  if (purpose.kind === 'topic') await keepTopicState(parts, purpose.id);
  const issued = await parts.issuer.issue(scope.value, { now: parts.now(), lifetimeMs });
  return audited(parts, agent, purpose, issued);
}

/** The address of one write that must not overwrite, where the store needs one. On record like a credential. */
export async function issueUpload(
  parts: PlatformParts,
  request: CredentialRequest & { readonly key: string; readonly length: number },
): Promise<Result<Upload, CredentialError>> {
  const { agent, purpose, key, length, lifetimeMs = UPLOAD_MS } = request;
  const scope = await allowedScope(parts, request);
  if (!scope.ok) return audited<Upload & Issued>(parts, agent, purpose, scope, key);
  const upload = await parts.issuer.upload(scope.value, { key, length }, { now: parts.now(), lifetimeMs });
  if (!upload.ok) return audited<Upload & Issued>(parts, agent, purpose, upload, key);
  // A store whose credentials say so themselves needs no address.
  const { value } = upload;
  if (value === undefined) return fail({ code: 'E_ACCESS', reason: 'not-covered' });
  const issued = ok({ ...value, scope: { agent, rules: [{ may: 'create', at: key } as const] } });
  const noted = await audited<Upload & Issued>(parts, agent, purpose, issued, key);
  return noted.ok ? ok(value) : noted;
}

async function allowedScope(
  parts: PlatformParts,
  { agent, purpose, lifetimeMs = DEFAULT_LIFETIME_MS }: CredentialRequest,
): Promise<Result<CredentialScope, CredentialError>> {
  const record = await findAgent(parts, agent);
  if (record === undefined) return fail({ code: 'E_ADMISSION', reason: 'unknown-agent' });
  const isIn = record.admission.status === 'admitted' && record.published !== undefined;
  if (guard('admission.gate', !isIn)) return fail({ code: 'E_ADMISSION', reason: 'not-admitted' });
  const problem = termProblem(lifetimeMs);
  if (problem !== undefined) return fail(problem);
  const place = purpose.kind === 'registry' ? undefined : await findPlace(parts, purpose);
  const circles = await circlesOf(parts, agent);
  const member = { agent, cardVersion: record.published?.cardVersion ?? 0, circles };
  return scopeOf(member, purpose, place, parts.now());
}

/** Puts what was decided on record, and only then answers it. */
async function audited<Value extends Issued>(
  { store, now }: PlatformParts,
  agent: string,
  purpose: Purpose,
  result: Result<Value, CredentialError>,
  key?: string,
): Promise<Result<Value, CredentialError>> {
  // An agent that is not known has no record to write to, and strangers do not fill the journal.
  if (!result.ok && result.error.reason === 'unknown-agent') return result;
  const about = { purpose, ...(key === undefined ? {} : { key }) };
  const event = result.ok
    ? {
        type: 'credential.issued',
        data: { ...about, rules: result.value.scope.rules, expiresAt: result.value.expiresAt } as never,
      }
    : { type: 'credential.refused', data: { ...about, reason: result.error.reason } as never };
  const noted = await change<AgentRecord, boolean, never>(store, agentSubject(agent), (record) => {
    if (record === undefined) return ok({ events: [], answer: false });
    const counted = countOne(record.counted, 'asked', now());
    const isTooMuch = guard('access.hourly', counted.asked > HOURLY.asked);
    if (isTooMuch) return ok({ events: [], answer: false });
    return ok({ events: [event], state: { ...record, counted }, answer: true });
  });
  if (guard('admission.audit', !noted.ok) && !noted.ok) return noted;
  return noted.ok && !noted.value ? fail({ code: 'E_ACCESS', reason: 'too-many' }) : result;
}

interface Issued {
  readonly scope: CredentialScope;
  readonly expiresAt: number;
}

const UPLOAD_MS = 5 * 60_000;
