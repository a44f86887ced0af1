import { PLATFORM_ROUTES, ROUTES, type Route } from '@cuebook/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { must, type ServerStand, serverStand, start, team } from './server-stand.js';

/** What a server without a platform answers. */
const OWN: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.entries(ROUTES).filter(([name]) => !(name in PLATFORM_ROUTES)),
);

let stand: ServerStand;
let run: string;

beforeAll(async () => {
  stand = await serverStand();
  stand.script({ lead: [[{ text: 'Hello.' }]] });
  run = await start(stand, team([{ alias: 'lead', role: 'orchestrator' }, { alias: 'dev' }]));
});
afterAll(() => stand.remove());

/** Sends anything, as it is. */
async function send(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) {
  const response = await fetch(`${stand.server.url}/api/v1${path.replace('RUN', run)}`, {
    method,
    headers: {
      authorization: `Bearer ${stand.server.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const answer = JSON.parse(await response.text()) as { error?: Record<string, unknown> };
  return { status: response.status, ...answer };
}
const json = (method: string, path: string, body: unknown, headers = {}) =>
  send(method, path, JSON.stringify(body), headers);

describe('a request that does not fit is 400 with the name of its field', () => {
  const TEAM = { file: 'team.yaml' };
  const CASES: readonly (readonly [string, string, unknown, string])[] = [
    ['POST', '/runs', {}, 'team'],
    ['POST', '/runs', { team: 'team.yaml' }, 'team'],
    ['POST', '/runs', { team: { file: 5 } }, 'team.file'],
    ['POST', '/runs', { team: { file: '' } }, 'team.file'],
    ['POST', '/runs', { team: TEAM, mode: 'BANANA' }, 'mode'],
    ['POST', '/runs', { team: TEAM, goal: '' }, 'goal'],
    ['POST', '/runs', { team: TEAM, id: 'a b' }, 'id'],
    ['POST', '/runs/RUN/mode', { mode: 'BANANA' }, 'mode'],
    ['POST', '/runs/RUN/mode', { globalMode: 'banana' }, 'globalMode'],
    ['POST', '/runs/RUN/mode', {}, 'mode'],
    ['POST', '/runs/RUN/pause', { interrupt: 'yes' }, 'interrupt'],
    ['POST', '/runs/RUN/finish', { ok: true }, 'summary'],
    ['POST', '/runs/RUN/budget', { turns: -1 }, 'turns'],
    ['POST', '/runs/RUN/budget', {}, 'turns'],
    ['POST', '/runs/RUN/budget', { turns: 90, node: 'nobody' }, 'node'],
    ['POST', '/runs/RUN/edges', { from: 'lead', to: 'dev', type: 'banana' }, 'type'],
    ['POST', '/runs/RUN/edges', { from: 'lead' }, 'to'],
    ['POST', '/runs/RUN/edges', { from: 'lead', to: 'dev', bidirectional: 'no' }, 'bidirectional'],
    ['POST', '/runs/RUN/nodes', { label: 5, role: 'planner', provider: 'cli' }, 'label'],
    [
      'POST',
      '/runs/RUN/nodes',
      { label: 'x', role: 'planner', provider: 'cli', capabilities: { writeCode: 1 } },
      'capabilities.writeCode',
    ],
    ['POST', '/runs/RUN/nodes', { label: 'x', role: 'planner', provider: 'cli', alias: 'a b' }, 'alias'],
    ['POST', '/runs/RUN/nodes/lead/message', { text: '' }, 'text'],
    ['POST', '/runs/RUN/nodes/lead/message', { text: 'x', colour: 'red' }, 'colour'],
    ['PATCH', '/runs/RUN/nodes/lead', { status: 'banana' }, 'status'],
    ['PATCH', '/runs/RUN/nodes/lead', {}, 'body'],
    ['POST', '/runs/RUN/approvals/apr_1', { decision: 'maybe' }, 'decision'],
    ['POST', '/runs/RUN/approvals/apr_1', { decision: 'change' }, 'input'],
    ['POST', '/runs/RUN/doubts/eff_1', { outcome: 'perhaps' }, 'outcome'],
    ['POST', '/runs/banana/pause', {}, 'run'],
    ['POST', '/runs', [], 'body'],
    ['POST', '/runs', null, 'body'],
  ];
  it.each(CASES)('%s %s %j -> %s', async (method, path, body, field) => {
    const { status, error } = await json(method, path, body);
    expect({ status, code: error?.code, field: error?.field }).toEqual({
      status: 400,
      code: 'E_REQUEST',
      field,
    });
    expect(String(error?.message)).toContain(field);
  });

  const QUERIES: readonly (readonly [string, string])[] = [
    ['/runs?limit=0', 'limit'],
    ['/runs?limit=many', 'limit'],
    ['/runs?status=banana', 'status'],
    ['/runs?colour=red', 'colour'],
    ['/runs?limit=1&limit=2', 'limit'],
    ['/runs?before=run_nowhere', 'before'],
    ['/runs/RUN/log?after=-1', 'after'],
    ['/runs/RUN/events?after=x', 'after'],
    ['/runs/RUN/events?after=999999', 'after'],
    ['/runs/RUN/events?since=1', 'since'],
    ['/runs/RUN/artifacts/nothing', 'hash'],
    ['/runs/RUN/turns?node=nobody', 'node'],
  ];
  it.each(QUERIES)('GET %s -> %s', async (path, field) => {
    const { status, error } = await send('GET', path);
    expect({ status, field: error?.field }).toEqual({ status: 400, field });
  });

  it('for a body that is not JSON, not UTF-8, too deep, or of another type', async () => {
    const at = '/runs/RUN/nodes/lead/message';
    const deep = `{"decision":"change","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await send('POST', at, '{"text":')).toMatchObject({ status: 400, error: { field: 'body' } });
    expect(await send('POST', at, new Uint8Array([0x7b, 0xff, 0xfe]))).toMatchObject({
      status: 400,
      error: { field: 'body' },
    });
    expect(await send('POST', '/runs/RUN/approvals/apr_1', deep)).toMatchObject({
      status: 400,
      error: { field: 'body' },
    });
    expect(await send('POST', at, 'text=x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  });

  it.each([
    ['a member twice', '{"text":"a","text":"b"}', 'holds a member twice'],
    ['a member twice, once as an escape', '{"text":"a","te\\u0078t":"b"}', 'holds a member twice'],
    ['a member twice, deep inside', '{"text":"a","more":[{"x":{"y":1,"y":2}}]}', 'holds a member twice'],
    ['half a character', '{"text":"\\ud800"}', 'half a character'],
    ['a number that is too large', '{"text":9007199254740993}', 'a number'],
    ['a member __proto__', '{"text":"a","__proto__":{}}', '__proto__'],
  ])('for a body that readers read unlike: %s', async (_name, body, why) => {
    const { status, error } = await send('POST', '/runs/RUN/nodes/lead/message', body);
    expect({ status, field: error?.field }).toEqual({ status: 400, field: 'body' });
    expect(error?.message).toContain(why);
  });

  it('and 413 when it is too long, however it is sent', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(1_200_000) });
    expect(await send('POST', '/runs/RUN/nodes/lead/message', long)).toMatchObject({
      status: 413,
      error: { code: 'E_REQUEST_SIZE' },
    });
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(' '.repeat(200_000))),
    });
    const streamed = fetch(`${stand.server.url}/api/v1/runs/${run}/pause`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stand.server.token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    const status = await streamed.then(
      (response) => response.status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(status);
  });

  it('whatever is sent: an answer with a code, never a crash and never a stack', async () => {
    const posts = Object.values(OWN).filter(({ method }) => method !== 'GET');
    const names = [
      'run',
      'node',
      'team',
      'text',
      'mode',
      'decision',
      'input',
      'ok',
      'id',
      '__proto__',
      'constructor',
    ];
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any')),
        fc.dictionary(fc.constantFrom(...names), tie('any')),
      ),
    })).any;
    const own = await start(stand, team([{ alias: 'lead', role: 'orchestrator' }]));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...posts),
        value,
        fc.string({ unit: 'binary' }),
        async (route, body, id) => {
          const path = route.path
            .replace('{run}', own)
            .replace(/\{\w+\}/g, () => encodeURIComponent(id.toWellFormed()) || 'x');
          const { status, error } = await json(route.method, path, body);
          expect(status === 200 || status === 201 ? undefined : error?.code).not.toBe('E_SERVER');
          expect(JSON.stringify(error ?? '')).not.toMatch(/\.ts:|\.js:| at |node_modules/);
        },
      ),
      runs(150, 5_000),
    );
  });
});

