import type { Store } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversation, RUN, type Speech } from '../../test/conversation.js';
import { type SqliteFolder, sqliteFolder } from '../../test/sqlite.js';
import { pendingApprovals } from '../approval/approval.js';
import { statusOf } from './status.js';

let folder: SqliteFolder;
let store: Store;
beforeEach(async () => {
  folder = sqliteFolder();
  store = await folder.open();
});
afterEach(async () => {
  for (const { engine } of open.splice(0)) await engine.stop({ running: 'abort' });
  await folder.remove();
});

const open: ReturnType<typeof conversation>[] = [];

const never = new AbortController().signal;
const USAGE = {
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0.01,
};

/** A speech that sends its request, says words and makes calls. */
const says =
  (text: string, calls: readonly string[] = []): Speech =>
  async (turn) => {
    await turn.pass('http', 'bytes of the request');
    turn.emit({ type: 'text.delta', block: 0, text });
    for (const name of calls) turn.emit({ type: 'tool.end', id: name, name, by: 'caller', input: {} });
    turn.emit({ type: 'usage', usage: USAGE });
    return { reason: 'done' };
  };

const talk = async (given: Omit<Parameters<typeof conversation>[0], 'store'>) => {
  const talking = conversation({ store, ...given });
  open.push(talking);
  await talking.engine.start();
  await talking.submit({ type: 'agent.start', text: 'hello', by: 'ann' });
  return talking;
};

describe('a conversation of real parts', () => {
  it('runs to its end, and its record verifies', async () => {
    const talking = await talk({ speeches: [says('looking', ['read', 'write']), says('all done')] });
    await talking.engine.drain();
    const state = await talking.state();
    expect(statusOf(state)).toEqual({ kind: 'done' });
    expect(state.history.map((message) => message.text)).toEqual([
      'hello',
      'looking',
      'ran read',
      'ran write',
      'all done',
    ]);
    expect(state.budget.scopes.run?.spent).toEqual({ turns: 2, tokens: 30, usd: 0.02, unpriced: 0 });
    expect(state.sessionId).toBe('session-1');
    expect(await talking.verify()).toMatchObject({ ok: true, turns: 2, problems: [] });
  });

  it('the receipt is on disk before the first byte leaves', async () => {
    const seen: (readonly string[])[] = [];
    const speech: Speech = async (turn) => {
      seen.push((await open.at(-1)?.types()) ?? []);
      await turn.pass('http', 'bytes');
      seen.push((await open.at(-1)?.types()) ?? []);
      return { reason: 'done' };
    };
    const talking = await talk({ speeches: [speech] });
    await talking.engine.drain();
    expect(seen.map((types) => types.includes('turn.recorded'))).toEqual([false, true]);
  });

  it('without a receipt nothing is sent', async () => {
    let isSent = false;
    const speech: Speech = async (turn) => {
      await turn.pass('http', 'bytes');
      isSent = true;
      return { reason: 'done' };
    };
    const broken = { record: async () => fail('no disk'), sent: async () => ok(1), end: async () => ok(1) };
    const talking = await talk({ speeches: [speech], recorder: broken });
    await talking.engine.drain();
    expect(isSent).toBe(false);
    expect(statusOf(await talking.state())).toMatchObject({ kind: 'failed' });
  });

  it('a receipt that cannot be ended does not lose the turn, and watchers hear of it', async () => {
    const logs: string[] = [];
    const broken = {
      record: async () => ok(1),
      sent: async () => ok(1),
      end: () => Promise.reject(new Error('no disk')),
    };
    const publish = (event: TurnEvent) => event.type === 'log' && logs.push(event.text);
    const talking = await talk({ speeches: [says('said')], recorder: broken, publish });
    await talking.engine.drain();
    expect((await talking.state()).history.at(-1)).toMatchObject({ text: 'said' });
    expect(logs).toEqual(['The end of the turn could not be recorded.']);
  });

  it('a turn that fails before it sends anything leaves a receipt too', async () => {
    const talking = await talk({ speeches: [async () => ({ reason: 'error' })] });
    await talking.engine.drain();
    expect((await talking.types()).filter((type) => type.startsWith('turn.'))).toEqual([
      'turn.recorded',
      'turn.ended',
    ]);
  });

  it('further sends of a turn are further links of its receipt', async () => {
    const speech: Speech = async (turn) => {
      await turn.pass('http', 'first');
      await turn.pass('http', 'again');
      return { reason: 'done' };
    };
    const talking = await talk({ speeches: [speech] });
    await talking.engine.drain();
    const receipts = (await talking.types()).filter((type) => type.startsWith('turn.'));
    expect(receipts).toEqual(['turn.recorded', 'turn.sent', 'turn.ended']);
    expect((await talking.verify()).ok).toBe(true);
  });

  it('watchers see every event, and one that throws disturbs nothing', async () => {
    const seen: string[] = [];
    const publish = (event: TurnEvent) => {
      seen.push(event.type);
      if (event.type === 'text.delta') throw new Error('a broken screen');
    };
    const warned = new Promise((resolve) => process.once('warning', resolve));
    const talking = await talk({ speeches: [says('hi')], publish });
    await talking.engine.drain();
    await warned;
    expect(seen).toEqual(['turn.start', 'text.delta', 'usage', 'turn.end']);
    expect(statusOf(await talking.state())).toEqual({ kind: 'done' });
    expect((await talking.types()).some((type) => type.includes('delta'))).toBe(false);
  });
});

