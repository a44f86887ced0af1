import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { findAgent } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from '../ledger.js';
import { type Caller, isSecret, newToken, parseToken, type RoleError, type TokenRecord } from './role.js';

const subjectOf = (id: string): LedgerSubject => ({ name: 'platform.token', key: id });

/** Gives a person a token. Its text is answered once and not kept. */
export async function issueToken(
  { store, now }: Pick<PlatformParts, 'store' | 'now'>,
  about: Pick<TokenRecord, 'who' | 'role'>,
): Promise<Result<{ readonly text: string; readonly record: TokenRecord }, RecordError>> {
  const made = newToken(about, now());
  const { id, who, role } = made.record;
  return change<TokenRecord, typeof made, never>(store, subjectOf(id), () =>
    ok({ events: [{ type: 'token.issued', data: { id, who, role } }], state: made.record, answer: made }),
  );
}

/** Takes a token back. One that is not there, or was taken back before, changes nothing. */
export function revokeToken(
  { store, now }: Pick<PlatformParts, 'store' | 'now'>,
  id: string,
): Promise<Result<boolean, RecordError>> {
  return change<TokenRecord, boolean, never>(store, subjectOf(id), (record) => {
    if (record === undefined || record.revokedAt !== undefined) return ok({ events: [], answer: false });
    const state = { ...record, revokedAt: now() };
    return ok({ events: [{ type: 'token.revoked', data: { id } }], state, answer: true });
  });
}

export async function listTokens({
  store,
}: Pick<PlatformParts, 'store'>): Promise<readonly Omit<TokenRecord, 'hash'>[]> {
  const all = [...(await store.projections('platform.token')).values()] as unknown as TokenRecord[];
  return all
    .sort((a, b) => a.issuedAt - b.issuedAt || (a.id < b.id ? -1 : 1))
    .map(({ hash: _, ...shown }) => shown);
}

/** Who a token speaks for, now. */
export async function authenticate(
  parts: Pick<PlatformParts, 'store' | 'now'>,
  text: string,
): Promise<Result<Caller, RoleError>> {
  const token = parseToken(text);
  if (token === undefined) return refuse();
  if (token.kind === 'cba') {
    const session = (await findAgent(parts, token.id))?.session;
    const isIt =
      session !== undefined && isSecret(token.secret, session.hash) && parts.now() < session.expiresAt;
    return guard('platform.token', !isIt) ? refuse() : ok({ who: token.id, role: 'agent' });
  }
  const record = await stateOf<TokenRecord>(parts.store, subjectOf(token.id));
  if (record === undefined) return refuse();
  if (guard('platform.token', !isSecret(token.secret, record.hash))) return refuse();
  if (guard('platform.revoked', record.revokedAt !== undefined)) return refuse();
  return ok({ who: record.who, role: record.role });
}

const refuse = () => fail<RoleError>({ code: 'E_PLATFORM_ROLE', reason: 'token' });