describe('wrong ids', () => {
  const CASES: readonly (readonly [string, string, unknown, number, string])[] = [
    ['GET', '/runs/run_nowhere', undefined, 404, 'E_RUN_UNKNOWN'],
    ['POST', '/runs/run_nowhere/pause', {}, 404, 'E_RUN_UNKNOWN'],
    ['GET', '/runs/run_nowhere/events', undefined, 404, 'E_RUN_UNKNOWN'],
    ['GET', '/runs/run_nowhere/turns', undefined, 404, 'E_RUN_UNKNOWN'],
    ['GET', '/runs/run_nowhere/workspaces', undefined, 404, 'E_RUN_UNKNOWN'],
    ['POST', '/runs/RUN/nodes/nobody/message', { text: 'x' }, 404, 'E_TEAM_NODE'],
    ['POST', '/runs/RUN/edges', { from: 'ghost', to: 'lead' }, 404, 'E_TEAM_NODE'],
    ['POST', '/runs/RUN/approvals/apr_nothing', { decision: 'allow' }, 404, 'E_APPROVAL_UNKNOWN'],
    ['GET', '/runs/RUN/approvals/apr_nothing', undefined, 404, 'E_APPROVAL_UNKNOWN'],
    ['GET', '/runs/RUN/turns/turn_nothing', undefined, 404, 'E_TURN_UNKNOWN'],
    ['GET', `/runs/RUN/artifacts/${'0'.repeat(64)}`, undefined, 404, 'E_ARTIFACT_UNKNOWN'],
    ['GET', '/roles/nobody', undefined, 404, 'E_ROLE_UNKNOWN'],
    ['POST', '/runs/RUN/resume', {}, 409, 'E_RUN_NOT_PAUSED'],
    ['POST', '/runs/RUN/doubts/eff_nothing', { outcome: 'not-done' }, 404, 'E_EFFECT_CLOSED'],
  ];
  it.each(CASES)('%s %s %j -> %i %s', async (method, path, body, status, code) => {
    const answer = body === undefined ? await send(method, path) : await json(method, path, body);
    expect({ status: answer.status, code: answer.error?.code }).toEqual({ status, code });
  });
});

