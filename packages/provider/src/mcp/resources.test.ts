import { expect, it } from 'vitest';
import { createMcpHandler } from './handler.js';
import { PAGE_SIZE } from './page.js';
import type { McpResources } from './resources.js';

interface Reply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const LISTED = Array.from({ length: PAGE_SIZE + 3 }, (_, n) => ({ uri: `x://${n}`, name: `n${n}` }));
const TEMPLATES = [{ uriTemplate: 'x://{n}', name: 'one' }];

/** Asks a server whose texts are their own addresses. */
async function ask(method: string, params: object = {}, more: Partial<McpResources> = {}) {
  const asked: string[] = [];
  const read: McpResources['read'] = async (uri) => {
    asked.push(uri);
    if (uri === 'x://throws') throw new Error('/home/kim is full');
    if (uri === 'x://bad') return { ok: false, code: 'E_TARGET', message: 'no' };
    return uri.startsWith('x://') ? { ok: true, text: uri } : undefined;
  };
  const handler = createMcpHandler({
    ...{ name: 'n', version: '1', tools: [], call: async () => ({ output: '' }), tellsChanges: true },
    resources: { list: async () => LISTED, templates: TEMPLATES, read, ...more },
  });
  const reply = (await handler.handle({ jsonrpc: '2.0', id: 1, method, params })) as Reply;
  return { ...reply, asked };
}

it('resources are said to be there, listed by pages, and read', async () => {
  expect((await ask('initialize')).result).toMatchObject({
    capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
  });
  const first = (await ask('resources/list')).result;
  expect(first).toMatchObject({ nextCursor: `after-${PAGE_SIZE}` });
  const cursor = (first as { nextCursor: string }).nextCursor;
  expect((await ask('resources/list', { cursor })).result).toEqual({ resources: LISTED.slice(PAGE_SIZE) });
  expect((await ask('resources/list', { cursor: 'x' })).error).toMatchObject({ code: -32602 });
  expect((await ask('resources/templates/list')).result).toEqual({ resourceTemplates: TEMPLATES });
  expect((await ask('resources/read', { uri: 'x://1' })).result).toEqual({
    contents: [{ uri: 'x://1', mimeType: 'text/plain', text: 'x://1' }],
  });
});

it.each([
  ['y://1', -32002, 'no such resource'],
  ['x://bad', -32602, 'E_TARGET no'],
  ['x://throws', -32602, 'E_INTERNAL the text failed'],
  [7, -32602, 'uri has to be a string'],
])('%s is answered with an error that tells nothing else', async (uri, code, message) => {
  expect((await ask('resources/read', { uri })).error).toMatchObject({ code, message });
});

it('an address without end is not looked for', async () => {
  const { error, asked } = await ask('resources/read', { uri: `x://${'y'.repeat(3_000)}` });
  expect([error?.code, asked]).toEqual([-32002, []]);
});

it('what there is not is no method: subscriptions, and a list that fails has no rows', async () => {
  expect((await ask('resources/subscribe', { uri: 'x://1' })).error).toMatchObject({ code: -32601 });
  const list = async () => {
    throw new Error('/home/kim is full');
  };
  expect((await ask('resources/list', {}, { list })).result).toEqual({ resources: [] });
});
