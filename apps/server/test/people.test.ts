import { API_BASE, createClient, PLATFORM_ROUTES, ROUTES, type Route } from '@cuebook/api';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn, share } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { stopwatch, timesText } from '../../../test/times.js';
import { machine, TOLD_ONLY } from './machines.js';
import { projectWithPlatform } from './platform/project-with-platform.js';
import { PLATFORM_RIGHTS } from './platform/route-rights.js';
import { RIGHTS, type Right, ROLES } from './route-rights.js';
import { must, serverStand, start, team } from './server-stand.js';

/** Streams and the document of the interface, which are no routes of the tables. */
const BESIDE = [
  { name: 'events', method: 'GET', path: '/runs/run_none/events', right: 'viewer' },
  { name: 'news', method: 'GET', path: '/news', right: 'viewer' },
  { name: 'openapi', method: 'GET', path: '/openapi.json', right: 'viewer' },
] as const;

/** What the document names beside the tables of routes: streams, and what has no token but a signature. */
const SERVED_BESIDE = ['GET /runs/{run}/events', 'GET /news', 'POST /hooks/{webhook}'];

const allRoutes = Object.entries(ROUTES as Readonly<Record<string, Route>>);
const isOfPlatform = ([name]: readonly [string, Route]) => name in PLATFORM_ROUTES;
const routes = allRoutes.filter((each) => !isOfPlatform(each));
const ASKED: readonly { name: string; method: string; path: string; right: Right | undefined }[] = [
  ...routes.map(([name, { method, path }]) => ({
    ...{ name, method, right: RIGHTS[name] },
    path: pathOf(path),
  })),
  ...BESIDE,
];

/** The routes of a platform beside a project; those of the project are asked with its tokens too. */
const ASKED_OF_PLATFORM = allRoutes.filter(isOfPlatform).map(([name, { method, path }]) => ({
  ...{ name, method, path: pathOf(path) },
  right: PLATFORM_RIGHTS[name],
}));

function pathOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, param: string) =>
    param === 'run' ? 'run_none' : param === 'token' ? '0'.repeat(16) : 'none',
  );
}

/** What is answered to a request that says nothing but what it is: `no token`, `no right`, or anything else: it is let in. */
async function ask(
  url: string,
  token: string | undefined,
  { method, path }: { method: string; path: string },
) {
  const stop = new AbortController();
  const answer = await fetch(`${url}${API_BASE}${path}`, {
    method,
    signal: stop.signal,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(['POST', 'PUT', 'PATCH'].includes(method) ? { body: '{}' } : {}),
  });
  const { status, headers } = answer;
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    stop.abort();
    return 'in';
  }
  const body = (await answer.json()) as { readonly error?: { readonly code: string } };
  if (status === 401 && body.error?.code === 'E_TOKEN') return 'no token';
  if (status === 403 && body.error?.code === 'E_ROLE_NOT_ALLOWED') return 'no right';
  return status === 401 || status === 403 ? `${status} ${body.error?.code}` : 'in';
}

it('every route has its least role, and no row is left of one that is gone', () => {
  const rows = [...Object.keys(RIGHTS), ...Object.keys(PLATFORM_RIGHTS)];
  expect(allRoutes.map(([name]) => name).sort()).toEqual(rows.sort());
});

