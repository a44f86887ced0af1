import { request } from 'node:http';
import { API_BASE, PLATFORM_ROUTES, ROUTES, type Route } from '@cuebook/api';
import { afterAll, beforeAll, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { RIGHTS, ROLES } from './route-rights.js';
import { must, type ServerStand, serverStand } from './server-stand.js';

/** What of a request is written in another way. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Ways to ask for the same thing that somebody may have overlooked. `token` is that of who asks, or none. */
const TRICKS: Readonly<Record<string, (asked: Asked, token: string | undefined) => Asked>> = {
  'its head': (asked) => ({ ...asked, method: asked.method === 'GET' ? 'HEAD' : asked.method }),
  'what it allows': (asked) => ({ ...asked, method: 'OPTIONS' }),
  'a method in lower case': (asked) => ({ ...asked, method: asked.method.toLowerCase() }),
  'another method in a header': (asked) => ({
    ...asked,
    method: asked.method === 'GET' ? 'GET' : 'POST',
    headers: { ...asked.headers, 'x-http-method-override': asked.method, 'x-method-override': asked.method },
  }),
  'a slash behind it': (asked) => ({ ...asked, path: `${asked.path}/` }),
  'two slashes': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/v1//') }),
  'two slashes before it': (asked) => ({ ...asked, path: `/${asked.path}` }),
  'a step aside and back': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/v1/health/../') }),
  'the same, encoded': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/v1/health/%2e%2e/') }),
  'an encoded slash': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/v1%2f') }),
  'an encoded letter': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/%761/') }),
  'encoded twice': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/%25761/') }),
  'capital letters': (asked) => ({ ...asked, path: asked.path.toUpperCase() }),
  'a parameter of the path': (asked) => ({ ...asked, path: `${asked.path};role=owner` }),
  'the open route as a question': (asked) => ({ ...asked, path: `${asked.path}?path=/api/v1/health` }),
  'a backslash': (asked) => ({ ...asked, path: asked.path.replace('/v1/', '/v1/health\\..\\') }),
  'a whole address': (asked) => ({ ...asked, path: `http://127.0.0.1${asked.path}` }),
  'the token in the address': (asked, token) => ({
    ...asked,
    path: `${asked.path}?access_token=${token}&token=${token}`,
    headers: { ...asked.headers, authorization: [] },
  }),
  'two tokens': (asked, token) => ({
    ...asked,
    headers: { ...asked.headers, authorization: [`Bearer ${token}`, 'Bearer owner'] },
  }),
  'who somebody else says it is': (asked) => ({
    ...asked,
    headers: {
      ...asked.headers,
      'x-forwarded-user': 'owner',
      'x-remote-user': 'owner',
      cookie: 'token=owner',
    },
  }),
  'where it was before': (asked) => ({
    ...asked,
    headers: { ...asked.headers, 'x-original-url': '/api/v1/health', 'x-rewrite-url': '/api/v1/health' },
  }),
  'where a stream broke off': (asked) => ({ ...asked, headers: { ...asked.headers, 'last-event-id': '0' } }),
};

let stand: ServerStand;
const tokens = new Map<string, string | undefined>([['nobody', undefined]]);
beforeAll(async () => {
  stand = await serverStand();
  for (const role of ROLES)
    tokens.set(role, must(await stand.client.addPerson({ name: `${role}.person`, role })).token);
});
afterAll(() => stand.remove());

/** The status that is answered; a connection that is cut is a refusal too. */
const statusOf = ({ method, path, headers }: Asked): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(stand.server.url);
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(method.toUpperCase());
    const given = { ...(hasBody && { 'content-type': 'application/json' }), ...headers };
    try {
      const sent = request(
        { hostname, port, method, path, headers: given as never, agent: false },
        (answer) => {
          resolve(answer.statusCode ?? 0);
          answer.destroy();
        },
      );
      sent.on('error', () => resolve(0));
      sent.end(hasBody ? '{}' : undefined);
    } catch {
      resolve(0); // No such request can be sent.
    }
  });

const STREAMS = [
  { name: 'events', method: 'GET', path: '/runs/run_none/events', right: 'viewer' },
  { name: 'news', method: 'GET', path: '/news', right: 'viewer' },
  { name: 'openapi', method: 'GET', path: '/openapi.json', right: 'viewer' },
  { name: 'metrics', method: 'GET', path: '/../../metrics', right: 'viewer' },
];
const ASKED = [
  ...Object.entries(ROUTES as Readonly<Record<string, Route>>)
    .filter(([name]) => !(name in PLATFORM_ROUTES) && RIGHTS[name] !== 'open')
    .map(([name, { method, path }]) => ({ name, method, path, right: RIGHTS[name] ?? 'owner' })),
  ...STREAMS,
].map((each) => ({ ...each, path: each.path.replace(/\{\w+\}/g, 'none') }));

it.each(Object.keys(TRICKS))('whoever asks for %s gets no more than by asking', async (trick) => {
  const told: string[] = [];
  for (const { name, method, path, right } of ASKED)
    for (const [who, token] of tokens) {
      if (who !== 'nobody' && ROLES.indexOf(who as never) >= ROLES.indexOf(right as never)) continue;
      const headers: Asked['headers'] = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const asked = TRICKS[trick]?.({ method, path: API_BASE + path, headers }, token);
      const status = asked === undefined ? 200 : await statusOf(asked);
      if (status !== 0 && status < 400) told.push(`${name} by ${who}: ${status}`);
    }
  expect(told).toEqual([]);
});
