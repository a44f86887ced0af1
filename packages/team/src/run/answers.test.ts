import { pendingApprovals } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { spec, teamRun } from '../../test/team-run.js';
import { LEFT_CODE } from './outcome.js';
import { needsOf, nodeStatus } from './status.js';

type Decision = 'allow' | 'deny' | 'change';
interface Act {
  readonly cmd: string;
}

/** How the turn of an agent is taken again after the process that asked is gone. */
type Way =
  /** The same turn once more, with everything anew: the rehearsal. */
  | 'repeat'
  /** Another turn, with everything anew: an agent that keeps no session. */
  | 'anew'
  /** Another turn of the same session, which knows what was done. */
  | 'session';

const GATED = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;

/** A node whose agent wants to do these acts, one after another, each in a process that ends when it has to wait. */
function agentRun(acts: readonly Act[], { way, retells }: { readonly way: Way; readonly retells: boolean }) {
  const run = teamRun({ retells: () => retells });
  run.start({
    nodes: [spec('dev', 'implementer', { permissions: GATED, provider: way === 'session' ? 'line' : 'raw' })],
    edges: [],
    mode: 'INTERACTIVE',
    goal: null,
  });
  run.submit({ type: 'node.message', node: 'dev', text: 'go', by: 'ann' });
  /** What the world has seen, in order. */
  const done: string[] = [];
  let attempt = 0;
  /** Where the session stands: what comes before was answered to its face. */
  let at = 0;
  let owed: Act | undefined;

  const ask = (effect: string, { cmd }: Act): 'cut' | 'go on' => {
    const command = { type: 'native.approve', effect, attempt, tool: 'Bash', input: { cmd } } as const;
    const asked = run.submit(command);
    if (!asked.ok) throw new Error(asked.error.code);
    const { approval, permit } = asked.answer as { readonly approval?: string; readonly permit?: string };
    if (permit !== undefined) {
      if (permit === 'allow') done.push(cmd);
      return 'go on';
    }
    const resolution = run.state().approvals.resolved[approval ?? ''];
    if (resolution === undefined) return 'cut';
    expect(run.submit({ type: 'native.tell', effect, attempt, approval: approval ?? '' }).ok).toBe(true);
    if (resolution.decision === 'allow') done.push(cmd);
    if (resolution.decision === 'change') {
      const changed = resolution.input as unknown as Act;
      if (retells) owed = changed;
      else done.push(changed.cmd);
    }
    return 'go on';
  };

  /** Lives until the agent has to wait, or is done. */
  const live = (): boolean => {
    const effect = run.turn('dev')?.id;
    if (effect === undefined) return false;
    attempt = way === 'repeat' ? attempt + 1 : 1;
    if (way !== 'session') {
      at = 0;
      owed = undefined;
    }
    while (at < acts.length || owed !== undefined) {
      const act = owed ?? (acts[at] as Act);
      const isOwed = owed !== undefined;
      if (ask(effect, act) === 'cut') {
        if (way !== 'repeat') {
          const end = { reason: 'aborted', code: LEFT_CODE } as const;
          run.answers('dev', '', [], way === 'session' ? { end, sessionId: 's' } : { end });
          run.diffs();
        }
        return true;
      }
      if (isOwed) owed = undefined;
      else at += 1;
    }
    run.answers('dev', 'done');
    run.diffs();
    return false;
  };
  return { run, live, done };
}

const act = fc.constantFrom('a', 'b', 'b', 'c').map((cmd): Act => ({ cmd }));

describe('what was asked in a process that is gone', () => {
  it.each([
    ['repeat', false],
    ['anew', false],
    ['session', false],
    ['session', true],
  ] as const)(
    'ends in at most one answer each, and is done once in the words that were allowed: %s, %s',
    (way, retells) => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(act, fc.constantFrom<Decision>('allow', 'deny', 'change')), { maxLength: 5 }),
          (plan) => {
            const { run, live, done } = agentRun(
              plan.map(([each]) => each),
              { way, retells },
            );
            const said: Decision[] = [];
            const expected: string[] = [];
            for (let round = 0; round <= 2 * plan.length + 1 && live(); round += 1) {
              const pending = pendingApprovals(run.state().approvals);
              // Whoever stands still without a person is on the list.
              expect(needsOf(run.state()).length).toBeGreaterThan(0);
              expect(pending).toHaveLength(1);
              const [decision = 'deny'] = [plan[said.length]?.[1]];
              const [{ id, input }] = pending as readonly [(typeof pending)[number]];
              said.push(decision);
              const { cmd } = input as unknown as Act;
              const changed = { cmd: `${cmd} instead of ${said.length}` };
              if (decision !== 'deny') expected.push(decision === 'change' ? changed.cmd : cmd);
              const answered = run.submit({
                ...{ type: 'approval.resolve', approval: id, decision, by: 'ann' },
                ...(decision === 'change' ? { input: changed as JsonValue } : {}),
              });
              expect(answered.ok).toBe(true);
              run.diffs();
            }
            expect(run.node('dev').work).toBeNull();
            expect(run.node('dev').hold).toBeNull();
            expect(pendingApprovals(run.state().approvals)).toEqual([]);
            expect(said).toHaveLength(plan.length);
            expect(done).toEqual(expected);
            expect(run.rebuilt()).toEqual(run.state());
          },
        ),
        runs(20, 4_000),
      );
    },
  );

  it('a call of ours is carried out when it is allowed, and its result is told to the session', () => {
    const run = teamRun();
    run.start({
      nodes: [spec('dev', 'implementer', { permissions: GATED, provider: 'line' })],
      edges: [],
      mode: 'INTERACTIVE',
      goal: null,
    });
    run.submit({ type: 'node.message', node: 'dev', text: 'go', by: 'ann' });
    const effect = run.turn('dev')?.id ?? '';
    run.submit({
      ...{ type: 'native.call', effect },
      call: { id: 'm1', name: 'command', input: { cmd: 'ls' } },
    });
    run.answers('dev', '', [], { end: { reason: 'aborted', code: LEFT_CODE }, sessionId: 's' });
    const [asked] = pendingApprovals(run.state().approvals);
    expect([asked?.tool, nodeStatus(run.node('dev'))]).toEqual(['command', 'blocked']);
    const allow = { type: 'approval.resolve', decision: 'allow', by: 'ann' } as const;
    run.submit({ ...allow, approval: asked?.id ?? '' });
    run.settle(run.effects('tool.call')[0]?.id ?? '', { ok: true, output: 'a.txt' });
    run.diffs();
    expect(run.node('dev').work).toMatchObject({ turn: 2, kind: { kind: 'delta' } });
    expect(run.results('dev')).toMatchObject([
      { kind: 'ending' },
      { kind: 'call', tool: 'command', result: { status: 'ok', text: 'a.txt' } },
    ]);
  });

  it('is taken back when a person ends the turn', () => {
    const { run, live } = agentRun([{ cmd: 'a' }], { way: 'session', retells: false });
    live();
    run.submit({ type: 'node.interrupt', node: 'dev', by: 'ann' });
    run.diffs();
    expect(pendingApprovals(run.state().approvals)).toEqual([]);
    expect(run.node('dev').work).toBeNull();
  });
});
