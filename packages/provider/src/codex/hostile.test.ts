import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { eventsOf, play, redactor, requestOf } from '../../test/play.js';
import type { TurnInput } from '../turn.js';
import { createCodexProvider } from './codex.js';
import type { CodexOptions } from './settings.js';

/** A Codex that goes wrong in the way that its first argument says. */
const FAKE = `
const [mode, ...args] = process.argv.slice(1);
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const thread = { threadId: 't-1', turnId: 'u-1' };
const note = (method, params) => say({ method, params: { ...thread, ...params } });
const forever = () => setInterval(() => {}, 1e6);
const flood = (line) => { const more = () => { while (process.stdout.write(line)); process.stdout.once('drain', more); }; more(); };
const begin = {
  gone: () => process.exit(0),
  broken: () => { process.stderr.write('E_FAKE: cannot start\\n'); process.exit(7); },
  garbage: () => { for (let i = 0; i < 1000; i += 1) console.log('<html>'); forever(); },
  silent: forever,
  deaf: () => { process.stdin.destroy(); forever(); },
  'one line': () => flood('x'.repeat(1 << 20)),
  old: () => { if (args[0] === 'exec') return; process.stderr.write("error: unrecognized subcommand 'app-server'\\n"); process.exit(2); },
}[mode];
begin?.();
if (args[0] === 'exec') {
  let prompt = '';
  process.stdin.on('data', (part) => { prompt += part; }).on('end', () => {
    if (mode === 'exec garbage') { for (let i = 0; i < 1000; i += 1) console.log('<html>'); return forever(); }
    say({ type: 'thread.started', thread_id: 'old-1' });
    say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'heard ' + prompt } });
    if (mode !== 'exec dies') say({ type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 2 } });
  });
} else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (mode === 'refuses' && method === 'initialize') return say({ id, error: { code: -32601, message: 'no such method' } });
  if (method === 'turn/interrupt') return mode === 'stubborn' ? undefined : (say({ id, result: {} }), note('turn/completed', { turn: { id: 'u-1', status: 'interrupted' } }));
  if (method === 'thread/start') return say({ id, result: { thread: { id: mode === 'odd thread' ? '../../x' : 't-1' }, model: 'fake' } });
  if (id !== undefined) say({ id, result: { turn: { id: 'u-1' } } });
  if (method !== 'turn/start') return;
  if (mode === 'no turn') return say({ id: 999, result: {} });
  note('turn/started', { turn: { id: 'u-1' } });
  note('item/started', { item: { type: 'commandExecution', id: 'c-1', command: 'sleep ' + process.pid } });
  note('item/agentMessage/delta', { itemId: 'm-1', delta: 'a part' });
  if (mode === 'works') note('turn/completed', { turn: { id: 'u-1', status: 'completed' } });
  if (mode === 'dies') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);
  if (mode === 'late garbage') for (let i = 0; i < 1000; i += 1) console.log('<html>');
  if (mode === 'flood') flood(JSON.stringify({ method: 'item/agentMessage/delta', params: { ...thread, itemId: 'm-1', delta: 'y'.repeat(4096) } }) + '\\n');
  if (mode === 'noisy') { process.stderr.write('z'.repeat(32 << 20), () => note('turn/completed', { turn: { id: 'u-1', status: 'completed' } })); }
});
`;

/** Time is no limit where something else ends the turn: a busy machine takes any time to start a program. */
const LIMITS: TurnInput['limits'] = { idleMs: 1e8, totalMs: 1e8, outputBytes: 4 << 20 };

const open = (mode: string, options: CodexOptions = {}) =>
  createCodexProvider({ command: process.execPath, args: ['-e', FAKE, mode], ...options }).open({
    ...{ redactor, cwd: tmpdir() },
  });

