import { describe, expect, it } from 'vitest';
import { createMcpHandler, type McpHandlerOptions } from './handler.js';
import { PAGE_SIZE } from './page.js';
import type { McpPromptAnswer } from './prompts.js';

interface Reply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const PROMPTS = [{ name: 'greet', description: 'Greets', arguments: [{ name: 'who', required: true }] }];

const handlerWith = (more: Partial<McpHandlerOptions> = {}) => {
  const get = async (name: string, args: Readonly<Record<string, string>>): Promise<McpPromptAnswer> =>
    args.who === 'nobody'
      ? { ok: false, code: 'E_INPUT', message: 'who: nobody is there' }
      : { ok: true, messages: [{ role: 'user', text: `${name} ${args.who}` }] };
  return createMcpHandler({
    name: 'n',
    version: '1',
    tools: [{ name: 'wait' }],
    call: async () => ({ output: '' }),
    prompts: { list: () => PROMPTS, get },
    ...more,
  });
};
const ask = async (method: string, params: unknown, more?: Partial<McpHandlerOptions>): Promise<Reply> =>
  (await handlerWith(more).handle({ jsonrpc: '2.0', id: 1, method, params })) as Reply;

describe('prompts', () => {
  it('are said to be there, listed, and got', async () => {
    expect((await ask('initialize', {}, { instructions: 'Greet.' })).result).toMatchObject({
      capabilities: { tools: {}, prompts: {} },
      instructions: 'Greet.',
    });
    expect((await ask('prompts/list', {})).result).toEqual({ prompts: PROMPTS });
    expect((await ask('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })).result).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'greet Ada' } }],
    });
  });

  it.each([
    [{ name: 'gone' }, 'no such prompt'],
    [{ name: 'toString' }, 'no such prompt'],
    [{ name: 'greet', arguments: { who: 7 } }, 'arguments have to be an object of strings'],
    [{ name: 'greet', arguments: [] }, 'arguments have to be an object of strings'],
    [{ name: 'greet', arguments: { who: 'nobody' } }, 'E_INPUT who: nobody is there'],
  ])('are refused for %j', async (params, message) => {
    const { error } = await ask('prompts/get', params);
    expect(error).toMatchObject({ code: -32602, message });
    if (message.startsWith('E_')) expect(error?.data).toEqual({ code: 'E_INPUT' });
  });

  it('that break tell nothing', async () => {
    const get = async () => Promise.reject(new Error('the key is hunter2'));
    const reply = await ask('prompts/get', { name: 'greet' }, { prompts: { list: () => PROMPTS, get } });
    expect(reply.error?.message).toBe('E_INTERNAL the prompt failed');
    expect(JSON.stringify(reply)).not.toContain('hunter2');
  });
});

describe('long lists', () => {
  const tools = Array.from({ length: PAGE_SIZE * 2 + 1 }, (_, n) => ({ name: `t${n}` }));

  it('come in pages, each tool once', async () => {
    const names: string[] = [];
    let cursor: unknown;
    for (let page = 0; page < 3; page += 1) {
      const { result } = await ask('tools/list', cursor === undefined ? {} : { cursor }, { tools });
      names.push(...((result?.tools ?? []) as { name: string }[]).map(({ name }) => name));
      cursor = result?.nextCursor;
    }
    expect(cursor).toBeUndefined();
    expect(names).toEqual(tools.map(({ name }) => name));
  });

  it.each([7, '', 'x', 'after-99999', 'after--1', null])('have no page at %j', async (cursor) => {
    expect((await ask('tools/list', { cursor }, { tools })).error?.message).toBe('no such cursor');
  });
});

describe('a cancelled request', () => {
  const cancelled = async (onePeer: boolean) => {
    let signal: AbortSignal | undefined;
    let finish = (): void => undefined;
    const handler = handlerWith({
      onePeer,
      call: (_name, _input, _id, given) => {
        signal = given;
        return new Promise((resolve) => {
          finish = () => resolve({ output: 'done' });
          given.addEventListener('abort', finish);
        });
      },
    });
    const reply = handler.handle({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait' } });
    for (const requestId of [6, '5', undefined, 5]) {
      await handler.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    }
    finish();
    return { reply: await reply, aborted: signal?.aborted };
  };

  it('is cut off and gets no answer', async () => {
    expect(await cancelled(true)).toEqual({ reply: undefined, aborted: true });
  });

  it('is not looked for where several clients count alike', async () => {
    expect(await cancelled(false)).toMatchObject({ reply: { id: 5 }, aborted: false });
  });
});
