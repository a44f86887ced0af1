import { createRedactor, toMessages } from '@cuebook/prompt';
import { createApiProvider, type LiveTurn, runTurn, type Session, type TurnEnd } from '@cuebook/provider';
import { describe, expect } from 'vitest';
import { modelFetch, type Step } from '../../../../test/model-server/index.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { RUN, runDesk } from '../../test/run-desk.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
type Speech = (turn: LiveTurn) => Promise<Omit<TurnEnd, 'type'>>;

/** A voice that does what it is told to in each turn, inside the real frame of one. */
function speaking(speeches: readonly Speech[], kind: 'api' | 'cli') {
  let next = 0;
  const session: Session = {
    turn: (input) =>
      runTurn({
        provider: 'spoken',
        session: { sessionId: 'session-1' },
        input,
        redactor,
        speak: (turn) => {
          next += 1;
          return speeches[next - 1]?.(turn) ?? Promise.reject(new Error('no more speeches'));
        },
      }),
    close: async () => undefined,
  };
  return { provider: 'spoken', kind, open: () => session };
}

const says =
  (text: string): Speech =>
  async (turn) => {
    await turn.pass('http', 'bytes');
    turn.emit({ type: 'text.delta', block: 0, text });
    return { reason: 'done' };
  };

describe('a model over an API', () => {
  it.each(['openai', 'openai-chat', 'anthropic', 'google', 'compatible'] as const)(
    '%s is told one name for each tool, in words, definitions, history and results, and calls it',
    async (api) => {
      const steps: Step[] = [
        { toolCalls: [{ id: 'c1', name: 'fs_read', args: { path: '@project/none.md' } }] },
        { toolCalls: [{ id: 'c2', name: 'fsList', args: { path: '@project' } }] },
        { toolCalls: [{ id: 'c3', name: 'fs_raedd', args: { path: '@project' } }] },
        { toolCalls: [{ id: 'c4', name: 'fs_raed', args: { path: '@project' } }] },
        { text: 'Seen.' },
      ];
      const bodies: string[] = [];
      const fetch: typeof globalThis.fetch = async (url, init) => {
        bodies.push(String(init?.body));
        return modelFetch(steps[bodies.length - 1] ?? {}).fetch(url, init);
      };
      const baseUrl = 'http://127.0.0.1:9/v1';
      const provider = createApiProvider({ api, apiKey: 'sk-test-0123456789', baseUrl, fetch });
      const open = () => provider.open({ model: 'm-1', redactor });
      const desk = await runDesk({ voice: { provider: api, kind: 'api', priced: false, open } });
      const run = await desk.open();
      await run.play('Look around.');
      expect(await run.status()).toMatchObject({ kind: 'waiting' });
      expect(bodies).toHaveLength(5);
      for (const body of bodies) {
        expect(body).toContain('"fs_read"');
        expect(body).not.toMatch(/\b(?:fs\.(?:list|read|search|write|apply_patch)|ui\.ask_user)\b/);
        expect(body).not.toMatch(/_x[0-9a-f]{12}/);
      }
      expect(bodies[3]).toContain('Did you mean fs_read?');
      expect(desk.audit().map(({ toolName }) => toolName)).toEqual([
        'fs.read',
        'fs.list',
        'fs_raedd',
        'fs.read',
      ]);
      const log = JSON.stringify(await run.store.read(RUN));
      expect(log).toContain('"said":"fsList"');
      expect(log).toContain('"said":"fs_raed"');
    },
  );
});

describe('a model', () => {
  it('case 48: arguments that are not JSON are answered by name, and the loop goes on', async () => {
    const heard: string[] = [];
    const broken: Speech = async (turn) => {
      await turn.pass('http', 'bytes');
      turn.emit({
        type: 'tool.end',
        id: 'c1',
        name: 'fs.read',
        by: 'caller',
        input: undefined,
        badInput: '{"path":',
      });
      return { reason: 'done' };
    };
    const listens: Speech = async (turn) => {
      heard.push(...toMessages(turn.input.request.prompt).map(({ content }) => content));
      return says('I see.')(turn);
    };
    const desk = await runDesk({ voice: speaking([broken, listens], 'api') });
    const run = await desk.open();
    await run.play();
    expect(JSON.parse(heard.at(-1) ?? '')).toMatchObject({
      ok: false,
      error: { code: 'TOOL_ARGS_INVALID_JSON' },
    });
    expect(desk.audit()).toHaveLength(1);
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
  });

  it('whose request could not be recorded was not told anything, and is asked again', async () => {
    let tries = 0;
    const unrecorded: Speech = async () => {
      tries += 1;
      return {
        reason: 'error',
        error: { code: 'E_PROVIDER_RECORD', message: 'Not recorded.', retryable: true },
      };
    };
    const desk = await runDesk({ voice: speaking([unrecorded, says('Hello.')], 'api') });
    const run = await desk.open();
    await run.play();
    expect([tries, await run.status()]).toEqual([1, { kind: 'waiting', for: 'input' }]);
  });
});

