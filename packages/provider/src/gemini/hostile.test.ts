import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { eventsOf, play, redactor, requestOf } from '../../test/play.js';
import type { TurnInput } from '../turn.js';
import { createGeminiProvider } from './gemini.js';

/** A Gemini CLI that goes wrong in the way that its first argument says. */
const FAKE = `
const [mode, ...args] = process.argv.slice(1);
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const forever = () => setInterval(() => {}, 1e6);
const flood = (line) => { const more = () => { while (process.stdout.write(line)); process.stdout.once('drain', more); }; more(); };
const text = (content) => say({ type: 'message', role: 'assistant', content, delta: true });
const over = () => say({ type: 'result', status: 'success', stats: { input_tokens: 1, output_tokens: 1 } });
const exits = { gone: 0, 'no key': 41, 'no session': 42, untrusted: 55, 'status 403': 147, 'status 503': 247 };
if (args.includes('--acp')) { process.stderr.write('asked to speak ACP\\n'); process.exit(9); }
if (mode in exits) { process.stderr.write('first\\n\\u001b[31mthe reason\\u001b[0m\\n'); process.exit(exits[mode]); }
if (mode === 'garbage') { for (let i = 0; i < 1000; i += 1) console.log('<html>'); forever(); }
if (mode === 'silent') forever();
if (mode === 'deaf') { process.stdin.destroy(); forever(); }
if (mode === 'one line') flood('x'.repeat(1 << 20));
let prompt = '';
process.stdin.on('data', (part) => { prompt += part; }).on('end', () => {
  say({ type: 'tool_use', tool_id: 'c-1', tool_name: 'wait', parameters: { pid: process.pid } });
  text('a part');
  if (mode === 'hangs') return process.on('SIGTERM', () => {}), forever();
  if (mode === 'dies') return setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);
  if (mode === 'ends') return process.exit(0);
  if (mode === 'flood') return flood(JSON.stringify({ type: 'message', role: 'assistant', content: 'y'.repeat(4096) }) + '\\n');
  if (mode === 'noisy') return process.stderr.write('z'.repeat(32 << 20), over);
  if (mode === 'lingers') { over(); return forever(); }
  if (mode === 'echo') { text(' of ' + args.filter((arg) => arg.startsWith('--')).join(' ') + ' ' + prompt); over(); }
});
`;

/** Time is no limit where something else ends the turn: a busy machine takes any time to start a program. */
const LIMITS: TurnInput['limits'] = { idleMs: 1e8, totalMs: 1e8, outputBytes: 4 << 20 };

const open = (mode: string, options: { readonly ask?: boolean } = {}) =>
  createGeminiProvider({ command: process.execPath, args: ['-e', FAKE, '--', mode] }).open({
    ...{ redactor, cwd: tmpdir(), ...options },
  });

describe('a Gemini CLI that goes wrong', () => {
  const CASES: readonly [string, object, TurnInput['limits']?][] = [
    [
      'gone',
      { reason: 'error', error: { code: 'E_PROVIDER_EXIT', message: expect.stringContaining('the reason') } },
    ],
    ['no key', { reason: 'error', error: { code: 'E_PROVIDER_AUTH' } }],
    ['no session', { reason: 'error', error: { code: 'E_PROVIDER_SESSION', message: 'first the reason' } }],
    ['untrusted', { reason: 'error', error: { code: 'E_PROVIDER_TRUST' } }],
    ['status 403', { reason: 'error', error: { code: 'E_PROVIDER_AUTH', status: 403 } }],
    ['status 503', { reason: 'error', error: { code: 'E_PROVIDER_DOWN', status: 503, retryable: true } }],
    ['garbage', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['silent', { reason: 'timeout' }, { idleMs: 300 }],
    ['deaf', { reason: 'timeout' }, { idleMs: 1_000 }],
    ['one line', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['ends', { reason: 'error', error: { code: 'E_PROVIDER_EXIT' } }],
    ['dies', { reason: 'error', error: { message: expect.stringContaining('SIGKILL') } }],
    ['flood', { reason: 'error', error: { code: 'E_PROVIDER_OUTPUT' } }],
    ['noisy', { reason: 'done' }],
    ['lingers', { reason: 'done' }],
  ];
  it.each(CASES)('%s: a typed end, within its limits', async (mode, end, limits) => {
    const session = open(mode);
    const played = await play(session, { limits: { ...LIMITS, ...limits } });
    await session.close();
    expect(played.end).toMatchObject(end);
    // Past the output limit nothing more is kept.
    const started = mode === 'flood' ? [] : eventsOf(played, 'tool.start');
    expect(eventsOf(played, 'tool.end').map(({ id }) => id)).toEqual(started.map(({ id }) => id));
    if (['ends', 'dies'].includes(mode)) expect(played.text).toBe('a part');
  });

  it('leaves no process behind when it does not stop by itself', async () => {
    const stop = new AbortController();
    const played = await play(open('hangs'), { signal: stop.signal, limits: LIMITS }, (event) => {
      if (event.type === 'text.delta') stop.abort();
    });
    expect(played.end.reason).toBe('aborted');
    const [{ input } = {}] = eventsOf(played, 'tool.end');
    expect(() => process.kill((input as { readonly pid: number }).pid, 0)).toThrow('ESRCH');
  });

  it('begins a session once, goes on with it, and does not speak of one that was never answered', async () => {
    const session = open('echo');
    const first = await play(session, { say: '/not a command', limits: LIMITS });
    expect(first.text).toBe('a part of --output-format --approval-mode --session-id \n/not a command');
    const second = await play(session, { delta: requestOf('more'), limits: LIMITS });
    expect(second.text).toBe('a part of --output-format --approval-mode --resume more');
    expect(second.sessionId).toBe(first.sessionId);
    const failing = open('no key');
    const ids = [await play(failing, {}), await play(failing, {})].map(({ sessionId }) => sessionId);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is spoken to over ACP only where headless mode will not do', async () => {
    const CASES: readonly [Parameters<typeof play>[1], { readonly ask?: boolean }][] = [
      [{ request: requestOf('spawn', [{ name: 'spawn_node' }]) }, {}],
      [{ say: 'look at @notes.md' }, {}],
      [{}, { ask: true }],
    ];
    for (const [input, options] of CASES) {
      const session = open('echo', options);
      const { end } = await play(session, { ...input, limits: LIMITS });
      await session.close();
      expect(end.error?.message).toContain('asked to speak ACP');
    }
  });

  it('says so when it is not installed', async () => {
    const session = createGeminiProvider({ command: 'no-such-gemini' }).open({ redactor, cwd: tmpdir() });
    expect((await play(session, {})).end).toMatchObject({ error: { code: 'E_PROVIDER_START' } });
  });
});
