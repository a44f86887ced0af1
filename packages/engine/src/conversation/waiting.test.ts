import { fail, ok } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { agentRun, CONFIG, call } from '../../test/agent-run.js';
import type { ApprovalResolve } from '../approval/resolve.js';
import { UNKNOWN_OUTCOME } from '../tool-loop/result.js';

const approval = (run: ReturnType<typeof agentRun>) => {
  const status = run.status();
  return status.kind === 'waiting' && status.for === 'approval' ? (status.approvals[0]?.id ?? '') : '';
};
const resolve = (
  run: ReturnType<typeof agentRun>,
  decision: ApprovalResolve['decision'],
  more: Partial<ApprovalResolve> = {},
) => run.submit({ type: 'approval.resolve', approval: approval(run), decision, by: 'ann', ...more });
const results = (run: ReturnType<typeof agentRun>) =>
  run.state().history.flatMap((message) => (message.role === 'tool' ? [message.text] : []));

describe('waiting for an approval', () => {
  const asked = (more = {}) => {
    const run = agentRun(more);
    run.start();
    run.answers('pay', [call('pay', 'tool-1', { amount: 5_000 }), call('write', 'tool-2')]);
    return run;
  };

  it('says so, and runs nothing', () => {
    const run = asked();
    expect(run.status()).toMatchObject({ kind: 'waiting', for: 'approval', approvals: [{ tool: 'pay' }] });
    expect(approval(run)).toMatch(/^apr_/);
    expect(run.openEffects()).toEqual([]);
  });

  it('allowed, it runs', () => {
    const run = asked();
    resolve(run, 'allow');
    expect(run.tools()[0]?.input).toMatchObject({ tool: 'pay', input: { amount: 5_000 } });
  });

  it('denied, it does not, and the later call does', () => {
    const run = asked();
    resolve(run, 'deny', { message: 'too much' });
    run.gives('write', 'written');
    expect(results(run)).toEqual([expect.stringContaining('too much'), 'written']);
  });

  it('changed, it runs with the changed input, which was checked', () => {
    const rules = {
      ...CONFIG.rules,
      validate: (_tool: string, input: unknown) =>
        (input as { amount?: number }).amount === 0 ? fail('amount: above 0') : ok(input as never),
    };
    const run = asked({ rules });
    expect(resolve(run, 'change', { input: { amount: 0 } })).toMatchObject({
      error: { code: 'E_APPROVAL_INPUT' },
    });
    resolve(run, 'change', { input: { amount: 5 } });
    expect(run.tools()[0]?.input).toMatchObject({ input: { amount: 5 } });
  });

  it('a change does not get past the policy', () => {
    const permit = (_tool: string, input: unknown) =>
      (input as { amount?: number }).amount === 9
        ? ({ kind: 'deny', reason: 'no nines' } as const)
        : ({ kind: 'allow' } as const);
    const run = asked({ rules: { ...CONFIG.rules, permit } });
    expect(resolve(run, 'change', { input: { amount: 9 } })).toMatchObject({
      error: { code: 'E_APPROVAL_INPUT' },
    });
  });

  it('expires, and the run goes on', () => {
    const run = asked({ approvalMs: 60_000 });
    run.wait(59_999);
    expect(run.status()).toMatchObject({ for: 'approval' });
    run.wait(1);
    run.gives('write', 'written');
    expect(results(run)).toEqual([expect.stringContaining('in time'), 'written']);
  });

  it('allowed for the rest of the run, the next call asks nobody', () => {
    const run = asked();
    resolve(run, 'allow', { grant: true });
    run.gives('pay', 'paid');
    run.gives('write', 'written');
    run.answers('again', [call('pay', 'tool-1')]);
    expect(run.tools()).toHaveLength(1);
  });

  it('is over when the run is stopped', () => {
    const run = asked({ approvalMs: 60_000 });
    const id = approval(run);
    run.stop();
    expect(run.status()).toEqual({ kind: 'stopped' });
    expect(run.openTimers()).toEqual([]);
    const late = { type: 'approval.resolve', approval: id, decision: 'allow', by: 'ann' } as const;
    expect(run.submit(late)).toMatchObject({ error: { code: 'E_APPROVAL_RESOLVED' } });
    expect(run.openEffects()).toEqual([]);
  });
});

