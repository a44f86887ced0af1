import { expect, it } from 'vitest';
import { signInOptions } from './options.js';

const BOTH = { CUEBOOK_OIDC_ISSUER: 'https://login.example', CUEBOOK_OIDC_CLIENT_ID: 'cuebook' };

it.each<readonly [Readonly<Record<string, string>>, unknown]>([
  [{}, undefined],
  [{ CUEBOOK_OIDC_ISSUER: ' ', CUEBOOK_OIDC_ALLOW: '@example.com' }, undefined],
  [BOTH, { issuer: 'https://login.example', clientId: 'cuebook', allow: [], roles: {} }],
  [
    {
      ...BOTH,
      CUEBOOK_OIDC_ISSUER: 'http://127.0.0.1:8080/realm',
      CUEBOOK_OIDC_CLIENT_SECRET: 's',
      CUEBOOK_OIDC_ALLOW: 'Ada@Example.com, @other.example',
      CUEBOOK_OIDC_ROLE_CLAIM: 'groups',
      CUEBOOK_OIDC_ROLES: 'a=b=owner, *=viewer',
    },
    {
      issuer: 'http://127.0.0.1:8080/realm',
      clientId: 'cuebook',
      clientSecret: 's',
      allow: ['ada@example.com', '@other.example'],
      roleClaim: 'groups',
      roles: { 'a=b': 'owner', '*': 'viewer' },
    },
  ],
])('%j says how people sign in', (env, options) => {
  expect(signInOptions(env)).toEqual({ ok: true, value: options });
});

it.each<readonly [Readonly<Record<string, string>>, string]>([
  [{ CUEBOOK_OIDC_ISSUER: 'https://login.example' }, 'CUEBOOK_OIDC_CLIENT_ID'],
  [{ CUEBOOK_OIDC_CLIENT_ID: 'x' }, 'CUEBOOK_OIDC_ISSUER'],
  [{ ...BOTH, CUEBOOK_OIDC_ISSUER: 'login.example' }, 'https'],
  [{ ...BOTH, CUEBOOK_OIDC_ISSUER: 'http://login.example' }, 'https'],
  [{ ...BOTH, CUEBOOK_OIDC_ISSUER: 'http://127.0.0.1.evil.example' }, 'https'],
  [{ ...BOTH, CUEBOOK_OIDC_ALLOW: 'example.com', CUEBOOK_OIDC_ROLES: '*=viewer' }, '@example.com'],
  [{ ...BOTH, CUEBOOK_OIDC_ALLOW: '@example.com' }, 'CUEBOOK_OIDC_ROLES'],
  [{ ...BOTH, CUEBOOK_OIDC_ROLES: 'admins=boss' }, 'VALUE=ROLE'],
  [{ ...BOTH, CUEBOOK_OIDC_ROLES: '=owner' }, 'VALUE=ROLE'],
])('%j is refused and says why', (env, why) => {
  const read = signInOptions(env);
  expect(read).toMatchObject({ ok: false, error: expect.stringContaining(why) });
});
