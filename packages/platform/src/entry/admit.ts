import { randomBytes } from 'node:crypto';
import { type AdmissionError, type CardDraft, type Challenge, newChallenge } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import {
  asksToEnter,
  completeAdmission,
  endAdmission,
  isSealed,
  openSession,
  type Proof,
  sealChallenge,
  startAdmission,
} from '../admission/admission.js';
import { findAgent } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { change, type RecordError } from '../ledger.js';
import { type AgentRecord, agentSubject, countOne, HOURLY } from '../record.js';
import { hashSecret } from './role.js';

/** What an agent is told when it is let in. */
export interface AdmittedAgent {
  /** The agent's token for this platform. A new one takes the place of the one before. */
  readonly token: string;
  readonly expiresAt: number;
  /** The least version of the timestamp: a new agent has nothing else to compare with. */
  readonly floor: number;
}

type Refusal = AdmissionError | RecordError;

/** A day: an agent that comes back shows its key again. */
export const SESSION_MS = 24 * 60 * 60_000;

/** Opens a challenge, by the owner's wish. With a new key it is one to change the key of an admitted agent. */
export async function beginAdmission(
  parts: PlatformParts,
  { agent, by, newKey }: { readonly agent: string; readonly by: string; readonly newKey?: string },
): Promise<Result<Challenge, Refusal>> {
  const { store, name, now } = parts;
  const known = await findAgent(parts, agent);
  return change<AgentRecord, Challenge, AdmissionError>(store, agentSubject(agent), (record) => {
    if (record === undefined) return refuse('unknown-agent');
    if (record.review.owner !== by) return refuse('not-owner');
    if (known?.published === undefined) return refuse('not-approved');
    if (newKey === undefined && keyOf(record.review.draft) === undefined) return refuse('no-key');
    const purpose = newKey === undefined ? 'admit' : 'rotate';
    if (purpose === 'rotate' && record.admission.status !== 'admitted') return refuse('not-admitted');
    const about = { platform: name, agent, purpose } as const;
    const challenge = newChallenge(newKey === undefined ? about : { ...about, new_key: newKey }, now());
    const admission = startAdmission(record.admission, challenge);
    const data = { by, purpose, expires_at: challenge.expires_at } as never;
    return ok({
      events: [{ type: 'admission.started', data }],
      state: { ...record, admission },
      answer: challenge,
    });
  });
}

/** The challenge that is open for an agent: it is no secret, since only the key can answer it. */
export const findChallenge = async (parts: PlatformParts, agent: string): Promise<Challenge | undefined> =>
  (await findAgent(parts, agent))?.admission.challenge;

/** Takes a proof for the open challenge. A refusal is on record as well. Of any number at once one succeeds. */
export const finishAdmission = (
  parts: PlatformParts,
  proof: Proof,
): Promise<Result<AdmittedAgent, Refusal>> =>
  letIn(parts, proof, (record) =>
    completeAdmission(record.admission, proof, {
      key: record.admission.key ?? keyOf(record.review.draft),
      now: parts.now(),
    }),
  );

/** A challenge for an agent that was admitted before. It is sealed, not stored. */
export function sessionChallenge(
  { name, now, secret }: PlatformParts,
  agent: string,
): { readonly challenge: Challenge; readonly seal: string } {
  const challenge = newChallenge({ platform: name, agent, purpose: 'session' }, now());
  return { challenge, seal: sealChallenge(challenge, secret) };
}

/** Takes a proof for a sealed challenge. */
export const beginSession = (
  parts: PlatformParts,
  proof: Proof & { readonly seal: string },
): Promise<Result<AdmittedAgent, Refusal>> =>
  letIn(
    parts,
    proof,
    ({ admission }) => openSession(admission, proof, sealOf(parts, proof)),
    ({ admission, review }) =>
      asksToEnter(admission, proof, { ...sealOf(parts, proof), key: keyOf(review.draft) }),
  );

const sealOf = ({ now, secret }: PlatformParts, { challenge, seal }: Proof & { readonly seal: string }) => ({
  now: now(),
  isSealed: isSealed(challenge, seal, secret),
});

/** Ends an agent's admission: from now on it gets no credential, and its token is none. */
export function revokeAdmission(
  { store }: PlatformParts,
  { agent, by }: { readonly agent: string; readonly by: string },
): Promise<Result<void, Refusal>> {
  return change<AgentRecord, void, AdmissionError>(store, agentSubject(agent), (record) => {
    if (record === undefined) return refuse('unknown-agent');
    const { session: _, ...rest } = record;
    const state: AgentRecord = { ...rest, admission: endAdmission(record.admission) };
    return ok({ events: [{ type: 'admission.revoked', data: { by } as never }], state, answer: undefined });
  });
}

async function letIn(
  parts: PlatformParts,
  { challenge }: Proof,
  decide: (record: AgentRecord) => Result<AgentRecord['admission'], AdmissionError>,
  asks: (record: AgentRecord) => boolean = () => false,
): Promise<Result<AdmittedAgent, Refusal>> {
  const { store, now } = parts;
  const { agent } = challenge;
  const floor = (await findAgent(parts, agent))?.published?.version ?? 0;
  const secret = randomBytes(32).toString('base64url');
  const done = await change<AgentRecord, Result<AdmittedAgent, AdmissionError>, AdmissionError>(
    store,
    agentSubject(agent),
    (record) => {
      if (record === undefined) return refuse('unknown-agent');
      const admission = decide(record);
      if (!admission.ok) {
        const { reason } = admission.error;
        const counted = countOne(record.counted, 'refused', now());
        // Anybody may try, and so not every try is kept.
        if (guard('admission.refusals', counted.refused > HOURLY.refused))
          return ok({ events: [], answer: admission });
        const data = { purpose: challenge.purpose, reason } as never;
        // Not let in yet, with the right key: its owner is told that it asks.
        const isAsking = asks(record);
        const asked = isAsking ? { admission: { ...record.admission, asked: now() } } : {};
        return ok({
          events: [{ type: isAsking ? 'admission.asked' : 'admission.refused', data }],
          state: { ...record, counted, ...asked },
          answer: admission,
        });
      }
      const expiresAt = now() + SESSION_MS;
      const session = { hash: hashSecret(secret), expiresAt };
      const data = { purpose: challenge.purpose, key: admission.value.key ?? '', expiresAt } as never;
      return ok({
        events: [{ type: 'admission.completed', data }],
        state: { ...record, admission: admission.value, session },
        answer: ok({ token: `cba.${agent}.${secret}`, expiresAt, floor }),
      });
    },
  );
  return done.ok ? done.value : done;
}

/** The key on a card, in hexadecimal. */
export function keyOf({ agent_public_key: text }: Pick<CardDraft, 'agent_public_key'>): string | undefined {
  return text === undefined
    ? undefined
    : Buffer.from(text.slice('ed25519:'.length), 'base64').toString('hex');
}

const refuse = (reason: AdmissionError['reason']) => fail<AdmissionError>({ code: 'E_ADMISSION', reason });
