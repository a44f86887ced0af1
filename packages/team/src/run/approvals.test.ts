import { pendingApprovals } from '@cuebook/engine';
import { describe, expect, it } from 'vitest';
import { loadedRoles } from '../../test/roles.js';
import { spec, teamRun } from '../../test/team-run.js';
import { needsOf, nodeStatus } from './status.js';

type Run = ReturnType<typeof teamRun>;
const tell = (run: Run, node: string, text = 'go', interrupt = false) =>
  run.submit({ type: 'node.message', node, text, by: 'ann', interrupt });
const code = (decision: ReturnType<Run['submit']>) => (decision.ok ? 'ok' : decision.error.code);

describe('approvals', () => {
  const capabilities = { ...spec('x', 'lead').capabilities, edgeManagement: 'all' } as const;
  const begin = (permissions = spec('x', 'x').permissions) => {
    const run = teamRun({ approvalMs: 1_000 });
    const [lead] = loadedRoles().filter(({ name }) => name === 'orchestrator');
    const roles = [...loadedRoles(), { ...(lead as NonNullable<typeof lead>), name: 'deputy' }];
    run.start({
      nodes: [spec('a', 'deputy', { capabilities, permissions }), spec('b', 'planner')],
      edges: [{ from: 'a', to: 'b' }],
      roles,
    });
    return run;
  };
  const CALLS = [
    ['spawn_node', { label: 'n', alias: 'n', roleTemplate: 'planner' }, 'tool-1'],
    ['send_handoff', { to: 'b', message: 'meanwhile' }, 'tool-2'],
  ] as const;
  const pending = (run: Run) => pendingApprovals(run.state().approvals);

  it('whoever does not lead always asks, whatever its stored setting says', () => {
    const run = begin({ cliPermissionsMode: 'skip', agentManagementRequiresApproval: false });
    run.answers('a', 'x', CALLS);
    expect(pending(run)).toMatchObject([{ tool: 'spawn_node', id: expect.stringMatching(/^apr_/) }]);
    expect(nodeStatus(run.node('a'))).toBe('blocked');
    expect(needsOf(run.state())).toMatchObject([{ kind: 'approval' }]);
  });

  it('a denied call does not drop the others', () => {
    const run = begin();
    run.answers('a', 'x', CALLS);
    run.submit({
      type: 'approval.resolve',
      approval: pending(run)[0]?.id ?? '',
      decision: 'deny',
      message: 'no',
      by: 'ann',
    });
    run.diffs();
    expect(run.results('a')).toMatchObject([{ result: { status: 'denied' } }, { result: { status: 'ok' } }]);
    expect(Object.keys(run.state().nodes)).toHaveLength(2);
    expect(run.node('b').work?.taken.inbox).toHaveLength(1);
  });

  it('a change is checked like the first input, and used', () => {
    const run = begin();
    run.answers('a', 'x', CALLS);
    const approval = pending(run)[0]?.id ?? '';
    const change = (input: object) =>
      code(
        run.submit({
          type: 'approval.resolve',
          approval,
          decision: 'change',
          input: input as never,
          by: 'ann',
        }),
      );
    expect(change({ label: 5 })).toBe('E_APPROVAL_INPUT');
    expect(change({ label: 'other', alias: 'other', roleTemplate: 'reviewer' })).toBe('ok');
    expect(run.node('other').node).toMatchObject({ role: 'reviewer', parent: run.node('a').node.id });
  });

  it('unknown and answered ids are told apart', () => {
    const run = begin();
    run.answers('a', 'x', CALLS);
    const resolve = (approval: string) =>
      code(run.submit({ type: 'approval.resolve', approval, decision: 'deny', by: 'ann' }));
    const id = pending(run)[0]?.id ?? '';
    expect([resolve('tool-1'), resolve(id), resolve(id)]).toEqual([
      'E_APPROVAL_UNKNOWN',
      'ok',
      'E_APPROVAL_RESOLVED',
    ]);
  });

  it('an allowance for the rest of the run does not cover further nodes', () => {
    const run = begin();
    run.answers('a', 'x', CALLS);
    run.submit({
      type: 'approval.resolve',
      approval: pending(run)[0]?.id ?? '',
      decision: 'allow',
      grant: true,
      by: 'ann',
    });
    run.diffs();
    tell(run, 'a');
    run.answers('a', 'x', [['spawn_node', { label: 'm', roleTemplate: 'planner' }]]);
    expect(pending(run)).toHaveLength(1);
  });

  it('an allowance covers the node that asked, and no other', () => {
    const run = teamRun();
    const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;
    run.start({
      nodes: ['a', 'b'].map((alias) => spec(alias, 'implementer', { permissions })),
      edges: [],
      mode: 'INTERACTIVE',
      goal: null,
    });
    for (const alias of ['a', 'b']) tell(run, alias);
    run.answers('a', 'x', [
      ['command', { cmd: 'ls' }],
      ['command', { cmd: 'ls -l' }],
    ]);
    for (const { id } of pending(run))
      run.submit({ type: 'approval.resolve', approval: id, decision: 'allow', grant: true, by: 'ann' });
    run.answers('b', 'x', [['command', { cmd: 'ls' }]]);
    expect(pending(run)).toHaveLength(1);
    expect(run.node('a').granted).toEqual(['command']);
  });

  it('expire with a reason', () => {
    const run = begin();
    run.answers('a', 'x', CALLS);
    run.fire(`expire/${pending(run)[0]?.id}`);
    run.diffs();
    expect(run.results('a')[0]).toMatchObject({ result: { status: 'expired', code: 'E_APPROVAL_EXPIRED' } });
  });

  it('an agent that asks before it acts is answered by the rules, else by a person', () => {
    const run = begin();
    const effect = run.turn('a')?.id ?? '';
    const ask = (tool: string, input: object) =>
      run.submit({ type: 'native.approve', effect, tool, input: input as never });
    expect(ask('Write', { file_path: 'docs/a.md' })).toMatchObject({ answer: { permit: 'allow' } });
    expect(ask('Write', { file_path: '/etc/passwd' })).toMatchObject({ answer: { permit: 'deny' } });
    expect(ask('mcp__x__y', {})).toMatchObject({ answer: { approval: expect.stringMatching(/^apr_/) } });
    run.answers('a', 'x');
    expect(pending(run)).toEqual([]);
    expect(code(ask('Write', {}))).toBe('E_NODE_IDLE');
  });

  it('a grant covers either what the agent does by itself or a tool of ours, whatever the agent calls its own', () => {
    const run = teamRun();
    const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;
    run.start({
      nodes: [spec('a', 'implementer', { permissions })],
      edges: [],
      mode: 'INTERACTIVE',
      goal: null,
    });
    tell(run, 'a');
    const effect = run.turn('a')?.id ?? '';
    const grant = () =>
      run.submit({
        ...{ type: 'approval.resolve', approval: pending(run)[0]?.id ?? '' },
        ...{ decision: 'allow', grant: true, by: 'ann' },
      });
    const ask = (more: object) =>
      run.submit({ type: 'native.approve', effect, tool: 'command', input: { cmd: 'ls' }, ...more } as never);
    ask({});
    expect(code(grant())).toBe('ok');
    expect(ask({ input: { cmd: 'ls -l' } })).toMatchObject({ answer: { permit: 'allow' } });
    expect(ask({ input: { cmd: 'touch F' }, claimed: true })).toMatchObject({
      answer: { approval: expect.stringMatching(/^apr_/) },
    });
    expect(code(grant())).toBe('E_APPROVAL_GRANT');
    run.submit({ type: 'native.call', effect, call: { id: 'm1', name: 'command', input: { cmd: 'ls' } } });
    expect(pending(run).map(({ tool, claimed }) => [tool, claimed])).toEqual([
      ['command', true],
      ['command', undefined],
    ]);
  });

  it('a call in mid-turn is carried out at once, and its handoff is delivered with the end of the turn', () => {
    const run = begin();
    const effect = run.turn('a')?.id ?? '';
    const asked = run.submit({
      type: 'native.call',
      effect,
      call: { id: 'm1', name: 'send_handoff', input: { to: 'b', message: 'now' } },
    });
    expect(asked).toMatchObject({ ok: true, answer: { call: expect.any(String) } });
    expect(run.node('a').work?.native).toMatchObject([{ phase: 'settled', result: { status: 'ok' } }]);
    expect(run.turn('b')).toBeUndefined();
    run.says('a', 'x');
    expect(run.node('b').work?.taken.inbox).toMatchObject([{ payload: { message: 'now' } }]);
  });
});