describePart('postgres', 'two projects on one database', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  itInTurn(
    'each person may do at their own project what their role says, and nothing at the other, on every route',
    async () => {
      const databaseUrl = await server.createDatabase();
      const idle = { take: { parallel: 0 } };
      const projects = await Promise.all(
        ['one', 'two'].map(async () => {
          const { server: up, client } = await machine(databaseUrl).up(idle);
          const tokens = new Map<string, string>([['owner token', up.token]]);
          for (const role of ROLES)
            tokens.set(role, must(await client.addPerson({ name: `${role}.person`, role })).token);
          const gone = must(await client.addPerson({ name: 'gone', role: 'owner' }));
          must(await client.removePerson({ person: 'gone' }));
          const old = must(await client.addPersonToken({ person: 'owner.person' }));
          must(await client.revokePersonToken({ person: 'owner.person', token: old.id }));
          return { url: up.url, tokens, dead: [gone.token, old.token, 'cbu.0', undefined] };
        }),
      );
      const wrong: string[] = [];
      let tried = 0;
      for (const [at, { url, tokens, dead }] of projects.entries()) {
        const strangers = [...(projects[1 - at]?.tokens.values() ?? []), ...dead];
        const asking = ASKED.flatMap((asked) => [
          ...[...tokens].map(([who, token]) => ({ asked, who, token, is: rightOf(who, asked.right) })),
          ...strangers.map((token) => ({
            ...{ asked, who: 'a stranger', token },
            is: asked.right === 'open' ? 'in' : 'no token',
          })),
        ]);
        // Whoever is refused is tried always; of those who are let in `npm test` tries the least that may, at one server.
        const isTried = ({ is, who, asked: { right } }: (typeof asking)[number]) =>
          is !== 'in' || (at === 0 && who === right) || share(0, 1) === 1;
        const trying = asking.filter(isTried);
        // Whoever signs out asks nothing more.
        const isLast = ({ asked: { name } }: (typeof asking)[number]) => name === 'signOut';
        const rest = trying.filter((each) => !isLast(each));
        for (const batch of [...batchesOf(rest, 8), ...batchesOf(trying.filter(isLast), 8)])
          await Promise.all(
            batch.map(async ({ asked, who, token, is }) => {
              const got = await ask(url, token, asked);
              tried += 1;
              if (got !== is) wrong.push(`${asked.method} ${asked.path} by ${who}: ${got}, not ${is}`);
            }),
          );
      }
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(share(16 * ASKED.length, 28 * ASKED.length - 1));
    },
  );

  itInTurn('a token that is revoked at one server ends the streams at another', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl);
    const { client: owner } = await first.up(TOLD_ONLY);
    const { server: other } = await machine(databaseUrl, first.key()).up(TOLD_ONLY);
    const times: number[] = [];
    for (let round = 0; round < share(1, 20); round += 1)
      times.push(
        await endsWithin(
          other.url,
          owner,
          async (person, token) => must(await owner.revokePersonToken({ person, token })),
          `ada${round}`,
        ),
      );
    console.log(`revoked at one server, its streams at the other have ended: ${timesText(times)}`);
  });
});

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const rightOf = (who: string, right: Right | undefined): string => {
  if (right === undefined) return 'a row in RIGHTS';
  if (right === 'open' || who === 'owner token') return 'in';
  return ROLES.indexOf(who as never) >= ROLES.indexOf(right) ? 'in' : 'no right';
};