describe('a Codex that goes wrong', () => {
  const CASES: readonly [
    string,
    { reason: string; error?: object; limits?: TurnInput['limits'] },
    CodexOptions?,
  ][] = [
    ['gone', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['broken', { reason: 'error', error: { message: expect.stringContaining('E_FAKE: cannot start') } }],
    ['garbage', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['silent', { reason: 'timeout', limits: { idleMs: 300 } }],
    ['deaf', { reason: expect.stringMatching(/^(error|timeout)$/), limits: { idleMs: 2000 } }],
    ['one line', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['odd thread', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['no turn', { reason: 'timeout', limits: { idleMs: 300 } }],
    ['dies', { reason: 'error', error: { message: expect.stringContaining('SIGKILL') } }],
    ['late garbage', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['flood', { reason: 'error', error: { code: 'E_PROVIDER_OUTPUT' } }],
    ['noisy', { reason: 'done' }],
    ['stubborn', { reason: 'timeout', limits: { idleMs: 300 } }],
    ['exec dies', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }, { transport: 'exec' }],
    ['exec garbage', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }, { transport: 'exec' }],
    ['old', { reason: 'error', error: { code: 'E_PROVIDER_START' } }, { transport: 'app-server' }],
  ];
  itInTurn.each(CASES)('%s: a typed end, within its limits', async (mode, expected, options) => {
    const { limits, ...end } = expected;
    const session = open(mode, options);
    const played = await play(session, { limits: { ...LIMITS, ...limits } });
    await session.close();
    expect(played.end).toMatchObject(end);
    // Past the output limit nothing more is kept.
    const started = mode === 'flood' ? [] : eventsOf(played, 'tool.start');
    expect(eventsOf(played, 'tool.end').map(({ id }) => id)).toEqual(started.map(({ id }) => id));
  });

  it('keeps what was said before it broke off', async () => {
    expect((await play(open('dies'), { limits: LIMITS })).text).toBe('a part');
  });

  itInTurn('leaves no process behind when it does not stop by itself', async () => {
    const stop = new AbortController();
    const session = open('stubborn');
    const played = await play(session, { signal: stop.signal, limits: LIMITS }, (event) => {
      if (event.type === 'text.delta') stop.abort();
    });
    expect(played.end.reason).toBe('aborted');
    const [{ input } = {}] = eventsOf(played, 'tool.end');
    const pid = Number(/\d+/.exec(JSON.stringify(input))?.[0]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is used in the old way when it has no app-server, or none that answers', async () => {
    for (const mode of ['old', 'refuses']) {
      const session = open(mode);
      const played = await play(session, { say: 'hello', limits: LIMITS });
      expect(played).toMatchObject({ text: 'heard hello', sessionId: 'old-1', end: { reason: 'done' } });
      const again = await play(session, { delta: requestOf('more'), limits: LIMITS });
      expect(again.text).toBe('heard more');
      await session.close();
    }
  });

  it('says which tools came too late for the thread', async () => {
    const session = open('works');
    const tool = (name: string) => ({ name, parameters: { type: 'object', properties: {} } });
    const first = await play(session, { request: requestOf('a', [tool('one')]), limits: LIMITS });
    const second = await play(session, {
      request: requestOf('b', [tool('one'), tool('two')]),
      limits: LIMITS,
    });
    await session.close();
    expect(eventsOf(first, 'log')).toEqual([]);
    expect(eventsOf(second, 'log').map(({ text }) => text)).toEqual([
      expect.stringContaining('not offered: two.'),
    ]);
  });

  it('says so when it is not installed', async () => {
    for (const transport of ['app-server', 'exec'] as const) {
      const session = createCodexProvider({ command: 'no-such-codex', transport }).open({
        redactor,
        cwd: tmpdir(),
      });
      expect((await play(session, {})).end).toMatchObject({ error: { code: 'E_PROVIDER_START' } });
    }
  });

  it('ends a turn that is aborted before it begins, without starting anything', async () => {
    const signal = AbortSignal.abort();
    expect((await play(open('silent'), { signal })).end).toEqual({ type: 'turn.end', reason: 'aborted' });
  });
});
