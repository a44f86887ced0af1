import fc from 'fast-check';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { CASHIER, calls, choose, openEditor, silent, spoken } from '../../test/acp.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { MAX_MESSAGE } from './wire.js';

const scripted = (steps: string): string =>
  folderWith({ ...CASHIER, 'script.yaml': `lanes: { "*": [${steps}] }\n` });
const PAY = '{ text: "I pay.", toolCalls: [{ name: pay, args: { to: Ada } }] }';

describe('a person', () => {
  itAlways('who denies is heard: the call is not made, and the run knows', async () => {
    const cwd = scripted(`${PAY}, { text: "Then not." }`);
    const editor = await openEditor(['agent:cashier', '--script', 'script.yaml'], {
      cwd,
      permit: choose('deny'),
    });
    const session = await editor.begin(cwd);
    expect(await editor.say(session, 'Pay.')).toMatchObject({ stopReason: 'end_turn' });
    expect(spoken(editor.updates)).toBe('I pay.\n\nThen not.');
    expect(calls(editor.updates)).toEqual({ 'pay {"to":"Ada"}': 'failed' });
    expect(await editor.leave()).toBe(0);
    const { stdout } = await cuebook(['log', session, '--json'], { cwd });
    expect(stdout).toContain('"decision":"deny"');
    expect(stdout).not.toContain('paid Ada');
  });

  it('who leaves a permission open is asked again by the next prompt, before the words are said', async () => {
    const cwd = scripted(`${PAY}, { text: "Paid." }, { text: "Bye." }`);
    const answers = [choose('something else'), choose('allow')];
    const editor = await openEditor(['agent:cashier', '--script', 'script.yaml'], {
      cwd,
      permit: () => (answers.shift() ?? choose('deny'))(),
    });
    const session = await editor.begin(cwd);
    expect(await editor.say(session, 'Pay.')).toMatchObject({ _meta: { cuebook: { status: 'waiting' } } });
    expect(spoken(editor.updates)).toContain('pay {"to":"Ada"} still waits for your decision.');
    editor.updates.length = 0;
    expect(await editor.say(session, 'Bye.')).toMatchObject({ stopReason: 'end_turn' });
    expect(spoken(editor.updates)).toBe('\n\nPaid.Bye.');
    expect(editor.asked).toHaveLength(2);
  });

  it('who cancels ends the turn, and what was asked about is not done', async () => {
    const cwd = scripted(`${PAY}, { text: "Well." }`);
    const editor = await openEditor(['agent:cashier', '--script', 'script.yaml'], { cwd, permit: silent });
    const session = await editor.begin(cwd);
    const said = editor.say(session, 'Pay.');
    await editor.until(() => editor.asked.length === 1);
    await expect(editor.say(session, 'Faster.')).rejects.toThrow('E_ACP_BUSY');
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await said).toMatchObject({ stopReason: 'cancelled' });
    expect(calls(editor.updates)).toEqual({ 'pay {"to":"Ada"}': 'failed' });
    expect(await editor.say(session, 'Never mind.')).toMatchObject({ stopReason: 'end_turn' });
    expect(spoken(editor.updates)).toContain('Well.');
    await editor.leave();
    expect((await cuebook(['log', session, '--json'], { cwd })).stdout).not.toContain('paid Ada');
  });

  it('who cancels a turn that speaks ends it', async () => {
    const cwd = scripted(
      '{ toolCalls: [{ name: look, args: {} }] }, { delayMs: 3600000, text: "Too late." }',
    );
    const editor = await openEditor(['prompt:cashier', '--script', 'script.yaml'], { cwd });
    const session = await editor.begin(cwd);
    const said = editor.say(session, 'Look.');
    await editor.until(() => calls(editor.updates)['look {}'] === 'completed');
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await said).toMatchObject({ stopReason: 'cancelled' });
  });
});

