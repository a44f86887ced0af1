import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpHandler } from './handler.js';
import { type LoopbackMcp, MAX_MCP_BODY, startLoopbackMcp } from './loopback.js';

let server: LoopbackMcp;
beforeAll(async () => {
  server = await startLoopbackMcp();
});
afterAll(() => server.close());

const handlerOf = (name: string) =>
  createMcpHandler({ name, version: '1', tools: [{ name: 'who' }], call: async () => ({ output: name }) });

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } };

interface Post {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `fetch` does not let a test choose its Host. */
function post(token: string | undefined, { method = 'POST', path = '/mcp', headers = {}, body }: Post = {}) {
  const { port } = new URL(server.url);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const out = httpRequest({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...authorization, ...headers },
    });
    out.once('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    out.once('error', reject);
    out.end(body ?? (method === 'POST' ? JSON.stringify(CALL) : ''));
  });
}

describe('the loopback MCP server', () => {
  it('listens on 127.0.0.1 alone and answers each node with its own tools', async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const [ada, ben] = [
      server.admit({ handler: handlerOf('ada') }),
      server.admit({ handler: handlerOf('ben') }),
    ];
    expect((await post(ada.token)).text).toContain('"text":"ada"');
    expect((await post(ben.token)).text).toContain('"text":"ben"');
    expect(ada.token).not.toBe(ben.token);
  });

  it('opens to no other token', async () => {
    const { token, release } = server.admit({ handler: handlerOf('ada') });
    for (const wrong of [undefined, '', 'x', `${token}x`, token.slice(1), token.toUpperCase()]) {
      expect((await post(wrong)).status).toBe(401);
    }
    release();
    expect((await post(token)).status).toBe(401);
  });

  const CASES: ReadonlyArray<[string, Post, number]> = [
    ['a foreign Host', { headers: { host: 'evil.example' } }, 403],
    ['a foreign Host at our port', { headers: { host: 'evil.example:80' } }, 403],
    ['a page of a browser', { headers: { origin: 'http://127.0.0.1' } }, 403],
    ['GET', { method: 'GET' }, 405],
    ['DELETE', { method: 'DELETE' }, 405],
    ['another path', { path: '/' }, 404],
    ['a notification', { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }, 202],
    ['no JSON', { body: '{' }, 200],
    ['too much', { body: `"${'x'.repeat(MAX_MCP_BODY)}"` }, 413],
  ];
  it.each(CASES)('answers %s', async (_name, request, status) => {
    const { token } = server.admit({ handler: handlerOf('ada') });
    expect((await post(token, request)).status).toBe(status);
  });

  it('answers bytes that are not JSON as JSON-RPC says', async () => {
    const { token } = server.admit({ handler: handlerOf('ada') });
    expect(JSON.parse((await post(token, { body: 'no' })).text)).toMatchObject({ error: { code: -32700 } });
  });

  it('sends nothing that the choke point refuses', async () => {
    const seen: string[] = [];
    const open = server.admit({ handler: handlerOf('ada'), pass: async (bytes) => void seen.push(bytes) });
    const shut = server.admit({
      handler: handlerOf('ada'),
      pass: async () => Promise.reject(new Error('refused')),
    });
    expect((await post(open.token)).text).toBe(seen[0]);
    expect(await post(shut.token)).toEqual({ status: 500, text: '' });
  });

  it('closes, twice', async () => {
    const own = await startLoopbackMcp();
    await Promise.all([own.close(), own.close()]);
    await expect(fetch(own.url, { method: 'POST' })).rejects.toThrow();
  });
});