it('a turn that fails is asked of the next model, and the turn after it of the first again', async () => {
  const fails: Speech = async (turn) => {
    await turn.pass('http', 'bytes');
    return { reason: 'error', error: { code: 'E_PROVIDER_STATUS', message: 'Busy.', retryable: true } };
  };
  const own = speaking([fails, says('From the first.')], 'api');
  const second = { model: 'second', priced: false, open: speaking([fails], 'api').open };
  const third = { model: 'third', priced: false, open: speaking([says('From the third.')], 'api').open };
  const desk = await runDesk({ voice: { ...own, model: 'first', fallbacks: [second, third] } });
  const run = await desk.open();
  await run.play('Hi.');
  await run.say('Go on.');
  await run.drain();
  const events = await run.store.read(RUN, { limit: 1_000 });
  const models = events.flatMap(({ type, data }) =>
    type === 'turn.recorded' ? [/"model":"(\w+)"/.exec(JSON.stringify(data))?.[1]] : [],
  );
  expect(models).toEqual(['first', 'second', 'third', 'first']);
  const { history } = (await run.read()).state.agent;
  expect(history.map((message) => ('text' in message ? message.text : ''))).toEqual([
    ...['Hi.', 'From the third.', 'Go on.', 'From the first.'],
  ]);
});

it('an agent that acts by itself has no fallbacks: a person decides', async () => {
  const fails: Speech = async () => ({
    reason: 'error',
    error: { code: 'E_PROVIDER_EXIT', message: 'Gone.', retryable: true },
  });
  const other = { model: 'other', priced: false, open: speaking([says('I too.')], 'api').open };
  const desk = await runDesk({ voice: { ...speaking([fails], 'cli'), fallbacks: [other] } });
  const run = await desk.open();
  await run.play('Hi.');
  expect(await run.status()).toMatchObject({ kind: 'failed', code: 'E_PROVIDER_EXIT' });
});

it('another voice goes on with the whole history, and without the session of the first', async () => {
  const opened: (string | undefined)[] = [];
  const heard: number[] = [];
  const listens: Speech = async (turn) => {
    heard.push(toMessages(turn.input.request.prompt).length);
    expect(turn.input.delta).toBeUndefined();
    return says('I too.')(turn);
  };
  const desk = await runDesk({ steps: [{ text: 'Hello.' }] });
  const first = await desk.open();
  await first.play('Hi.');
  await first.close();
  const voice = speaking([listens], 'cli');
  const open = (resume: string | undefined) => {
    opened.push(resume);
    return voice.open();
  };
  const second = await desk.open({ voice: { ...voice, open } });
  await second.take();
  await second.say('And you?');
  await second.drain();
  expect(opened).toEqual([undefined]);
  expect(heard).toEqual([8]);
});

describe('an agent that acts in mid-turn', () => {
  it('has its calls held to the same policy, and hears only what is new', async () => {
    const answers: unknown[] = [];
    const deltas: (readonly string[])[] = [];
    const works: Speech = async (turn) => {
      await turn.pass('stdin', 'bytes');
      for (const [name, input] of [
        ['fs.write', { path: '@project/a.md', content: 'mine' }],
        ['terminal.run', { command: 'ls' }],
        ['fs.write', { path: '@pkg/a.md', content: 'mine' }],
      ] as const) {
        answers.push(await turn.input.callTool?.({ id: name, name, input }));
      }
      return says('Done so far.')(turn);
    };
    const hears: Speech = async (turn) => {
      deltas.push(
        toMessages(turn.input.delta?.prompt ?? { blocks: [] }).map(
          ({ role, content }) => `${role} ${content}`,
        ),
      );
      return says('Heard.')(turn);
    };
    const desk = await runDesk({ voice: speaking([works, hears], 'cli') });
    const run = await desk.open();
    await run.play('Begin.');
    expect(answers).toMatchObject([
      { output: expect.stringContaining('"ok":true') },
      { output: expect.stringContaining('not open to this agent'), isError: true },
      { output: expect.stringContaining('E_SANDBOX_VIOLATION'), isError: true },
    ]);
    expect(desk.inProject('a.md')).toBe('mine');
    expect(
      desk
        .audit()
        .map(({ toolName, output }) => `${toolName} ${output.ok}`)
        .sort(),
    ).toEqual(['fs.write false', 'fs.write true', 'terminal.run false']);
    await run.say('And now?');
    await run.drain();
    const [delta = []] = deltas;
    expect(delta.filter((text) => !text.startsWith('system')).map((text) => text.slice(0, 20))).toEqual([
      'user RUN_DIRECTIVE\n-',
      'user NODE_BRIEF\n- cu',
      'user USER_INPUT\n- fo',
    ]);
    expect(delta.join('\n')).not.toContain('Begin.');
  });
});
