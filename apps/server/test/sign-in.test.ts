import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { API_BASE, type ApiAnswer, createClient } from '@cuebook/api';
import { beforeAll, describe, expect, it as itAlways, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { machine } from './machines.js';
import { browse, type OidcStand, oidcStand } from './oidc-stand.js';
import { must, serverStand, startOptions } from './server-stand.js';

/** The variables of a server whose people sign in at a stand. */
const envOf = ({ issuer, client }: OidcStand, more: Readonly<Record<string, string>> = {}) => ({
  CUEBOOK_OIDC_ISSUER: issuer,
  CUEBOOK_OIDC_CLIENT_ID: client.id,
  CUEBOOK_OIDC_CLIENT_SECRET: client.secret,
  ...more,
});

const newKey = () => {
  const key = randomBytes(32).toString('base64url');
  return { key, keyHash: createHash('sha256').update(key).digest('base64url') };
};

const codeOf = <Value>(answer: ApiAnswer<Value>) =>
  answer.ok ? 'ok' : [answer.error.status, answer.error.code];

async function stand(more: Readonly<Record<string, string>> = {}) {
  const oidc = await oidcStand();
  onTestFinished(() => oidc.close());
  const env = { ...startOptions('/nowhere').env, ...envOf(oidc, more) };
  const { server, client, remove, log } = await serverStand({ options: { env } });
  onTestFinished(remove);
  oidc.serve(`${server.url}/`);
  const open = createClient({ url: server.url });
  const redirect = `${server.url}/`;
  /** Signs in as a page does; the answer of the server. */
  const signIn = async (claims: Parameters<OidcStand['person']>[0]) => {
    oidc.person(claims);
    const { key, keyHash } = newKey();
    const { url } = must(await open.beginSignIn({ redirect, keyHash }));
    const back = await browse(url, redirect);
    return { answer: await open.endSignIn({ query: back.search.slice(1), key }), back, key, url };
  };
  return { oidc, server, owner: client, open, signIn, redirect, log };
}

const ADA = { email: 'Ada@Example.com', email_verified: true };

describe('signing in', () => {
  itAlways(
    'gives whoever an owner added a token of their role, which ends with a sign-out or a removal',
    async () => {
      const { owner, open, signIn, server, oidc, log } = await stand();
      expect(must(await open.getSignIn())).toEqual({ provider: new URL(oidc.issuer).host });
      must(await owner.addPerson({ name: 'ada', role: 'reviewer', email: 'ada@example.com' }));
      const first = must((await signIn(ADA)).answer);
      expect(first).toMatchObject({ name: 'ada', role: 'reviewer' });
      const ada = createClient({ url: server.url, token: first.token });
      expect(must(await ada.whoAmI())).toEqual({ name: 'ada', role: 'reviewer' });
      must(await ada.signOut({}));
      expect(codeOf(await ada.whoAmI())).toEqual([401, 'E_TOKEN']);
      const second = must((await signIn(ADA)).answer);
      const news = await fetch(`${server.url}${API_BASE}/news`, {
        headers: { authorization: `Bearer ${second.token}` },
      });
      const reader = news.body?.getReader();
      must(await owner.removePerson({ person: 'ada' }));
      // A stream that does not end hangs here.
      while ((await reader?.read())?.done === false);
      expect(codeOf((await signIn(ADA)).answer)).toEqual([403, 'E_SIGN_IN_WHO']);
      expect(codeOf(await owner.signOut({}))).toEqual([409, 'E_SIGN_OUT']);
      expect(log).toEqual([]);
    },
  );

  it('adds whom the options let in, with the role of their claim, and not whom an owner removed', async () => {
    const { owner, signIn } = await stand({
      CUEBOOK_OIDC_ALLOW: '@example.com',
      CUEBOOK_OIDC_ROLE_CLAIM: 'groups',
      CUEBOOK_OIDC_ROLES: 'admins=owner,builders=operator',
    });
    const role = async (claims: object) => {
      const { answer } = await signIn({ ...ADA, ...claims });
      return answer.ok ? [answer.value.name, answer.value.role] : codeOf(answer);
    };
    expect(await role({ groups: ['others'] })).toEqual([403, 'E_SIGN_IN_WHO']);
    expect(await role({ groups: ['others', 'builders'] })).toEqual(['ada@example.com', 'operator']);
    expect(await role({ groups: ['builders', 'admins'] })).toEqual(['ada@example.com', 'owner']);
    expect(await role({ groups: 'builders' })).toEqual(['ada@example.com', 'operator']);
    expect(await role({ groups: ['toString'] })).toEqual([403, 'E_SIGN_IN_WHO']);
    expect(await role({ email: 'ada@example.com.evil.example', groups: ['admins'] })).toEqual([
      403,
      'E_SIGN_IN_WHO',
    ]);
    expect(await role({ email: 'bo@other.example', groups: ['admins'] })).toEqual([403, 'E_SIGN_IN_WHO']);
    expect(await role({ email_verified: false, groups: ['admins'] })).toEqual([403, 'E_SIGN_IN_WHO']);
    expect(await role({ email: undefined, groups: ['admins'] })).toEqual([403, 'E_SIGN_IN_WHO']);
    expect(must(await owner.listPeople()).people).toMatchObject([
      { name: 'ada@example.com', role: 'operator', addedBy: 'sign-in' },
    ]);
    must(await owner.removePerson({ person: 'ada@example.com' }));
    expect(await role({ groups: ['admins'] })).toEqual([403, 'E_SIGN_IN_WHO']);
    must(await owner.addPerson({ name: 'ada', role: 'viewer', email: 'ada@example.com' }));
    // Whom an owner added has the role that the owner gave.
    expect(await role({ groups: ['admins'] })).toEqual(['ada', 'viewer']);
  });

  it('a way back counts once, for the page that began it, and only as the provider sent it', async () => {
    const { owner, open, signIn, redirect, oidc } = await stand();
    must(await owner.addPerson({ name: 'ada', role: 'viewer', email: 'ada@example.com' }));
    const { answer, back, key, url } = await signIn(ADA);
    must(answer);
    const query = back.search.slice(1);
    expect(codeOf(await open.endSignIn({ query, key }))).toEqual([409, 'E_SIGN_IN_STATE']);
    const asked = new URL(url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('nonce')).toMatch(/^[\w-]{20,}$/);
    const fresh = async (change: (query: URLSearchParams) => void, other?: string) => {
      const { key: own, keyHash } = newKey();
      const begun = must(await open.beginSignIn({ redirect, keyHash }));
      const params = (await browse(begun.url, redirect)).searchParams;
      change(params);
      return codeOf(await open.endSignIn({ query: String(params), key: other ?? own }));
    };
    expect(await fresh(() => undefined)).toBe('ok');
    expect(await fresh(() => undefined, newKey().key)).toEqual([409, 'E_SIGN_IN_STATE']);
    expect(await fresh((params) => params.set('state', 'x'))).toEqual([409, 'E_SIGN_IN_STATE']);
    expect(await fresh((params) => params.append('state', 'x'))).toEqual([409, 'E_SIGN_IN_STATE']);
    expect(await fresh((params) => params.delete('state'))).toEqual([409, 'E_SIGN_IN_STATE']);
    expect(await fresh((params) => params.set('code', 'x'))).toEqual([503, 'E_SIGN_IN_PROVIDER']);
    expect(await fresh((params) => params.set('code', back.searchParams.get('code') ?? ''))).toEqual([
      503,
      'E_SIGN_IN_PROVIDER',
    ]);
    expect(await fresh((params) => params.set('iss', 'https://other.example'))).toEqual([
      503,
      'E_SIGN_IN_PROVIDER',
    ]);
    for (const wrong of [
      'https://evil.example/',
      `${redirect}x`,
      redirect.slice(0, -1),
      `${redirect}?a`,
      'x',
      'javascript:1',
    ])
      expect(codeOf(await open.beginSignIn({ redirect: wrong, keyHash: newKey().keyHash })), wrong).toEqual([
        400,
        'E_REQUEST',
      ]);
    oidc.person('denies');
    const denied = await signIn('denies');
    expect(denied.answer).toMatchObject({ ok: false, error: { status: 403, code: 'E_SIGN_IN_REFUSED' } });
    expect(JSON.stringify(denied.answer)).not.toContain('somebody');
  });

  it('believes an ID token only of its issuer, for this client, for this sign-in, now, and signed', async () => {
    const { owner, open, redirect, oidc } = await stand();
    must(await owner.addPerson({ name: 'ada', role: 'viewer', email: 'ada@example.com' }));
    const [right, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
    if (right === undefined || other === undefined) throw new Error('no keys');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const tokenOf = (claims: object, { key = right, alg = 'RS256' } = {}) => {
      const text = `${encode({ alg, kid: 'k' })}.${encode(claims)}`;
      const mac =
        alg === 'none' ? '' : sign('sha256', Buffer.from(text), key.privateKey).toString('base64url');
      return `${text}.${mac}`;
    };
    const attempt = async (change: object, how?: { key?: typeof right; alg?: string }) => {
      const { key, keyHash } = newKey();
      const { url } = must(await open.beginSignIn({ redirect, keyHash }));
      const asked = new URL(url).searchParams;
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        ...{ iss: oidc.issuer, aud: oidc.client.id, sub: 'ada', iat: now, exp: now + 60 },
        ...{ nonce: asked.get('nonce'), email: 'ada@example.com', email_verified: true },
        ...change,
      };
      const answers: Readonly<Record<string, object>> = {
        '/token': { access_token: 'a', token_type: 'Bearer', id_token: tokenOf(claims, how) },
        '/jwks': {
          keys: [{ ...right.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
        },
      };
      oidc.instead(({ url: path = '' }, response) => {
        const answer = answers[path];
        if (answer === undefined) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        return true;
      });
      const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: oidc.issuer });
      return codeOf(await open.endSignIn({ query: String(query), key }));
    };
    const no = [503, 'E_SIGN_IN_PROVIDER'];
    expect(await attempt({})).toBe('ok');
    expect(await attempt({ iss: 'https://other.example' })).toEqual(no);
    expect(await attempt({ aud: 'another client' })).toEqual(no);
    expect(await attempt({ aud: ['another client'] })).toEqual(no);
    expect(await attempt({ nonce: 'another' })).toEqual(no);
    expect(await attempt({ nonce: undefined })).toEqual(no);
    expect(await attempt({ exp: 1_000 })).toEqual(no);
    expect(await attempt({}, { key: other })).toEqual(no);
    expect(await attempt({}, { alg: 'none' })).toEqual(no);
    expect(await attempt({ email_verified: 'true' })).toEqual([403, 'E_SIGN_IN_WHO']);
    expect(await attempt({ email: ['ada@example.com'] })).toEqual([403, 'E_SIGN_IN_WHO']);
  });

  it('says plainly what is wrong with the provider, and goes on when it is back', async () => {
    const { owner, open, redirect, oidc, signIn } = await stand();
    must(await owner.addPerson({ name: 'ada', role: 'viewer', email: 'ada@example.com' }));
    const begin = async () => {
      const begun = await open.beginSignIn({ redirect, keyHash: newKey().keyHash });
      return begun.ok ? 'ok' : `${begun.error.code} ${begun.error.message}`;
    };
    const answer = (status: number, body: object) =>
      oidc.instead((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      });
    answer(500, {});
    expect(await begin()).toMatch(/^E_SIGN_IN_PROVIDER .*answer does not fit/);
    answer(200, { issuer: 'https://other.example' });
    expect(await begin()).toMatch(/^E_SIGN_IN_PROVIDER .*OAUTH_/);
    oidc.instead((request) => {
      request.socket.destroy();
      return true;
    });
    expect(await begin()).toMatch(/^E_SIGN_IN_PROVIDER .*cannot be reached/);
    oidc.instead(undefined);
    must((await signIn(ADA)).answer);
  });

  it('is off where nobody said how', async () => {
    const { client, remove } = await serverStand();
    onTestFinished(remove);
    expect(must(await client.getSignIn())).toEqual({ provider: null });
    const { keyHash, key } = newKey();
    expect(codeOf(await client.beginSignIn({ redirect: 'http://127.0.0.1/', keyHash }))).toEqual([
      404,
      'E_SIGN_IN_OFF',
    ]);
    expect(codeOf(await client.endSignIn({ query: 'state=x', key }))).toEqual([404, 'E_SIGN_IN_OFF']);
  });
});

describePart('postgres', 'signing in at a project with several servers', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await sharedPostgres();
  });

  it('what one server began another ends, once', async () => {
    const databaseUrl = await databases.createDatabase();
    const oidc = await oidcStand();
    onTestFinished(() => oidc.close());
    const first = machine(databaseUrl, undefined, {}, envOf(oidc));
    const one = await first.up();
    const two = await machine(databaseUrl, first.key(), {}, envOf(oidc)).up();
    const redirect = `${one.server.url}/`;
    oidc.serve(redirect);
    oidc.person(ADA);
    must(await two.client.addPerson({ name: 'ada', role: 'viewer', email: 'ada@example.com' }));
    const { key, keyHash } = newKey();
    const { url } = must(await one.client.beginSignIn({ redirect, keyHash }));
    const query = (await browse(url, redirect)).search.slice(1);
    const ended = await Promise.all(
      [one, two, one, two].map(({ client }) => client.endSignIn({ query, key })),
    );
    expect(ended.map(codeOf).filter((code) => code === 'ok')).toEqual(['ok']);
    const token = ended.flatMap((each) => (each.ok ? [each.value.token] : []))[0] ?? '';
    expect(must(await createClient({ url: two.server.url, token }).whoAmI())).toEqual({
      name: 'ada',
      role: 'viewer',
    });
  });
});
