import { describe, expect, it } from 'vitest';
import { ROUTES } from '../route/table.js';
import { createClient } from './client.js';

/** A server that answers what it is told, and remembers what it was asked. */
function fake(answer: () => Response | Promise<Response>) {
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetch = (async (url: string, init: RequestInit = {}) => {
    asked.push({ url, init });
    return answer();
  }) as typeof globalThis.fetch;
  return { asked, client: createClient({ url: 'http://127.0.0.1:1/', token: 'secret', fetch }) };
}

const json = (value: unknown, status = 200): Response => new Response(JSON.stringify(value), { status });

describe('createClient', () => {
  it('has a method for every route', () => {
    const { client } = fake(() => json({}));
    expect(Object.keys(client).sort()).toEqual([...Object.keys(ROUTES), 'follow', 'watch'].sort());
  });

  it('puts params, query and body where they belong', async () => {
    const { client, asked } = fake(() => json({ message: 'msg_1' }));
    const said = await client.messageNode({ run: 'run_1', node: 'a/b ?', text: 'Hello.', id: 'one' });
    expect(said).toEqual({ ok: true, value: { message: 'msg_1' } });
    expect(asked[0]?.url).toBe('http://127.0.0.1:1/api/v1/runs/run_1/nodes/a%2Fb%20%3F/message');
    expect(asked[0]?.init.method).toBe('POST');
    expect(JSON.parse(String(asked[0]?.init.body))).toEqual({ text: 'Hello.', id: 'one' });
    expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer secret' });
    await client.listRuns({ limit: 3 });
    expect(asked[1]?.url).toBe('http://127.0.0.1:1/api/v1/runs?limit=3');
    expect(asked[1]?.init.body).toBeUndefined();
  });

  it('gives each command an id of its own', async () => {
    const { client, asked } = fake(() => json({ done: true }));
    await client.pauseRun({ run: 'run_1' });
    await client.pauseRun({ run: 'run_1' });
    const ids = asked.map(({ init }) => (JSON.parse(String(init.body)) as { id: string }).id);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^cmd_[0-9a-f]{32}$/);
  });

  it('follows no redirect, so that nobody else hears the token', async () => {
    const { client, asked } = fake(() => json({ done: true }));
    await client.pauseRun({ run: 'run_1' });
    expect(asked[0]?.init.redirect).toBe('error');
  });

  const ERROR = { code: 'E_RUN_OVER', message: 'The run is over.', field: 'run' };
  const FAILURES = [
    { name: 'a no of the server', answer: () => json({ error: ERROR }, 409), is: { ...ERROR, status: 409 } },
    {
      name: 'a page of somebody else',
      answer: () => new Response('<html>', { status: 502 }),
      is: { code: 'E_API_ANSWER', status: 502 },
    },
    {
      name: 'a server that was too busy to read the request',
      answer: () => new Response(null, { status: 408 }),
      is: { code: 'E_API_UNREACHABLE', status: 0, message: expect.stringContaining('same id') },
    },
    {
      name: 'a yes of another shape',
      answer: () => json({ yes: 1 }),
      is: { code: 'E_API_ANSWER', status: 200 },
    },
    {
      name: 'text that is not JSON',
      answer: () => new Response('ok'),
      is: { code: 'E_API_ANSWER', status: 200 },
    },
    {
      name: 'nobody there',
      answer: () => Promise.reject(new TypeError('fetch failed')),
      is: { code: 'E_API_UNREACHABLE', status: 0, message: expect.stringContaining('is up') },
    },
    {
      name: 'somebody who takes too long',
      answer: () => Promise.reject(new DOMException('', 'TimeoutError')),
      is: { code: 'E_API_UNREACHABLE', status: 0, message: expect.stringContaining('same id') },
    },
  ];
  it.each(FAILURES)('answers $name as a value', async ({ answer, is }) => {
    const { client } = fake(answer);
    expect(await client.pauseRun({ run: 'run_1' })).toMatchObject({ ok: false, error: is });
  });

  it.each(['', ' ', '.', '..'])('asks nothing for a run called %j', async (run) => {
    const { client, asked } = fake(() => json({}));
    expect(await client.getRun({ run })).toMatchObject({
      ok: false,
      error: { code: 'E_API_INPUT', field: 'run' },
    });
    expect(asked).toEqual([]);
  });
});
