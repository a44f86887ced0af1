import { createHash, randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import type { IssuedToken, People } from '@cuebook/host';
import { describeJournalError, keepFirst, type Store, timeOf } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import { isSame } from '../http/auth.js';
import { badField, fromHost, type HttpError } from '../http/error.js';
import type { Gate } from '../http/security.js';
import { isOwnMachine, type SignInOptions } from './options.js';
import { openProvider } from './provider.js';
import { keyHashOf, stateSealer } from './state.js';
import { BY_SIGN_IN, type SignedIn, whoSignedIn } from './who.js';

/** Signing in at a provider: whoever comes back from it is given a token like any other, that ends by itself. */
export interface PeopleSignIn {
  /** The host of the provider. */
  readonly provider: string;
  begin(asked: { readonly redirect: string; readonly keyHash: string }): Promise<Result<string, HttpError>>;
  end(back: {
    readonly query: string;
    readonly key: string;
  }): Promise<Result<IssuedToken & { readonly expiresAt: number }, HttpError>>;
}

export interface SignInParts {
  readonly options: SignInOptions;
  readonly people: People;
  readonly store: Pick<Store, 'append' | 'head' | 'findCommand' | 'clock'>;
  /** What all servers of the project have and nobody else. */
  readonly secret: string;
  readonly isOwnHost: Gate['isOwnHost'];
  readonly now?: () => number;
}

export function openSignIn({
  options,
  people,
  store,
  secret,
  isOwnHost,
  now = timeOf(store),
}: SignInParts): PeopleSignIn {
  const provider = openProvider(options);
  const sealer = stateSealer(secret);
  return {
    provider: new URL(options.issuer).host,
    async begin({ redirect, keyHash }) {
      const url = URL.canParse(redirect) ? new URL(redirect) : undefined;
      const isOwn =
        url !== undefined &&
        isOwnHost(url.host) &&
        `${url.origin}/` === redirect &&
        (url.protocol === 'https:' || isOwnMachine(url.hostname));
      if (guard('sign-in.redirect', !isOwn))
        return fail(badField('redirect', 'not the address of this server'));
      const fresh = await provider.fresh();
      const state = sealer.seal({ ...fresh, redirect, keyHash, expiresAt: now() + PATIENCE_MS });
      return provider.authorize({ ...fresh, redirect, state });
    },
    async end({ query, key }) {
      const given = new URLSearchParams(query).getAll('state');
      const state = given.length === 1 ? (given[0] ?? '') : '';
      const opened = sealer.open(state);
      // Only the page that began it has the key: nobody can sign somebody else in as themselves.
      const isOther = opened === undefined || !isSame(keyHashOf(key), opened.keyHash);
      if (guard('sign-in.key', isOther) || opened === undefined) return fail(NOT_BEGUN);
      if (opened.expiresAt <= now()) return fail(NOT_BEGUN);
      const used = await useOnce(store, state);
      if (used !== undefined) return fail(used);
      const back = new URL(opened.redirect);
      back.search = query;
      const claims = await provider.claims(back, { ...opened, state });
      if (!claims.ok) return claims;
      const known = { all: await people.list(), removed: await people.removedAddresses() };
      return tokenFor(whoSignedIn(claims.value, options, known), people, now() + SESSION_MS);
    },
  };
}

async function tokenFor(
  who: SignedIn,
  people: People,
  expiresAt: number,
): Promise<Result<IssuedToken & { readonly expiresAt: number }, HttpError>> {
  if (who.is === 'nobody') return fail({ status: 403, code: 'E_SIGN_IN_WHO', message: who.why });
  if (who.is === 'known' && who.role !== undefined) {
    const changed = await people.setRole(who.name, who.role, BY_SIGN_IN);
    if (!changed.ok) return fail(fromHost(changed.error));
  }
  const issued =
    who.is === 'new'
      ? await people.add(who, BY_SIGN_IN, { expiresAt })
      : await people.issue(who.name, BY_SIGN_IN, { expiresAt });
  return issued.ok ? ok({ ...issued.value, expiresAt }) : fail(fromHost(issued.error));
}

/** A way back is gone once. Undefined: this was the first time. */
async function useOnce(store: SignInParts['store'], state: string): Promise<HttpError | undefined> {
  const mine = randomUUID();
  const name = createHash('sha256').update(state).digest('hex');
  const kept = await keepFirst(store, `sign-in ${name}`, mine);
  if (!kept.ok) return { status: 503, code: kept.error.code, message: describeJournalError(kept.error) };
  return guard('sign-in.once', kept.value !== mine) ? NOT_BEGUN : undefined;
}

/** How long somebody may take at the provider. */
const PATIENCE_MS = 10 * 60_000;
/** How long a token of a sign-in counts. */
const SESSION_MS = 12 * 60 * 60_000;

const NOT_BEGUN: HttpError = {
  status: 409,
  code: 'E_SIGN_IN_STATE',
  message: 'This sign-in was not begun on this page, took too long, or was used before. Sign in again.',
};