it('what a client may not say is answered with a code', async () => {
  const cwd = folderWith(CASHIER);
  const { agent, begin, say } = await openEditor([], { cwd });
  const refused = (asked: Promise<unknown>, code: string) => expect(asked).rejects.toThrow(code);
  await refused(begin(folderWith()), 'E_NO_PROJECT');
  await refused(begin('here'), 'E_USAGE');
  await refused(say('run_0', 'Hi.'), 'E_ACP_SESSION');
  for (const sessionId of ['run_0123', '../run', ''])
    await refused(agent.request('session/load', { sessionId, cwd, mcpServers: [] }), 'E_ACP_SESSION');
  const session = await begin(cwd);
  await refused(say(session, ' '), 'E_ACP_PROMPT');
  await refused(say(session, 'x'.repeat(64_001)), 'E_ACP_PROMPT');
  await refused(agent.request('session/set_mode', { sessionId: session, modeId: 'PLANNING' }), 'E_ACP_MODE');
  const option = { sessionId: session, configId: 'target' };
  await refused(agent.request('session/set_config_option', { ...option, value: 'agent:gone' }), 'E_TARGET');
  expect(
    await agent.request('session/set_config_option', { ...option, value: 'prompt:cashier' }),
  ).toMatchObject({
    configOptions: [{ currentValue: 'prompt:cashier' }],
  });
  await agent.request('session/close', { sessionId: session });
  await refused(say(session, 'Hi.'), 'E_ACP_SESSION');
  await Promise.all(Array.from({ length: 64 }, () => begin(cwd)));
  await refused(begin(cwd), 'E_ACP_BUSY');
  const named = await openEditor(['agent:cashie'], { cwd });
  await refused(named.begin(cwd), 'Did you mean agent:cashier?');
});

describe('a hostile client', () => {
  const ID = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, 1.5, {}, [], true));
  const METHOD = fc.oneof(
    fc.constantFrom(
      'session/prompt',
      'session/new',
      'session/load',
      'session/cancel',
      'session/list',
      'initialize',
      'ping',
    ),
    fc.string(),
  );
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: ID,
      method: METHOD,
      params: fc.jsonValue(),
      result: fc.jsonValue(),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const deep = fc
    .integer({ min: 201, max: 20_000 })
    .map((depth) => `{"id":1,"params":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  const line = fc.oneof(
    message.map((each) => JSON.stringify(each)),
    fc.json(),
    fc.string(),
    deep,
    fc.constant('[{"id":1}]'),
  );

  it('is answered line by line, starts nothing, and ends nothing', async () => {
    const cwd = folderWith(CASHIER);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const last = { jsonrpc: '2.0', id: 'last', method: 'initialize', params: { protocolVersion: 1 } };
        const input = `${[...lines.map((each) => each.replaceAll('\n', ' ')), JSON.stringify(last)].join('\n')}\n`;
        const { code, stdout } = await cuebook(['acp'], { cwd, input });
        expect(code).toBe(0);
        const replies = stdout
          .trim()
          .split('\n')
          .map((each) => JSON.parse(each) as { readonly id: unknown });
        expect(replies.find(({ id }) => id === 'last')).toMatchObject({ result: { protocolVersion: 1 } });
      }),
      runs(200, 3_000),
    );
    expect(JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout)).toMatchObject({ runs: [] });
  });

  it('that ends its input is answered all that it has asked before', async () => {
    const cwd = folderWith(CASHIER);
    const methods = ['initialize', 'session/new', 'session/list', 'session/set_mode', 'authenticate', 'ping'];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...methods), { maxLength: 8 }), async (asked) => {
        const params = { protocolVersion: 1, cwd, mcpServers: [], sessionId: 'run_0', modeId: 'PLANNING' };
        const lines = asked.map((method, id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        const { stdout } = await cuebook(['acp'], { cwd, input: lines.map((each) => `${each}\n`).join('') });
        const ids = stdout.match(/"id":\d+/g) ?? [];
        expect(ids.toSorted()).toEqual(asked.map((_, id) => `"id":${id}`));
      }),
      runs(15, 200),
    );
  });

  it('gets an error for a line without end, for one that is nested too deep and for one that is no UTF-8, and the next line is read', async () => {
    const cwd = folderWith(CASHIER);
    const hello = Buffer.from(
      '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}}\n',
    );
    async function* stdin() {
      for (let sent = 0; sent <= MAX_MESSAGE; sent += 65_536) yield Buffer.alloc(65_536, 'x');
      yield Buffer.from('\n');
      yield Buffer.from(
        `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(300)}${']'.repeat(300)}}\n`,
      );
      yield Buffer.from([0x22, 0xff, 0x22, 10]);
      yield hello;
    }
    const { stdout } = await cuebook(['acp'], { cwd, stdin: stdin() });
    const replies = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as object);
    expect(replies).toMatchObject([
      { id: null, error: { code: -32600, message: expect.stringContaining('E_LINE') } },
      { id: null, error: { code: -32600, message: expect.stringContaining('nested') } },
      { id: null, error: { code: -32700 } },
      { id: 7, result: { agentInfo: { name: 'cuebook' } } },
    ]);
  });
});