describe('waiting for money', () => {
  it('a spent budget pauses with its reason, and goes on when it is raised', () => {
    const run = agentRun();
    run.start('hello', { budget: { turns: 1 } });
    run.answers('work', [call('read')]);
    run.gives('read', 'text');
    expect(run.status()).toMatchObject({
      for: 'budget',
      pause: { exhausted: { unit: 'turns', limit: 1, spent: 1, scope: 'run' } },
    });
    expect(run.resume()).toMatchObject({ error: { code: 'E_BUDGET_EXHAUSTED' } });
    run.say('please');
    expect(run.openEffects()).toEqual([]);
    expect(run.submit({ type: 'budget.raise', to: { turns: 2 }, by: 'ann' })).toMatchObject({ ok: true });
    expect(run.turn()?.input).toMatchObject({ turn: 2, messages: 4 });
  });

  it('what the next turn costs at least is looked at before it', () => {
    const run = agentRun({ expect: () => ({ tokens: 60, usd: 0 }) });
    run.start('hello', { budget: { tokens: 150 } });
    run.answers('work', [call('read')]);
    run.gives('read', 'text');
    expect(run.status()).toMatchObject({
      for: 'budget',
      pause: { exhausted: { unit: 'tokens', expected: 60 } },
    });
  });

  it('a budget in money for a model without a price is refused before the first call', () => {
    const run = agentRun({ priced: false });
    expect(run.start('hello', { budget: { usd: 1 } })).toMatchObject({
      error: { code: 'E_BUDGET_UNPRICED' },
    });
    expect(run.events()).toEqual([]);
  });

  it('a spent budget around the conversation pauses it, until there is room again', () => {
    let left = 1;
    const exhausted = { scope: 'team', unit: 'turns', limit: 1, spent: 1, held: 0, expected: 1 } as const;
    const run = agentRun({ room: () => (left > 0 ? ok(null) : fail(exhausted)) });
    run.start();
    left = 0;
    run.answers('work', [call('read')]);
    run.gives('read', 'text');
    expect(run.status()).toMatchObject({ for: 'budget', pause: { exhausted: { scope: 'team' } } });
    expect(run.resume()).toMatchObject({ error: { code: 'E_BUDGET_EXHAUSTED' } });
    left = 1;
    run.resume();
    expect(run.status()).toEqual({ kind: 'asking' });
  });

  it('an estimate that breaks asks a person', () => {
    const run = agentRun({
      expect: () => {
        throw new Error('no table');
      },
    });
    run.start();
    expect(run.status()).toMatchObject({ for: 'person' });
  });
});

describe('waiting because nothing moves', () => {
  it('the same answer with the same calls pauses with evidence, and a word goes on', () => {
    const run = agentRun();
    run.start();
    for (let turn = 1; turn <= 3; turn += 1) {
      run.answers(`Try ${turn}.`, [call('write')]);
      run.gives('write', { ok: false, error: { code: 'E_DISK', message: `full, ${turn} bytes short` } });
    }
    expect(run.status()).toMatchObject({ for: 'stall', pause: { verdict: { turns: [1, 2, 3] } } });
    expect(run.openEffects()).toEqual([]);
    run.say('There is room now.');
    expect(run.status()).toEqual({ kind: 'asking' });
    run.answers('Try 4.', [call('write')]);
    run.gives('write', { ok: false, error: { code: 'E_DISK', message: 'full, 4 bytes short' } });
    expect(run.status()).toEqual({ kind: 'asking' });
  });
});

describe('waiting for somebody who knows', () => {
  it('a call of which nobody knows is told so to the model', () => {
    const run = agentRun();
    run.start();
    run.answers('work', [call('write')]);
    const effect = run.tools()[0]?.id ?? '';
    run.doubt(effect);
    expect(run.status()).toEqual({ kind: 'waiting', for: 'outcome', effects: [effect] });
    run.settle(effect, UNKNOWN_OUTCOME);
    expect(results(run)[0]).toContain('unknown whether it ran');
    expect(run.status()).toEqual({ kind: 'asking' });
  });
});

