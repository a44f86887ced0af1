import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcesses } from '@cuebook/process';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { eventsOf, HOME, play, redactor, requestOf, SECRET } from '../../test/play.js';
import type { Session, SessionOptions } from '../turn.js';
import { createClaudeProvider } from './provider.js';

const folder = mkdtempSync(join(tmpdir(), 'cuebook-fake-claude-'));
const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

// Greets as Claude Code does; what it does with a message is the case's own code.
const FAKE = (onUser: string, onStart: string) => `#!${process.execPath}
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const stay = () => setInterval(() => {}, 1e6);
const init = { type: 'system', subtype: 'init' };
const text = (text) => ({ type: 'assistant', parent_tool_use_id: null, message: { id: 'm', content: [{ type: 'text', text }] } });
const result = { type: 'result', is_error: false, stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 }, total_cost_usd: 0 };
const onUser = (message) => { ${onUser} };
${onStart}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'user') onUser(message);
  else if (message.type === 'control_request')
    say({ type: 'control_response', response: { subtype: 'success', request_id: message.request_id, response: {} } });
  else globalThis.onAnswer?.(message);
}).on('close', () => process.exit(0));
`;

let count = 0;
function open(onUser: string, more: Partial<SessionOptions> & { readonly onStart?: string } = {}): Session {
  count += 1;
  const command = join(folder, `fake-${count}`);
  const { onStart = '', ...options } = more;
  writeFileSync(command, FAKE(onUser, onStart), { mode: 0o755 });
  const session = createClaudeProvider({ command }).open({ redactor, cwd: folder, ...options });
  sessions.push(session);
  return session;
}

/** Time is no limit where something else ends the turn: a busy machine takes any time to start a program. */
const LIMITS = { limits: { idleMs: 1e8, totalMs: 1e8, outputBytes: 1 << 20 } };
const SHORT = { limits: { ...LIMITS.limits, idleMs: 300 } };