describe('in mid-turn', () => {
  it('a call of the agent is done as an effect, and answered', async () => {
    const answers: unknown[] = [];
    const speech: Speech = async (turn) => {
      await turn.pass('stdin', 'bytes');
      answers.push(await turn.input.callTool?.({ id: '1', name: 'write', input: { path: 'a' } }));
      answers.push(await turn.input.callTool?.({ id: '2', name: 'wirte', input: {} }));
      answers.push(await turn.input.callTool?.({ id: '3', name: 'wwrrite', input: {} }));
      return { reason: 'done' };
    };
    const talking = await talk({ speeches: [speech] });
    await talking.engine.drain();
    expect(answers[0]).toEqual({ output: 'ran write' });
    expect(answers[1]).toEqual({ output: 'ran write' });
    expect(answers[2]).toMatchObject({
      isError: true,
      output: expect.stringContaining('Did you mean write?'),
    });
    const called = (await talking.state()).native.map(({ name, said }) => [name, said]);
    expect(called).toEqual([
      ['write', undefined],
      ['write', 'wirte'],
      ['wwrrite', undefined],
    ]);
    expect(await talking.types()).toContain('native.called');
  });

  it.each([
    ['allow', {}, { decision: 'allow' }],
    ['deny', { message: 'not here' }, { decision: 'deny', message: 'not here' }],
    ['change', { input: { command: 'ls' } }, { decision: 'change', input: { command: 'ls' } }],
  ] as const)('an approval is asked of a person: %s', async (decision, more, expected) => {
    let answer: unknown;
    const speech: Speech = async (turn) => {
      await turn.pass('stdin', 'bytes');
      answer = await turn.input.onApproval?.({
        type: 'approval.request',
        id: 'tool-1',
        tool: 'Bash',
        input: { command: 'rm x' },
      });
      return { reason: 'done' };
    };
    const talking = await talk({ speeches: [speech] });
    const asked = await talking.port.until((state) => pendingApprovals(state.approvals)[0], never);
    expect(asked).toMatchObject({ tool: 'Bash', input: { command: 'rm x' } });
    await talking.submit({
      type: 'approval.resolve',
      approval: asked?.id ?? '',
      decision,
      by: 'ann',
      ...more,
    });
    await talking.engine.drain();
    expect(answer).toEqual(expected);
  });
});

describe('stopping', () => {
  const untilStopped: Speech = async (turn) => {
    await turn.pass('http', 'bytes');
    turn.emit({ type: 'text.delta', block: 0, text: 'half of' });
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    return { reason: 'aborted' };
  };

  it('ends the turn in flight and keeps what was said', async () => {
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const publish = (event: TurnEvent) => event.type === 'text.delta' && hear();
    const talking = await talk({ speeches: [untilStopped, says('the rest')], publish });
    await heard;
    await talking.submit({ type: 'agent.stop', by: 'ann' });
    await talking.engine.drain();
    const state = await talking.state();
    expect(statusOf(state)).toEqual({ kind: 'stopped' });
    expect(state.history.at(-1)).toMatchObject({ text: 'half of', partial: true });
    await talking.submit({ type: 'agent.say', text: 'go on', by: 'ann' });
    await talking.engine.drain();
    expect((await talking.state()).history.at(-1)).toMatchObject({ text: 'the rest' });
    expect((await talking.verify()).ok).toBe(true);
  });

  it('the engine leaves a repeatable turn open, and another process does it again', async () => {
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const speech: Speech = (turn) => {
      hear();
      return untilStopped(turn);
    };
    const first = await talk({ speeches: [speech] });
    await heard;
    await first.engine.stop({ running: 'abort' });
    expect((await first.types()).filter((type) => type === 'effect.settled')).toEqual([]);
    const second = conversation({ store, speeches: [says('at last')] });
    open.push(second);
    await second.engine.start();
    const done = await second.port.until((state) => (state.mode === 'done' ? state : undefined), never);
    expect(done?.history.map((message) => message.text)).toEqual(['hello', 'at last']);
    const turns = (await store.read(RUN)).filter(({ type }) => type === 'turn.recorded');
    expect(new Set(turns.map(({ data }) => (data as { turn: string }).turn)).size).toBe(turns.length);
  });
});