describe('a command with the same id', () => {
  const told = async () =>
    must(await stand.client.listEvents({ run, limit: 1_000 })).events.filter(
      ({ type }) => type === 'node.told',
    ).length;

  it('is done once, by the body or by the header, and answers the same', async () => {
    const before = await told();
    const first = await json('POST', '/runs/RUN/nodes/dev/message', { text: 'Once.', id: 'once' });
    const again = await json('POST', '/runs/RUN/nodes/dev/message', { text: 'Once.', id: 'once' });
    const byHeader = await json(
      'POST',
      '/runs/RUN/nodes/dev/message',
      { text: 'Once.' },
      { 'idempotency-key': 'once' },
    );
    expect(again).toEqual(first);
    expect(byHeader).toEqual(first);
    expect((await told()) - before).toBe(1);
  });

  it('is a conflict when it says something else', async () => {
    await json('POST', '/runs/RUN/nodes/dev/message', { text: 'One.', id: 'two' });
    expect(await json('POST', '/runs/RUN/nodes/dev/message', { text: 'Two.', id: 'two' })).toMatchObject({
      status: 409,
      error: { code: 'E_COMMAND_CONFLICT' },
    });
    const both = await json(
      'POST',
      '/runs/RUN/nodes/dev/message',
      { text: 'x', id: 'three' },
      { 'idempotency-key': 'four' },
    );
    expect(both).toMatchObject({ status: 400, error: { field: 'Idempotency-Key' } });
  });

  it('starts one run', async () => {
    const text = team([{ alias: 'lead', role: 'orchestrator' }]);
    const [one, two] = await Promise.all(
      [1, 2].map(() => json('POST', '/runs', { team: { text }, id: 'start-once' })),
    );
    expect(one).toMatchObject({ status: 201, run: expect.stringMatching(/^run_/) });
    expect(two).toEqual(one);
  });
});

describe('the OpenAPI document', () => {
  it('has every route, with its fields', async () => {
    const document = (await send('GET', '/openapi.json')) as unknown as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(operations.sort()).toEqual([...Object.keys(OWN), 'followRun'].sort());
    expect(document.paths['/runs/{run}/finish']).toMatchObject({
      post: { requestBody: { content: { 'application/json': { schema: { required: ['ok', 'summary'] } } } } },
    });
  });
});
