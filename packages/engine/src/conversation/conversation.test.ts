import { describe, expect, it } from 'vitest';
import { agentRun, CONFIG, call } from '../../test/agent-run.js';
import type { ConversationConfig } from './conversation.js';
import { historyProblem } from './history.js';
import { createAgentMachine } from './machine.js';

const roles = (run: ReturnType<typeof agentRun>) => run.state().history.map((message) => message.role);
const results = (run: ReturnType<typeof agentRun>) =>
  run.state().history.flatMap((message) => (message.role === 'tool' ? [message.text] : []));

describe('a conversation', () => {
  it('asks, runs the calls, tells the results and ends with words', () => {
    const run = agentRun();
    expect(run.start()).toMatchObject({ ok: true });
    expect(run.status()).toEqual({ kind: 'asking' });
    run.answers('looking', [call('read', 'm1'), call('write', 'm2')]);
    expect(run.status()).toEqual({ kind: 'tools' });
    run.gives('read', 'text');
    run.gives('write', 'written');
    expect(results(run)).toEqual(['text', 'written']);
    run.answers('all done');
    expect(run.status()).toEqual({ kind: 'done' });
    expect(roles(run)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(run.openEffects()).toEqual([]);
  });

  it('what is said while it works goes into the next turn', () => {
    const run = agentRun();
    run.start();
    run.say('and hurry');
    expect(run.turn()?.input).toMatchObject({ turn: 1, messages: 1 });
    run.answers('done');
    expect(run.turn()?.input).toMatchObject({ turn: 2, messages: 3 });
    expect(roles(run)).toEqual(['user', 'assistant', 'user']);
  });

  it('never has two turns in flight', () => {
    const run = agentRun();
    run.start();
    run.say('one');
    run.say('two');
    expect(run.openEffects()).toHaveLength(1);
  });

  it('goes on with the session that the provider named', () => {
    const run = agentRun();
    run.start();
    run.answers('hi', [], { sessionId: 'session-1' });
    run.say('again');
    expect(run.turn()?.input).toMatchObject({ sessionId: 'session-1' });
  });

  it('is started once, and nothing goes before that', () => {
    const run = agentRun();
    expect(run.say('hello')).toMatchObject({ error: { code: 'E_AGENT_NOT_STARTED' } });
    run.start();
    expect(run.start()).toMatchObject({ error: { code: 'E_AGENT_STARTED' } });
  });

  it('the state follows from the log alone, whatever the configuration says by then', () => {
    const run = agentRun({ rules: { ...CONFIG.rules, maxResultBytes: 100 }, stall: { repeats: 2 } });
    run.start();
    run.answers('look', [call('read')]);
    run.gives('read', 'x'.repeat(5_000));
    const later = createAgentMachine(CONFIG);
    expect(run.events().reduce(later.project, later.initial)).toEqual(run.state());
  });

  it('receipts, and effects of others in the same log, change nothing', () => {
    const run = agentRun();
    run.start();
    const { project } = createAgentMachine(CONFIG);
    expect(project(run.state(), { type: 'turn.recorded', data: {} } as never)).toEqual(run.state());
    expect(project(run.state(), { type: 'effect.asked', data: { id: 'another' } })).toEqual(run.state());
  });

  it('a person cannot speak in our name', () => {
    const run = agentRun();
    run.submit({ type: 'agent.start', text: 'x', by: 'cuebook' });
    expect(run.state().history[0]).toMatchObject({ by: 'somebody' });
  });

  it('a failed turn fails with its reason, and resume asks the same again', () => {
    const run = agentRun();
    run.start();
    run.answers('half a', [call('read')], {
      end: { reason: 'error', code: 'E_PROVIDER_STATUS', message: '500' },
    });
    expect(run.status()).toEqual({ kind: 'failed', code: 'E_PROVIDER_STATUS', message: '500' });
    expect(run.tools()).toEqual([]);
    run.resume();
    expect(run.turn()?.input).toMatchObject({ turn: 2, messages: 1 });
  });

  it.each([
    ['no turn', { ok: true, output: { hello: 1 } }, 'E_AGENT_OUTCOME'],
    ['nothing', { ok: true, output: null }, 'E_AGENT_OUTCOME'],
    [
      'a driver that failed',
      { ok: false, error: { code: 'E_EFFECT_TIMEOUT', message: 'late' } },
      'E_EFFECT_TIMEOUT',
    ],
  ] as const)('an outcome that is %s fails the turn', (_title, outcome, code) => {
    const run = agentRun();
    run.start();
    run.settle(run.turn()?.id ?? '', outcome);
    expect(run.status()).toMatchObject({ kind: 'failed', code });
  });
});

describe('the judge of answers', () => {
  const judged = (onAnswer: ConversationConfig['onAnswer'], more: Partial<ConversationConfig> = {}) => {
    const run = agentRun({ ...(onAnswer ? { onAnswer } : {}), ...more });
    run.start();
    return run;
  };

  it('asks again with a note, twice, and then fails', () => {
    const run = judged(() => ({ kind: 'retry', note: 'Call a tool.' }));
    run.answers('words only');
    run.answers('words again');
    expect(roles(run)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    run.answers('and again');
    expect(run.status()).toMatchObject({ kind: 'failed', code: 'E_AGENT_RETRIES' });
    expect(run.state().turns).toBe(3);
  });

  it('calls of an answer that is not acted on are told so, and not run', () => {
    const run = judged(() => ({ kind: 'done' }));
    run.answers('finish', [call('write')]);
    expect(run.openEffects()).toEqual([]);
    expect(results(run)[0]).toContain('not run');
    expect(run.status()).toEqual({ kind: 'done' });
  });

  it('can wait for a person, whose word goes on', () => {
    const run = judged((state) =>
      state.turns === 1 ? { kind: 'wait', reason: 'Which file?' } : { kind: 'done' },
    );
    run.answers('I have a question');
    expect(run.status()).toMatchObject({ kind: 'waiting', for: 'person' });
    run.say('the first');
    expect(run.status()).toEqual({ kind: 'asking' });
  });

  it('can go on after words alone: somebody is said to speak, so that a provider takes it', () => {
    const run = judged((state) => (state.turns === 1 ? { kind: 'continue' } : { kind: 'done' }));
    run.answers('thinking');
    expect(run.state().history.at(-1)).toMatchObject({ role: 'user', by: 'cuebook', text: 'Go on.' });
  });

  it('that throws fails the run, and leaks nothing of why', () => {
    const run = judged(() => {
      throw new Error('/home/somebody');
    });
    run.answers('x');
    expect(run.status()).toMatchObject({ kind: 'failed', code: 'E_AGENT_HOOK' });
    expect(JSON.stringify(run.events())).not.toContain('somebody/');
  });

  it('can retry a turn that failed, on the same history', () => {
    const run = judged((_state, { end }) => (end.reason === 'error' ? { kind: 'retry' } : { kind: 'done' }));
    run.answers('', [], { end: { reason: 'error', code: 'E_X', message: 'x' } });
    expect(run.turn()?.input).toMatchObject({ turn: 2, messages: 1 });
  });
});

describe('stopping', () => {
  it('waits for the turn in flight and keeps what was said', () => {
    const run = agentRun();
    run.start();
    run.stop();
    expect(run.status()).toEqual({ kind: 'stopping' });
    run.answers('half of', [call('read')], { end: { reason: 'aborted' } });
    expect(run.status()).toEqual({ kind: 'stopped' });
    expect(run.openEffects()).toEqual([]);
    expect(run.state().history[1]).toMatchObject({ text: 'half of', partial: true });
    expect(historyProblem(run.state().history)).toBeUndefined();
  });

  it('in mid-loop answers every call, and begins none', () => {
    const run = agentRun();
    run.start();
    run.answers('work', [call('write', '1'), call('write', '2'), call('pay', '3')]);
    run.stop();
    run.gives('write', 'written');
    expect(run.status()).toEqual({ kind: 'stopped' });
    expect(results(run)).toEqual([
      'written',
      expect.stringContaining('stopped'),
      expect.stringContaining('stopped'),
    ]);
    expect(run.openEffects()).toEqual([]);
  });

  it('by force waits for nothing; what comes late is paid for and not listened to', () => {
    const run = agentRun();
    run.start();
    run.stop(true);
    expect(run.status()).toEqual({ kind: 'stopped' });
    run.say('go on');
    expect(run.openEffects()).toHaveLength(1);
    run.answers('late words', [call('write')]);
    expect(run.state().budget.scopes.run?.spent).toMatchObject({ turns: 1, tokens: 100 });
    expect(roles(run)).toEqual(['user', 'user']);
    expect(run.turn()?.input).toMatchObject({ turn: 2 });
    expect(run.tools()).toEqual([]);
  });

  it('by force tells the model that nobody knows about a running call', () => {
    const run = agentRun();
    run.start();
    run.answers('work', [call('write')]);
    run.stop();
    expect(run.status()).toEqual({ kind: 'stopping' });
    run.stop(true);
    expect(run.status()).toEqual({ kind: 'stopped' });
    expect(results(run)[0]).toContain('unknown whether it ran');
  });

  it('is resumed by a word or a command, on the same history', () => {
    const run = agentRun();
    run.start();
    run.stop();
    run.answers('half', [], { end: { reason: 'aborted' } });
    run.resume();
    expect(run.status()).toEqual({ kind: 'asking' });
    expect(run.state().history.at(-1)).toMatchObject({ role: 'user', text: 'Go on.' });
  });

  it('of what is at rest changes nothing', () => {
    const run = agentRun();
    run.start();
    run.answers('done');
    const before = run.events().length;
    expect(run.stop()).toMatchObject({ ok: true });
    expect(run.resume()).toMatchObject({ error: { code: 'E_AGENT_NOT_PAUSED' } });
    expect(run.events()).toHaveLength(before);
  });
});
