import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRedactor } from '@cuebook/prompt';
import { createMcpHandler } from '@cuebook/provider';
import { connectServers, type ServerTool } from '@cuebook/provider/servers';
import { expect, it, onTestFinished } from 'vitest';
import { agent } from '../../test/fixture.js';
import { calls, runDesk } from '../../test/run-desk.js';
import { mergePolicies } from '../policy/policy.js';
import { allowedServers } from '../settings/settings.js';
import { visibleTools } from '../tool/catalog.js';

const redactor = createRedactor({ roots: [], private: ['/home/kim'], names: [] });

it('a server is started only where the operator allows it, and seen only where the agent may use it', () => {
  const small = { command: 'small', args: [], allow: [], timeoutMs: 1_000 };
  const servers = { small, other: small };
  const started = (mcp: object) => Object.keys(allowedServers({ tools: { mcp }, servers }));
  expect(started({ enabled: true, allowedServers: ['other'] })).toEqual(['other']);
  expect(started({ enabled: true })).toEqual(['small', 'other']);
  const tools: readonly ServerTool[] = [
    { name: 'mcp.other.x', server: 'other', own: 'x', description: '', parameters: { type: 'object' } },
  ];
  const names = (own: object) =>
    visibleTools(mergePolicies({ mcp: { enabled: true } }, own), tools).filter(({ name }) =>
      name.startsWith('mcp.'),
    );
  expect(names({})).toEqual([]);
  expect(names({ mcp: { enabled: true, allowedServers: [] } })).toEqual([]);
  expect(names({ mcp: { enabled: true, allowedServers: ['other'] } })).toHaveLength(1);
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
    { web: { url, keyName: 'WEB_KEY', timeoutMs: 30_000 } },
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
