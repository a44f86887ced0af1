import type { OfferedTool } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createMcpHandler, MAX_TOOL_OUTPUT, type McpHandlerOptions } from './handler.js';

const TOOLS: readonly OfferedTool[] = [
  {
    name: 'spawn_node',
    description: 'Starts a node.',
    parameters: { type: 'object', properties: { label: { type: 'string' } } },
  },
  { name: 'finish' },
];

type Reply = { result?: Record<string, unknown>; error?: { code: number }; id?: unknown } | undefined;

async function ask(
  method: string,
  params: unknown = {},
  more: Partial<McpHandlerOptions> = {},
): Promise<Reply> {
  const calls: McpHandlerOptions['call'] = async (name, input, id) => ({
    output: `${name} ${JSON.stringify(input)} ${id.length > 0}`,
  });
  const handler = createMcpHandler({ name: 'cuebook', version: '1', tools: TOOLS, call: calls, ...more });
  return (await handler.handle({ jsonrpc: '2.0', id: 7, method, params })) as Reply;
}

describe('the MCP handler', () => {
  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2024-11-05'],
    ['2099-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('speaks version %s as %s', async (asked, spoken) => {
    expect((await ask('initialize', { protocolVersion: asked }))?.result).toMatchObject({
      protocolVersion: spoken,
      capabilities: { tools: {} },
      serverInfo: { name: 'cuebook', version: '1' },
    });
  });

  it('lists the tools, each with an object schema', async () => {
    expect((await ask('tools/list'))?.result).toEqual({
      tools: [
        {
          name: 'spawn_node',
          description: 'Starts a node.',
          inputSchema: { type: 'object', properties: { label: { type: 'string' } } },
        },
        { name: 'finish', inputSchema: { type: 'object' } },
      ],
    });
  });

  it('calls a tool and answers with its text', async () => {
    expect(await ask('tools/call', { name: 'spawn_node', arguments: { label: 'a' } })).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { content: [{ type: 'text', text: 'spawn_node {"label":"a"} true' }], isError: false },
    });
  });

  it('gives every call an id of its own, or that of the model where the client says it', async () => {
    const ids: string[] = [];
    const call: McpHandlerOptions['call'] = async (_name, _input, id) => {
      ids.push(id);
      return { output: '' };
    };
    for (const meta of [{}, {}, { 'claudecode/toolUseId': 'toolu_1' }, { 'claudecode/toolUseId': 'a b' }]) {
      await ask('tools/call', { name: 'finish', _meta: meta }, { call });
    }
    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe('toolu_1');
    expect(ids[3]).not.toBe('a b');
  });

  it('runs no tool that it did not offer', async () => {
    let called = 0;
    const call = async () => {
      called += 1;
      return { output: '' };
    };
    for (const name of ['rm', '', undefined, 7, 'constructor']) {
      expect((await ask('tools/call', { name }, { call }))?.error?.code).toBe(-32602);
    }
    expect(called).toBe(0);
  });

  it('answers for a tool that breaks without telling why', async () => {
    const call = async () => Promise.reject(new Error('the key is hunter2'));
    const reply = await ask('tools/call', { name: 'finish' }, { call });
    expect(reply?.result).toMatchObject({ isError: true });
    expect(JSON.stringify(reply)).not.toContain('hunter2');
  });

  it('cuts output that is too long, and says so', async () => {
    const call = async () => ({ output: 'x'.repeat(MAX_TOOL_OUTPUT + 1) });
    const text = JSON.stringify(await ask('tools/call', { name: 'finish' }, { call }));
    expect(text.length).toBeLessThan(MAX_TOOL_OUTPUT + 200);
    expect(text).toContain('[cut: the output is longer]');
  });

  it.each(['server/discover', 'resources/list', 'prompts/list', 'toString', ''])(
    'does not know %s',
    async (method) => {
      expect((await ask(method))?.error?.code).toBe(-32601);
    },
  );

  it('answers no notification', async () => {
    const handler = createMcpHandler({
      name: 'n',
      version: '1',
      tools: [],
      call: async () => ({ output: '' }),
    });
    expect(await handler.handle({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
  });

  it('answers anything at all with a JSON-RPC message or nothing', async () => {
    const handler = createMcpHandler({
      name: 'n',
      version: '1',
      tools: TOOLS,
      call: async () => ({ output: 'ok' }),
    });
    const method = fc.constantFrom('initialize', 'tools/list', 'tools/call', 'ping', 'x');
    const request = fc.record(
      { jsonrpc: fc.constantFrom('2.0', '1.0'), id: fc.anything(), method, params: fc.anything() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), request), async (message) => {
        const reply = (await handler.handle(message)) as Reply;
        if (reply !== undefined) expect(reply).toHaveProperty('jsonrpc', '2.0');
        if (reply !== undefined) expect('result' in reply !== 'error' in reply).toBe(true);
      }),
      runs(500, 20_000),
    );
  });
});