/** Opens streams with a token, takes it back, and waits for their ends; answers how long they took. */
async function endsWithin(
  url: string,
  owner: ReturnType<typeof createClient>,
  revoke: (person: string, id: string) => Promise<unknown>,
  person = 'ada',
): Promise<number> {
  const { token, id } = must(await owner.addPerson({ name: person, role: 'viewer' }));
  const kept = must(await owner.addPersonToken({ person }));
  const { run } = must(
    await owner.startRun({ target: 'sheet:once', script: '{"lanes":{"*":[{"text":"x"}]}}' }),
  );
  const open = async (bearer: string, path: string) => {
    const answer = await fetch(`${url}${API_BASE}${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    await reader?.read();
    const ended = (async () => {
      while ((await reader?.read())?.done === false);
    })();
    return { ended, leave: () => reader?.cancel() };
  };
  const streams = [await open(token, `/runs/${run}/events`), await open(token, '/news')];
  const other = await open(kept.token, '/news');
  const since = stopwatch();
  await revoke(person, id);
  // A stream that does not end hangs here.
  await Promise.all(streams.map(({ ended }) => ended));
  const took = since();
  expect(await ask(url, token, { method: 'GET', path: '/runs' })).toBe('no token');
  // The other token of the same person still counts.
  expect(await ask(url, kept.token, { method: 'GET', path: '/runs' })).toBe('in');
  await other.leave();
  return took;
}

describe('two projects with a platform each', () => {
  itInTurn(
    'each role of a platform may do at its own what it says, and nothing at its project or at the other platform; people of the project do nothing at the platform, but its owner',
    async () => {
      const sides = await Promise.all(['one', 'two'].map((name) => projectWithPlatform(name, ROLES)));
      const wrong: string[] = [];
      let tried = 0;
      for (const [at, { url, people, roles }] of sides.entries()) {
        const other = sides[1 - at] as (typeof sides)[number];
        const strangers = [...other.people.values(), ...other.roles.values(), 'cbp.0.0', undefined];
        const ofPlatform = ASKED_OF_PLATFORM.flatMap((asked) => {
          const isOpen = asked.right === '';
          const may = asked.right?.split(' ') ?? [];
          return [
            ...[...roles].map(([role, token]) => [asked, role, token, isOpen || may.includes(role)] as const),
            ...[...people].map(
              ([who, token]) => [asked, who, token, isOpen || who.startsWith('owner')] as const,
            ),
            ...strangers.map((token) => [asked, 'a stranger', token, isOpen ? true : 'no token'] as const),
          ];
        });
        // Whoever has any token may read what the interface is.
        const ofProject = ASKED.flatMap((asked) =>
          [...roles].map(
            ([role, token]) =>
              [asked, `platform:${role}`, token, asked.right === 'open' || asked.name === 'openapi'] as const,
          ),
        );
        // Whoever is refused is tried always; of those who are let in, `npm test` tries those of one project.
        const trying = [...ofPlatform, ...ofProject].filter(
          ([, , , is]) => is !== true || (at === 0 && share(0, 1) === 0) || share(0, 1) === 1,
        );
        for (const batch of batchesOf(trying, 8))
          await Promise.all(
            batch.map(async ([asked, who, token, is]) => {
              const want = is === true ? 'in' : is === false ? 'no right' : is;
              const got = await ask(url, token, asked);
              tried += 1;
              if (got !== want) wrong.push(`${asked.method} ${asked.path} by ${who}: ${got}, not ${want}`);
            }),
          );
      }
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(20 * ASKED_OF_PLATFORM.length + 6 * ASKED.length);
    },
  );
});

describe('one server with a file', () => {
  it('serves nothing under its interface that the table of rights does not name', async () => {
    const stand = await serverStand();
    onTestFinished(() => stand.remove());
    const { url, token } = stand.server;
    const answer = await fetch(`${url}${API_BASE}/openapi.json`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { paths } = (await answer.json()) as { paths: Readonly<Record<string, object>> };
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(API_BASE, '')}`),
    );
    const named = [...routes.map(([, { method, path }]) => `${method} ${path}`), ...SERVED_BESIDE];
    expect(served.filter((each) => !named.includes(each))).toEqual([]);
    expect(served.length).toBeGreaterThanOrEqual(routes.length);
  });

  it('a revoked token ends its streams, and no other', async () => {
    const stand = await serverStand({
      files: {
        'sheets/once.yaml': 'title: Once\nblocks: [{ name: r, role: system, parts: [{ text: Hi. }] }]\n',
      },
    });
    onTestFinished(() => stand.remove());
    const { client, server } = stand;
    await endsWithin(server.url, client, async (person, token) =>
      must(await client.revokePersonToken({ person, token })),
    );
  });

  it('what somebody does is on record with their name, and only who may sees confidential words', async () => {
    const stand = await serverStand();
    onTestFinished(() => stand.remove());
    const { client, server } = stand;
    const clientOf = async (name: string, role: 'operator' | 'viewer') =>
      createClient({ url: server.url, token: must(await client.addPerson({ name, role })).token });
    const ada = await clientOf('ada', 'operator');
    const vi = await clientOf('vi', 'viewer');
    expect(must(await ada.whoAmI({}))).toEqual({ name: 'ada', role: 'operator' });
    const run = await start({ client: ada }, team([{ alias: 'lead', role: 'orchestrator' }]));
    must(await ada.stopRun({ run }));
    const { events } = must(await vi.listEvents({ run, after: 0, limit: 100 }));
    const byAda = events.filter(({ data }) => JSON.stringify(data).includes('"by":"ada"'));
    expect(byAda.map(({ type }) => type)).toContain('run.stopped');
    const reveal = { run, turn: 'x', reveal: 'true' } as const;
    expect(await vi.getTurn(reveal)).toMatchObject({ ok: false, error: { code: 'E_ROLE_NOT_ALLOWED' } });
    expect(await ada.getTurn(reveal)).not.toMatchObject({ error: { code: 'E_ROLE_NOT_ALLOWED' } });
    // The register of people is no run that anybody reads.
    expect(await client.listEvents({ run: 'run_registerpeople', after: 0, limit: 10 })).toMatchObject({
      ok: false,
      error: { status: 404 },
    });
    expect(must(await client.listRuns({})).runs.map((each) => each.run)).toEqual([run]);
    expect(must(await client.listPeople({})).people.map(({ name, addedBy }) => [name, addedBy])).toEqual([
      ['ada', 'owner'],
      ['vi', 'owner'],
    ]);
  });
});