describe('an agent that acts in mid-turn', () => {
  const native = (run: ReturnType<typeof agentRun>, tool: string, effect = run.turn()?.id ?? '') =>
    run.submit({ type: 'native.call', effect, call: call(tool, '1') });

  it('has its call run while its turn is in flight', () => {
    const run = agentRun();
    run.start();
    const answer = native(run, 'write');
    expect(run.tools()[0]?.lane).toBe('agent/native/calls');
    run.gives('write', 'written');
    const id = (answer as unknown as { answer: { call: string } }).answer.call;
    expect(run.state().native.find((one) => one.id === id)?.result?.text).toBe('written');
    run.answers('done');
    expect(run.status()).toEqual({ kind: 'done' });
  });

  it('gets a refusal as an answer, and nothing runs', () => {
    const run = agentRun();
    run.start();
    native(run, 'unknown_tool');
    expect(run.state().native[0]?.result?.code).toBe('E_TOOL_UNKNOWN');
    expect(run.tools()).toEqual([]);
  });

  it('asks a person in mid-turn', () => {
    const run = agentRun();
    run.start();
    const command = { type: 'native.approve', tool: 'Bash', input: { command: 'ls' } } as const;
    run.submit({ ...command, effect: run.turn()?.id ?? '' });
    expect(run.status()).toMatchObject({ for: 'approval', approvals: [{ tool: 'Bash' }] });
    run.answers('gave up');
    expect(run.status()).toEqual({ kind: 'done' });
  });

  const allow = (run: ReturnType<typeof agentRun>, more: Partial<ApprovalResolve>) =>
    resolve(run, 'allow', more) as { readonly error?: { readonly code: string } };

  it.each([
    ['one of our tools covers no act of the agent that it calls so', 'pay'],
    ['an act of the agent covers no tool of ours that is called so', 'native'],
  ])('a grant for %s', (_name, first) => {
    for (const name of ['pay', 'Pay', 'pay ', 'constructor', '__proto__']) {
      const run = agentRun();
      run.start();
      const own = () => run.submit({ ...ACT, tool: name, effect: run.turn()?.id ?? '' });
      if (first === 'pay') {
        run.answers('pay', [call('pay', 'tool-1')]);
        expect(allow(run, { grant: true }).error).toBeUndefined();
        run.gives('pay', 'paid');
        expect(own()).toMatchObject({ answer: { approval: expect.stringMatching(/^apr_/) } });
        continue;
      }
      own();
      expect(allow(run, { grant: true }).error).toBeUndefined();
      expect(run.submit({ ...ACT, tool: name, input: 1, effect: run.turn()?.id ?? '' })).toMatchObject({
        answer: { permit: 'allow' },
      });
      native(run, 'pay');
      expect([name, run.status()]).toMatchObject([name, { for: 'approval', approvals: [{ tool: 'pay' }] }]);
    }
  });
  const ACT = { type: 'native.approve', input: { command: 'touch F' } } as const;

  it('for an act that only its own words name is refused, and one for another act does not cover it', () => {
    const run = agentRun();
    run.start();
    const act = (more: object) =>
      run.submit({ ...ACT, tool: 'read', effect: run.turn()?.id ?? '', ...more } as never);
    act({ claimed: true });
    expect(allow(run, { grant: true }).error?.code).toBe('E_APPROVAL_GRANT');
    expect(allow(run, {}).error).toBeUndefined();
    act({ input: { path: 'a' } });
    expect(allow(run, { grant: true }).error).toBeUndefined();
    expect(act({ input: { path: 'b' } })).toMatchObject({ answer: { permit: 'allow' } });
    expect(act({ input: { path: 'c' }, claimed: true })).toMatchObject({
      answer: { approval: expect.stringMatching(/^apr_/) },
    });
  });

  it('is answered by the policy where that is enough', () => {
    const run = agentRun({
      permitNative: (tool) => (tool === 'Read' ? { kind: 'allow' } : { kind: 'deny', reason: 'no' }),
    });
    run.start();
    const effect = run.turn()?.id ?? '';
    const ask = (tool: string) => run.submit({ type: 'native.approve', effect, tool, input: {} });
    expect(ask('Read')).toMatchObject({ answer: { permit: 'allow' } });
    expect(ask('Bash')).toMatchObject({ answer: { permit: 'deny', reason: 'no' } });
  });

  it('has no say outside of its turn', () => {
    const run = agentRun();
    run.start();
    const old = run.turn()?.id ?? '';
    run.stop();
    expect(native(run, 'write', old)).toMatchObject({ error: { code: 'E_AGENT_NO_TURN' } });
    run.answers('x', [], { end: { reason: 'aborted' } });
    run.resume();
    expect(native(run, 'write', old)).toMatchObject({ error: { code: 'E_AGENT_NO_TURN' } });
    expect(run.tools()).toEqual([]);
  });
});
