import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../../test/model-server/index.js';
import { itInTurn } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const KEY = 'fake-key-0123456789abcdef0123456789abcdef';
const define = (kind: string, body: string): string =>
  `import { define${kind} } from '@cuebook/define';\nimport { z } from 'zod';\nexport default define${kind}({ ${body} });\n`;

/** A desk whose model is behind one of the APIs, with a tool that is repeated and one that is not. */
const project = (provider: string) => ({
  'agents/models/fast.ts': define(
    'Model',
    `name: 'fast', provider: '${provider}', model: '${provider === 'google' ? 'gemini-2.5-flash' : 'model-1'}'`,
  ),
  'agents/prompts/clerk.ts': define(
    'Prompt',
    "name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', includeChat: true, tools: ['look_up', 'pay']",
  ),
  'agents/tools/look_up.ts': define(
    'Tool',
    "description: 'Looks up', args: z.object({ what: z.string() }), idempotent: true, execute: async (_, { what }) => ({ status: 'success', result: 'It is ' + what + '.' })",
  ),
  'agents/tools/pay.ts': `import { existsSync, writeFileSync } from 'node:fs';\n${define(
    'Tool',
    "description: 'Pays', variables: [{ name: 'TILL', type: 'text', required: true, description: 'A file' }], execute: async (state) => { if (existsSync(state.env('TILL'))) return { status: 'success', result: 'paid' }; writeFileSync(state.env('TILL'), 'x'); await new Promise(() => {}); }",
  )}`,
  'agents/agents/desk.ts': define('Agent', "name: 'desk', sideA: { prompt: 'clerk' }"),
});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

let lanes = 0;
function laneFor(api: string): { readonly lane: string; readonly env: Readonly<Record<string, string>> } {
  lanes += 1;
  const lane = `${api}${lanes}`;
  const url = server.laneUrl(lane);
  return {
    lane,
    env: {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: url,
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      CUEBOOK_COMPATIBLE_URL: `${url}/v1`,
      CUEBOOK_COMPATIBLE_KEY: KEY,
    },
  };
}

