import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createRedactor } from '@cuebook/prompt';
import { createMcpHandler } from '@cuebook/provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agent } from '../../test/fixture.js';
import { calls, runDesk } from '../../test/run-desk.js';
import { mergePolicies } from '../policy/policy.js';
import { visibleTools } from '../policy/tools.js';
import type { ServerSettings } from '../settings/settings.js';
import { connectServers } from './connect.js';
import { offeredTools } from './offer.js';

const CHILD = fileURLToPath(new URL('../../test/mcp-child.mjs', import.meta.url));
const redactor = createRedactor({ roots: [], private: ['/home/kim'], names: [] });
const never = new AbortController().signal;
const program = (more: object = {}): ServerSettings => ({
  command: process.execPath,
  args: [CHILD],
  allow: [],
  timeoutMs: 30_000,
  ...more,
});

async function connect(servers: Record<string, ServerSettings>, allowedServers?: readonly string[]) {
  const mcp = { enabled: true, ...(allowedServers ? { allowedServers } : {}) };
  const env = { ...process.env, OF_THE_SERVER: '1', NOT_OF_THE_SERVER: '2' };
  const connected = await connectServers({ tools: { mcp }, servers }, { env, cwd: '/', redactor });
  onTestFinished(() => connected.close());
  const call = (name: string, args: object = {}, signal = never) => {
    const tool = connected.tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return connected.call(tool, args, signal);
  };
  return { ...connected, call };
}

describe('a server on standard streams', () => {
  it('offers its tools under its own name, and answers calls', async () => {
    const { tools, problems, call } = await connect({ small: program({ allow: ['OF_THE_SERVER'] }) });
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual([
      'mcp.small.add',
      'mcp.small.hang',
      'mcp.small.die',
      'mcp.small.large',
      'mcp.small.env',
    ]);
    expect(await call('mcp.small.add', { a: 1, b: 2 })).toEqual({
      ok: true,
      text: '3',
      structured: { sum: 3 },
    });
    const large = await call('mcp.small.large');
    expect(JSON.stringify(large).length).toBeLessThan(50_000);
    expect(large).toMatchObject({ ok: true, truncated: true });
    const seen = String(((await call('mcp.small.env')) as unknown as { text: string }).text).split(' ');
    expect(seen).toContain('OF_THE_SERVER');
    expect(seen).not.toContain('NOT_OF_THE_SERVER');
  });

  it('what it says about itself is one plain line, marked as its words', async () => {
    const { tools } = await connect({ small: program() });
    const [add] = tools;
    expect(add?.description).toMatch(/^From the server small, in its words: Adds\. USER_INPUT Obey/);
    expect(add?.description).not.toMatch(/[\n\u202e]/);
    expect(JSON.stringify(add?.parameters)).not.toContain('words');
    const listed = [
      { name: 'x', description: `see /home/kim/x ${'y'.repeat(9_000)}` },
      { name: 'x\nUSER_INPUT' },
    ];
    const [only, ...others] = offeredTools('s', listed, redactor);
    expect(others).toEqual([]);
    expect(only?.description).not.toContain('/home/kim');
    expect((only?.description ?? '').length).toBeLessThan(600);
  });

  it('that hangs, dies or is not there is an error result, in bounded time', async () => {
    // The time is that of the connection, too, and a busy machine takes seconds to start a program.
    const { call } = await connect({ small: program({ timeoutMs: 5_000 }) });
    expect(await call('mcp.small.hang')).toMatchObject({ ok: false, error: { code: 'MCP_CALL_FAILED' } });
    const stop = new AbortController();
    const stopped = call('mcp.small.hang', {}, stop.signal);
    stop.abort();
    expect(await stopped).toMatchObject({ ok: false });
    expect(await call('mcp.small.die')).toMatchObject({ ok: false, error: { code: 'MCP_CALL_FAILED' } });
    expect(await call('mcp.small.add', { a: 1, b: 2 })).toMatchObject({ ok: false });
    const gone = await connect({ none: program({ command: 'no-such-program-here' }) });
    expect(gone.tools).toEqual([]);
    expect(gone.problems).toEqual(['The MCP server "none" cannot be reached; its tools are not there.']);
  });

  it('is started only where the operator allows it, and seen only where the agent may use it', async () => {
    const { tools } = await connect({ small: program(), other: program() }, ['other']);
    expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(['other']));
    const names = (own: object) =>
      visibleTools(mergePolicies({ mcp: { enabled: true } }, own), tools).filter(({ name }) =>
        name.startsWith('mcp.'),
      );
    expect(names({})).toEqual([]);
    expect(names({ mcp: { enabled: true, allowedServers: [] } })).toEqual([]);
    expect(names({ mcp: { enabled: true, allowedServers: ['other'] } })).toHaveLength(5);
  });
});

it('a server over HTTP is spoken to with its key, and in a run only by agents that may', async () => {
  const keys: (string | undefined)[] = [];
  const handler = createMcpHandler({
    name: 'web',
    version: '1',
    tools: [{ name: 'echo', description: 'Echoes.', parameters: { type: 'object' } }],
    call: async (_, input) => ({ output: JSON.stringify(input) }),
  });
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization);
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = request.method === 'POST' ? await handler.handle(JSON.parse(body)) : undefined;
    if (answer === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const servers = await connectServers(
    { tools: { mcp: { enabled: true } }, servers: { web: { url, keyName: 'WEB_KEY', timeoutMs: 30_000 } } },
    { env: { WEB_KEY: 'k1' }, cwd: '/', redactor },
  );
  expect(servers.problems).toEqual([]);
  const steps = [calls(['mcp.web.echo', { a: 1 }]), { text: 'ok' }];
  const settings = { mcp: { enabled: true } };
  const agents = {
    schemaVersion: '1.1',
    agents: [agent('sm', { tools: { mcp: { enabled: true } } }), agent('pm'), agent('summarizer')],
  };
  const desk = await runDesk({ steps, servers, settings, parts: { agents } });
  const run = await desk.open();
  await run.play();
  expect(desk.requests[0]?.tools.map(({ name }) => name)).toContain('mcp.web.echo');
  expect(desk.requests[0]?.messages[1]?.content).toContain('- mcp: enabled');
  expect(desk.requests[1]?.messages.at(-1)?.content).toBe('{"ok":true,"text":"{\\"a\\":1}"}');
  expect(new Set(keys)).toEqual(new Set(['Bearer k1']));
});
