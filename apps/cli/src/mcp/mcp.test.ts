import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { type CallOptions, cuebook, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';
import { MAX_AT_WORK, MAX_MESSAGE } from './serve.js';

interface Reply {
  readonly id: number | null;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const request = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const call = (id: number, name: string, args: object = {}): string =>
  request(id, 'tools/call', { name, arguments: args });

/** A whole life of the server: these lines in, all replies by their id. */
async function serve(
  lines: readonly (string | Uint8Array)[],
  { files = {}, args = [], ...more }: Partial<CallOptions> & Setting = {},
) {
  const cwd = folderWith({ ...PROJECT, ...files });
  const input = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
  const { code, stdout, stderr } = await cuebook(['mcp', ...args], { cwd, input, ...more });
  const replies = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reply);
  const of = (id: number | null) => replies.find((reply) => reply.id === id);
  const textOf = (id: number) => of(id)?.result?.content?.[0]?.text ?? of(id)?.error?.message;
  return { code, stderr, replies, of, textOf, cwd };
}

interface Setting {
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

const tool = (body: string, fields = ''): string =>
  `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({ description: 'Does it', ${fields} execute: async (state, args) => { ${body} } });
`;

describe('cuebook mcp', () => {
  it('answers whatever comes, line by line, and ends with its input', async () => {
    const { code, replies, of } = await serve([
      'not JSON',
      '',
      new Uint8Array([0xff, 0xfe]),
      '[]',
      'x'.repeat(MAX_MESSAGE + 1),
      request(1, 'completion/complete'),
      request(2, 'ping'),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ]);
    expect(code).toBe(0);
    expect(replies.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32700, -32600, -32600,
    ]);
    expect(of(1)?.error?.code).toBe(-32601);
    expect(of(2)?.result).toEqual({});
    expect(replies).toHaveLength(6);
  });

  it('keeps standard output for the protocol: what tools print is on standard error, without private things', async () => {
    const files = {
      'agents/tools/loud.ts': tool("console.log('said in ' + process.env.HOME); return 'quiet';"),
      'agents/prompts/broken.ts': 'export default 7;',
    };
    const { replies, textOf, stderr } = await serve([call(1, 'loud')], { files });
    expect(replies).toHaveLength(1);
    expect(textOf(1)).toBe('quiet');
    expect(stderr).toContain('said in [removed:path]');
    expect(stderr).toContain('E_DEFINITION_EXPORT');
    expect(stderr).toContain('2 prompts, 3 tools');
  });

  it('tells no secret and no private path, whatever a tool answers', async () => {
    const files = {
      'agents/tools/leak.ts': tool(
        "return [state.env('KEY'), Buffer.from(state.env('KEY')).toString('base64'), process.env.HOME + '/notes'].join(' ');",
        "variables: [{ name: 'KEY', type: 'secret', required: true, description: 'k' }],",
      ),
      'agents/tools/written.ts': tool(
        "await state.setEnv('OTHER', 'late-secret-42'); return state.env('OTHER');",
      ),
      'agents/tools/thrown.ts': tool(
        "process.stdout.write('half hunter2'); process.stdout.write('-hunter2 key\\n'); Promise.reject(new Error('late ' + state.env('KEY'))); await new Promise((go) => setImmediate(go)); throw new Error('bad key ' + state.env('KEY'));",
      ),
    };
    const { replies, textOf, stderr } = await serve(
      [call(1, 'leak'), call(2, 'thrown'), call(3, 'written')],
      {
        files,
        args: ['--env', 'KEY=hunter2-hunter2'],
      },
    );
    const all = JSON.stringify([replies, stderr]);
    expect(all).not.toContain('hunter2');
    expect(stderr).toContain('late [removed:credential]');
    expect(all).not.toContain(Buffer.from('hunter2-hunter2').toString('base64'));
    expect(textOf(1)).toContain('[removed:credential]');
    expect(textOf(1)).toContain('[removed:path]');
    expect(textOf(2)).toBe('bad key [removed:credential]');
    expect(textOf(3)).toBe('[removed:credential]');
  });

  it('answers for arguments that do not fit, and for tools that break', async () => {
    const files = {
      'agents/tools/leave.ts': tool('process.exit(0);'),
      'agents/tools/error.ts': tool("return { status: 'error', error: 'no such book' };"),
      'agents/tools/file.ts': tool("return { status: 'success', result: 'see', attachments: ['/a.png'] };"),
    };
    const lines = [
      call(1, 'find_book', { title: 7 }),
      call(2, 'error'),
      call(3, 'file'),
      call(4, 'gone'),
      call(5, 'summarise', {}),
      request(6, 'prompts/get', { name: 'librarian', arguments: { other: 'x' } }),
    ];
    const { textOf, of } = await serve(lines, { files, args: ['--env', 'SHELF=1'] });
    expect(textOf(1)).toMatch(/^E_INPUT title: /);
    expect(of(1)?.result?.isError).toBe(true);
    expect([textOf(2), of(2)?.result?.isError]).toEqual(['no such book', true]);
    expect([textOf(3), of(3)?.result?.isError]).toEqual(['see\n[attachment: /a.png]', false]);
    expect(textOf(4)).toBe('no such tool');
    expect(textOf(5)).toMatch(/^E_INPUT text: /);
    expect(textOf(6)).toBe('E_INPUT the prompt takes only input, a text');
    const { textOf: last } = await serve([call(1, 'leave')], { files });
    expect(last(1)).toBe(
      'E_MCP_STOPPED Its process ended before it answered. Whether it acted is not known.',
    );
  });

  it('takes arguments that are no texts as JSON, and says them as JSON', async () => {
    const files = {
      'agents/prompts/count.ts': `import { definePrompt } from '@cuebook/define';
import { z } from 'zod';
export default definePrompt({ name: 'count', toolDescription: 'Counts', model: 'everyday', prompt: 'Count.',
  requiredSchema: z.object({ n: z.number().describe('How far'), tags: z.array(z.string()).default([]), word: z.string().optional() }) });
`,
    };
    const get = (id: number, args: object) => request(id, 'prompts/get', { name: 'count', arguments: args });
    const { of, replies } = await serve(
      [request(1, 'prompts/list'), get(2, { n: '3', tags: '["a"]', word: '7' }), get(3, { n: 'three' })],
      { files },
    );
    expect(JSON.stringify(of(1))).toContain('{"name":"n","description":"How far (as JSON)","required":true}');
    expect(JSON.stringify(of(2))).toContain(JSON.stringify('{"n":3,"tags":["a"],"word":"7"}'));
    expect(of(3)?.error?.message).toMatch(/^E_INPUT n: /);
    expect(replies).toHaveLength(3);
  });

  it('goes on with the script from call to call, and says when it is over', async () => {
    const here = { args: ['--script', 'script.yaml'] };
    const summarise = (id: number) => call(id, 'summarise', { text: 'a' });
    const { replies } = await serve([summarise(1), summarise(2), summarise(3)], here);
    const texts = replies.map(({ result }) => result?.content?.[0]?.text ?? '').sort();
    expect(texts.slice(1)).toEqual(['In short: a story.', 'In short: another.']);
    expect(texts[0]).toMatch(/^Errors:\n.*E_SCRIPT_END /s);
  });

  it('runs a prompt for one step with its tools, and an agent until it has answered, each on record', async () => {
    const files = {
      'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'clerk', toolDescription: 'Helps', model: 'everyday', prompt: 'You help.', tools: ['find_book', 'summarise'] });
`,
      'agents/prompts/asker.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'asker', toolDescription: 'Asks', model: 'everyday', prompt: 'You ask.', tools: ['clerk'] });
`,
      'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' }, exposeAsTool: true, toolDescription: 'The desk' });
`,
      'agents/agents/hidden.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'hidden', sideA: { prompt: 'clerk' } });
`,
      'steps.yaml': `lanes:
  "*":
    - { text: "Let me look.", toolCalls: [{ name: find_book, args: { title: Emma } }] }
    - { text: "On shelf 12." }
`,
    };
    const args = ['--script', 'steps.yaml', '--env', 'SHELF=12'];
    const { textOf, of, cwd, stderr } = await serve(
      [request(1, 'tools/list'), call(2, 'clerk', { input: 'Emma?' })],
      {
        files,
        args,
      },
    );
    const listed = of(1)?.result as unknown as { tools: readonly { name: string }[] };
    expect(listed.tools.map(({ name }) => name)).toEqual(['find_book', 'clerk', 'summarise', 'desk']);
    expect(textOf(2)).toBe(
      'Let me look.\n\nTool calls:\n- find_book({"title":"Emma"})\n  result: Emma: shelf 12',
    );
    expect(stderr).toMatch(/run_\w+ done/);
    expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
    const agent = await serve([call(1, 'desk', { input: 'Emma?' })], { files, args });
    expect(agent.textOf(1)).toBe('On shelf 12.');
    const { stdout } = await cuebook(['runs', '--json'], { cwd: agent.cwd });
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ turns: 2 }] });
  });

  it('refuses more requests than it works on at once', async () => {
    const lines = Array.from({ length: MAX_AT_WORK + 5 }, (_, id) => call(id, 'find_book', { title: 'a' }));
    const { replies } = await serve(lines, { args: ['--env', 'SHELF=1'] });
    const busy = replies.filter(({ error }) => error?.message.startsWith('E_MCP_BUSY'));
    expect(replies).toHaveLength(lines.length);
    expect(busy).toHaveLength(5);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const stdin = {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(`${request(1, 'ping')}\n`);
        await new Promise(() => undefined);
      },
    };
    const { code, replies } = await serve([], { stdin, stop: stop.signal, onPrint: () => stop.abort() });
    expect(code).toBe(0);
    expect(replies).toHaveLength(1);
  });

  it('needs a project, and a call that fits', async () => {
    const cwd = folderWith();
    expect(await cuebook(['mcp'], { cwd })).toMatchObject({ code: 2 });
    const { code, stdout, stderr } = await cuebook(['mcp', '--env', 'x'], { cwd: folderWith(PROJECT) });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--env takes NAME=VALUE');
  });
});