describe('a Claude Code that misbehaves', () => {
  itInTurn.each([
    [
      'exits before any output',
      '',
      'process.stderr.write("boom"); process.exit(1);',
      'error',
      'E_PROVIDER_EXIT',
    ],
    ['exits with success before any output', '', 'process.exit(0);', 'error', 'E_PROVIDER_EXIT'],
    [
      'exits in the middle',
      'say(init); say(text("half")); process.stdout.end(() => process.exit(0));',
      '',
      'error',
      'E_PROVIDER_EXIT',
    ],
    ['kills itself', 'say(init); process.kill(process.pid, "SIGKILL");', '', 'error', 'E_PROVIDER_EXIT'],
    [
      'prints garbage and exits',
      'process.stdout.write("<html>\\n{]\\n", () => process.exit(0));',
      '',
      'error',
      'E_PROVIDER_EXIT',
    ],
    [
      'prints garbage for ever',
      'const go = () => { while (process.stdout.write("garbage\\n".repeat(1000))); process.stdout.once("drain", go); }; go();',
      '',
      'error',
      'E_PROVIDER_OUTPUT',
    ],
    ['never answers', '', '', 'timeout', 'E_PROVIDER_TIMEOUT'],
    ['never greets', '', 'stay(); process.stdin.destroy();', 'timeout', 'E_PROVIDER_TIMEOUT'],
    ['never ends', 'say(init); say(text("and"));', '', 'timeout', 'E_PROVIDER_TIMEOUT'],
    [
      'prints 100 MB',
      'say(init); const big = text("x".repeat(1 << 20)); let n = 0; const go = () => { while (n++ < 100 && process.stdout.write(JSON.stringify(big) + "\\n")); if (n < 100) process.stdout.once("drain", go); }; go();',
      '',
      'error',
      'E_PROVIDER_OUTPUT',
    ],
    [
      'prints one line of 100 MB',
      'process.stdout.write("x".repeat(100 << 20)); stay();',
      '',
      'error',
      'E_PROVIDER_OUTPUT',
    ],
    [
      'floods standard error and exits',
      'process.stderr.write("e".repeat(20 << 20), () => process.exit(2));',
      '',
      'error',
      'E_PROVIDER_EXIT',
    ],
    [
      'closes its input',
      '',
      'process.stdin.destroy(); require("fs").closeSync(0); process.stdout.end(); stay();',
      'timeout',
      'E_PROVIDER_TIMEOUT',
    ],
    [
      'ends with a result of nothing',
      'say({ type: "result", is_error: true, subtype: "error_during_execution" }); process.stdout.end(() => process.exit(1));',
      '',
      'error',
      'E_PROVIDER_FAILED',
    ],
  ])('that %s gives a typed end', async (_title, onUser, onStart, reason, code) => {
    const turn = await play(open(onUser, { onStart }), reason === 'timeout' ? SHORT : LIMITS);
    expect(turn.end.reason).toBe(reason);
    expect(turn.end.error?.code).toBe(code);
  });

  itInTurn('leaves no process behind, whatever it ignores', async () => {
    const session = open('say(init); say(text("up " + process.pid));', {
      onStart: 'process.on("SIGTERM", () => {}); stay();',
    });
    const stop = new AbortController();
    const turn = await play(session, { ...LIMITS, signal: stop.signal }, (event) => {
      if (event.type === 'text.delta') stop.abort();
    });
    expect(turn.end.reason).toBe('aborted');
    await session.close();
    const pid = Number(turn.text.slice(3));
    const rows = await readProcesses('no-such-mark=');
    expect(rows?.some((row) => row.pid === pid && !row.isZombie)).toBe(false);
  });

  it('keeps the text that came before the end, and what it wrote last, cleaned', async () => {
    const turn = await play(
      open(
        `say(init); say(text("half")); process.stderr.write("boom ${HOME}/x ${SECRET}", () => process.exit(3));`,
      ),
      LIMITS,
    );
    expect(turn.text).toBe('half');
    expect(turn.end.error?.message).toContain('boom');
    expect(turn.end.error?.message).toContain('code 3');
    expect(turn.end.error?.message).not.toMatch(new RegExp(`${HOME}|${SECRET}`));
  });

  it('is started again for the next turn', async () => {
    const file = join(folder, 'tries');
    const session = open(
      `const fs = require('fs'); const tries = fs.existsSync('${file}'); fs.writeFileSync('${file}', process.argv.join(' '));
       say(init); if (!tries) process.exit(1); say(text("second")); say(result);`,
    );
    expect((await play(session, LIMITS)).end.reason).toBe('error');
    const next = await play(session, LIMITS);
    expect([next.end.reason, next.text]).toEqual(['done', 'second']);
    expect(readFileSync(file, 'utf8')).toContain(`--resume ${next.sessionId}`);
  });

  it('cannot be told a secret in answer to a request', async () => {
    const ask = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
    const session = open(
      `say(init); say({ type: 'control_request', request_id: 'r1', request: ${JSON.stringify(ask)} });
       globalThis.onAnswer = (answer) => { say(text(JSON.stringify(answer))); say(result); };`,
      { ask: true },
    );
    const turn = await play(session, {
      ...LIMITS,
      onApproval: async () => ({ decision: 'deny', message: `not with ${SECRET} in ${HOME}/x` }),
    });
    expect(turn.end.reason).toBe('done');
    expect(turn.text).toContain('"behavior":"deny"');
    expect(`${turn.text}${turn.sent.join('')}`).not.toMatch(new RegExp(`${SECRET}|${HOME}`));
  });

  it('gets an error for what it may not ask, and a refusal between turns', async () => {
    const session = open(
      `if (globalThis.said) { say(init); say(text(JSON.stringify(globalThis.said))); say(result); return; }
       say(init); say({ type: 'control_request', request_id: 'r1', request: { subtype: 'set_everything' } });
       globalThis.onAnswer = (answer) => {
         if (answer.response.request_id === 'r2') { globalThis.said = answer; return; }
         const more = { type: 'control_request', request_id: 'r2', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } };
         process.stdout.write([text(answer.response.subtype), result, more].map((line) => JSON.stringify(line) + '\\n').join(''));
       };`,
      { access: 'full' },
    );
    expect((await play(session, LIMITS)).text).toBe('error');
    expect((await play(session, LIMITS)).text).toContain('No turn is running.');
  });

  it('is not started for a session id that is none, nor after the session is closed', async () => {
    const bad = await play(open('', { resume: '--dangerously-skip-permissions' }), LIMITS);
    expect(bad.end.error?.code).toBe('E_PROVIDER_SESSION');
    expect(bad.sent).toEqual([]);
    const session = open('say(init); say(result);');
    await session.close();
    await session.close();
    expect((await play(session, LIMITS)).end.reason).toBe('error');
  });

  it('that is not there is said to be missing', async () => {
    const session = createClaudeProvider({ command: join(folder, 'nothing-here') }).open({
      redactor,
      cwd: folder,
    });
    const turn = await play(session, LIMITS);
    expect(turn.end).toMatchObject({
      reason: 'error',
      error: { code: 'E_PROVIDER_START', retryable: false },
    });
    expect(turn.end.error?.message).not.toContain(folder);
    expect(eventsOf(turn, 'usage')).toEqual([]);
  });

  it('takes turns one after the other, though they are asked for at once', async () => {
    const session = open('say(init); say(text(message.message.content[0].text)); say(result);');
    const turns = await Promise.all(
      ['one', 'two', 'three'].map((say) => play(session, { ...LIMITS, request: requestOf(say) })),
    );
    expect(turns.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });

  it('is told nothing when the turn was aborted before it began', async () => {
    const turn = await play(open('say(init); say(result);'), { ...LIMITS, signal: AbortSignal.abort() });
    expect(turn.end.reason).toBe('aborted');
    expect(turn.sent).toEqual([]);
  });
});
