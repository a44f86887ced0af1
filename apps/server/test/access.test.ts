import { request as httpRequest } from 'node:http';
import { createClient, NOTHING, type RouteTable } from '@cuebook/api';
import { ok } from '@cuebook/prompt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeGroup } from '../src/http/group.js';
import { ownHosts } from '../src/http/security.js';
import { must, type ServerStand, serverStand, start, team } from './server-stand.js';

let stand: ServerStand;
let run: string;

const NOTES = {
  readNotes: {
    method: 'GET',
    path: '/notes',
    summary: 'For auditors.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ by: z.string() }),
    roles: ['auditor'],
  },
} as const satisfies RouteTable;

beforeAll(async () => {
  stand = await serverStand({
    options: {
      auth: {
        identify: (token) => (token === 'auditor-token' ? { name: 'aud', roles: ['auditor'] } : undefined),
      },
      groups: () => [routeGroup(NOTES, { readNotes: async (_, { by }) => ok({ by: by.name }) })],
    },
  });
  run = await start(stand, team([{ alias: 'lead', role: 'orchestrator' }]));
});
afterAll(() => stand.remove());

/** A request as a program that is no browser makes it: with any header. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = httpRequest(`${stand.server.url}${path}`, { method, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
          // A stream does not end by itself.
          if (String(response.headers['content-type']).startsWith('text/event-stream')) response.destroy();
        });
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}

const bearer = (token = stand.server.token) => ({ authorization: `Bearer ${token}` });
const port = () => stand.server.port;

describe('a token is needed', () => {
  const PATHS = [
    '/runs',
    '/approvals',
    '/providers',
    '/roles',
    '/teams',
    '/openapi.json',
    '/runs/run_1/events',
  ];
  it.each(PATHS)('for %s', async (path) => {
    const wrong = [
      {},
      bearer('x'.repeat(43)),
      { authorization: stand.server.token },
      { cookie: `token=${stand.server.token}` },
    ];
    for (const headers of wrong) {
      const { status, body } = await raw(`/api/v1${path}`, headers);
      expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 401, code: 'E_TOKEN' });
    }
    expect((await raw(`/api/v1${path}`, bearer())).status).not.toBe(401);
  });

  it('in the header, never in the address', async () => {
    expect((await raw(`/api/v1/runs?token=${stand.server.token}`)).status).toBe(401);
  });

  it('but not to see that the server is there', async () => {
    expect(await raw('/api/v1/health')).toMatchObject({ status: 200, body: '{"status":"ok","api":1}' });
  });

  it('also for writing', async () => {
    const client = createClient({ url: stand.server.url, token: 'wrong' });
    expect(await client.stopRun({ run })).toMatchObject({ ok: false, error: { status: 401 } });
    expect(must(await stand.client.getRun({ run })).status).toBe('running');
  });

  it('of a role that may ask', async () => {
    expect(await raw('/api/v1/notes', bearer('auditor-token'))).toMatchObject({
      status: 200,
      body: '{"by":"aud"}',
    });
    expect(await raw('/api/v1/notes', bearer())).toMatchObject({ status: 200, body: '{"by":"owner"}' });
    for (const path of ['/runs', `/runs/${run}/events`])
      expect(JSON.parse((await raw(`/api/v1${path}`, bearer('auditor-token'))).body).error.code).toBe(
        'E_ROLE_NOT_ALLOWED',
      );
  });
});

describe('a page of another origin', () => {
  const FOREIGN: readonly { readonly name: string; readonly headers: () => Record<string, string> }[] = [
    { name: 'with its Origin', headers: () => ({ origin: 'https://evil.example' }) },
    { name: 'without an origin of its own', headers: () => ({ origin: 'null' }) },
    { name: 'on another port of this host', headers: () => ({ origin: `http://127.0.0.1:${port() + 1}` }) },
    { name: 'that reads without Origin', headers: () => ({ 'sec-fetch-site': 'cross-site' }) },
    { name: 'of the same site', headers: () => ({ 'sec-fetch-site': 'same-site' }) },
    { name: 'whose name points here', headers: () => ({ host: `evil.example:${port()}` }) },
    { name: 'with the right host and another port', headers: () => ({ host: '127.0.0.1:1' }) },
  ];
  it.each(FOREIGN)('$name can neither read nor write, also with the token', async ({ headers }) => {
    const all = { ...bearer(), ...headers() };
    const read = await raw('/api/v1/runs', all);
    expect(read.status).toBe(403);
    expect(read.body).not.toContain(run);
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
    expect((await raw(`/api/v1/runs/${run}/events`, all)).status).toBe(403);
    expect((await raw(`/api/v1/runs/${run}/stop`, all, 'POST')).status).toBe(403);
    const asked = await raw('/api/v1/runs', { ...all, 'access-control-request-method': 'POST' }, 'OPTIONS');
    expect(asked.status).toBe(403);
    expect(must(await stand.client.getRun({ run })).status).toBe('running');
  });

  it('may lead to the page, which holds no data', async () => {
    const page = await raw('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    expect(page.status).toBe(200);
    expect(page.body).not.toContain(stand.server.token);
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it('is told from our own', async () => {
    const own = { ...bearer(), origin: stand.server.url, 'sec-fetch-site': 'same-origin' };
    expect((await raw('/api/v1/runs', own)).status).toBe(200);
    const byName = { ...bearer(), host: `localhost:${port()}`, origin: `http://localhost:${port()}` };
    expect((await raw('/api/v1/runs', byName)).status).toBe(200);
    const behindProxy = { ...byName, origin: `https://localhost:${port()}` };
    expect((await raw('/api/v1/runs', behindProxy)).status).toBe(200);
  });
});

describe('ownHosts', () => {
  const everywhere = ownHosts({ host: '0.0.0.0', port: 80, names: ['build.lan'] });
  const CASES: readonly (readonly [string, boolean])[] = [
    ['127.0.0.1:80', true],
    ['LOCALHOST:80', true],
    ['[::1]:80', true],
    ['build.lan:80', true],
    ['build.lan', true],
    ['Build.LAN:8443', true],
    ['build.lan.evil.example', false],
    ['build.lan:', false],
    ['10.1.2.3:80', true],
    ['[fe80::1]:80', true],
    ['evil.example:80', false],
    ['10.1.2.3:81', false],
    ['10.1.2.3.evil.example:80', false],
    ['', false],
  ];
  it.each(CASES)('%j is our own: %s', (host, isOwn) => expect(everywhere(host)).toBe(isOwn));
  it('is the loopback alone by default', () => {
    const here = ownHosts({ host: '127.0.0.1', port: 80 });
    expect(['127.0.0.1:80', 'localhost:80', '10.1.2.3:80'].map(here)).toEqual([true, true, false]);
  });
});

describe('what is not there', () => {
  const NOTHING_THERE = [
    '/etc/passwd',
    '/api/v1/fs/list?path=/etc',
    '/../package.json',
    '/%2e%2e/package.json',
    '/page/',
    '/api/v1/roles/..%2F..%2Fsecret',
  ];
  it.each(NOTHING_THERE)('%s shows no file', async (path) => {
    const { status, body } = await raw(path, bearer());
    expect([400, 404]).toContain(status);
    expect(JSON.parse(body).error.code).toMatch(/^E_(ROUTE|REQUEST)$/);
  });

  it('is told apart from another method', async () => {
    const { status, body } = await raw('/api/v1/runs', bearer(), 'DELETE');
    expect({ status, ...JSON.parse(body).error }).toMatchObject({
      status: 405,
      code: 'E_METHOD',
      message: expect.stringContaining('GET or POST'),
    });
  });
});