describe('an agent behind a model API', () => {
  itInTurn.each(['openai', 'openai-chat', 'anthropic', 'google', 'compatible'])(
    '%s: words stream, the tool runs, and the answer is there',
    async (api) => {
      const { lane, env } = laneFor(api);
      server.script(lane, [
        { text: 'Let me see. ', toolCalls: [{ name: 'look_up', args: { what: 'deep' } }] },
        { text: 'The sea is deep.', chunks: 5 },
      ]);
      let pieces = 0;
      const ran = await cuebook(['run', 'agent:desk', '--input', 'How is the sea?'], {
        cwd: folderWith(project(api)),
        env,
        onPrint: () => {
          pieces += 1;
        },
      });
      expect(ran).toMatchObject({ code: 0, stdout: 'Let me see. \nThe sea is deep.' });
      expect(pieces).toBeGreaterThan(4);
      expect(server.lane(lane).requests).toHaveLength(2);
      expect(server.lane(lane).requests[1]?.text).toContain('It is deep.');
    },
  );

  itInTurn('arguments that are not JSON are told to the model, and the run goes on', async () => {
    const { lane, env } = laneFor('openai-chat');
    server.script(lane, [{ toolCalls: [{ name: 'look_up', args: '{"what": ' }] }, { text: 'I see.' }]);
    const here = { cwd: folderWith(project('openai-chat')), env };
    const ran = await cuebook(['run', 'agent:desk', '--input', 'Look.', '--json'], here);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'done', text: 'I see.' });
    expect(server.lane(lane).requests[1]?.text).toContain('The arguments are not JSON');
  });

  itInTurn('Ctrl-C ends the turn, and --run takes it up again', async () => {
    const { lane, env } = laneFor('anthropic');
    server.script(lane, [{ text: 'Half of it', hang: true }, { text: 'The whole answer.' }]);
    const stop = new AbortController();
    const here = { cwd: folderWith(project('anthropic')), env };
    const left = await cuebook(['run', 'agent:desk', '--input', 'Tell me.'], {
      ...here,
      stop: stop.signal,
      onPrint: (text) => {
        if (text.includes('Half')) stop.abort();
      },
    });
    expect(left.code).toBe(1);
    const next = /go on: cuebook (run agent:desk --run (\S+))\n/.exec(left.stderr);
    const on = await cuebook([...(next?.[1] ?? '').split(' '), '--json'], here);
    expect(JSON.parse(on.stdout)).toMatchObject({
      status: 'done',
      text: 'The whole answer.',
      thread: next?.[2],
    });
    expect((await cuebook(['verify', '--all'], here)).code).toBe(0);
  });

  itInTurn('a call that was cut off and must not be repeated waits for a word', async () => {
    const { lane, env } = laneFor('openai');
    server.script(lane, [{ toolCalls: [{ name: 'pay', args: {} }] }, { text: 'Paid it is.' }]);
    const stop = new AbortController();
    const cwd = folderWith(project('openai'));
    const here = { cwd, env };
    const till = ['--env', `TILL=${cwd}/till`];
    const running = cuebook(['run', 'agent:desk', '--input', 'Pay.', ...till, '--json'], {
      ...here,
      stop: stop.signal,
    });
    while (server.lane(lane).requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 50));
    await untilThere(`${cwd}/till`);
    stop.abort();
    const { thread } = JSON.parse((await running).stdout) as { thread: string };
    const asked = await cuebook(['run', 'agent:desk', '--run', thread, '--json'], here);
    expect(asked.code).toBe(1);
    const waiting = JSON.parse(asked.stdout) as { status: string; text: string; next: string };
    expect(waiting).toMatchObject({
      status: 'waiting',
      reason: 'outcome',
      next: `cuebook run agent:desk --run ${thread} --settle not-done`,
    });
    expect(waiting.text).toContain('pay({})');
    expect((await cuebook(['run', 'agent:desk', '--run', thread, '--settle', 'perhaps'], here)).code).toBe(2);
    const on = await cuebook([...waiting.next.split(' ').slice(1), '--json'], here);
    expect(JSON.parse(on.stdout)).toMatchObject({ status: 'done', text: 'Paid it is.' });
    expect(server.lane(lane).requests[1]?.text).toContain('paid');
  });
});

async function untilThere(file: string): Promise<void> {
  const { existsSync } = await import('node:fs');
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('a conversation at a terminal', () => {
  it('answers line by line; Ctrl-C ends a turn, and another one leaves', async () => {
    const { lane, env } = laneFor('openai-chat');
    server.script(lane, [{ text: 'Good day.' }, { text: 'Half of it', hang: true }, { text: 'Still here.' }]);
    const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const waiting = [
      { when: '> ', type: 'Hello\r' },
      { when: 'Good day.', type: 'Tell me all\r' },
      { when: 'Half', type: '\u0003' },
    ];
    const rest = ['Are you there?\r', '/help\r', '\u0003'];
    let seen = 0;
    const ran = cuebook(['run', 'agent:desk'], {
      cwd: folderWith(project('openai-chat')),
      env: { ...env, TERM: 'dumb' },
      terminal: { out: true, err: false },
      stdin: keys,
      onPrint: (text) => {
        const [next] = waiting;
        if (next !== undefined && text.slice(seen).includes(next.when)) {
          seen = text.length;
          waiting.shift();
          keys.write(next.type);
        } else if (waiting.length === 0 && text.slice(seen).includes('> ') && rest.length > 0) {
          seen = text.length;
          keys.write(rest.shift() ?? '');
        }
      },
    });
    const { stdout, stderr, code } = await ran;
    expect(stdout).toContain('Good day.');
    expect(stdout).toContain('Still here.');
    expect(stderr).toContain('The turn ends. Once more leaves.');
    expect(stderr).toMatch(/stopped/);
    expect(stderr).toContain('/deny WORDS     it may not, and is told the words');
    expect(server.lane(lane).requests).toHaveLength(3);
    // How the run stands is told of the turn that was ended, and at the end; not after each answer.
    expect(stderr.match(/what happened, step by step/g)).toHaveLength(2);
    expect(code).toBe(0);
    // What was said before the turn was ended is told again with the next one.
    expect(server.lane(lane).requests[2]?.text).toContain('Half');
  });
});
