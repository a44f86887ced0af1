import { pendingApprovals } from '@cuebook/engine';
import { describe, expect, it } from 'vitest';
import { spec, teamRun } from '../../test/team-run.js';

type Run = ReturnType<typeof teamRun>;
const types = (run: Run) => run.events().map(({ type }) => type);
const tell = (run: Run, node: string, text = 'go', interrupt = false) =>
  run.submit({ type: 'node.message', node, text, by: 'ann', interrupt });
const code = (decision: ReturnType<Run['submit']>) => (decision.ok ? 'ok' : decision.error.code);

describe('people', () => {
  it('interrupt: the driver hears of it, the node waits, a message goes on', () => {
    const run = teamRun();
    run.start();
    expect(code(run.submit({ type: 'node.interrupt', node: 'dev', by: 'ann' }))).toBe('E_NODE_IDLE');
    run.submit({ type: 'node.interrupt', node: 'lead', by: 'ann' });
    expect(run.events().at(-1)).toMatchObject({
      type: 'turn.interrupting',
      data: { effect: run.turn('lead')?.id, by: 'ann' },
    });
    run.answers('lead', 'half', [['send_handoff', { to: 'dev', message: 'x' }]], {
      end: { reason: 'aborted' },
    });
    run.diffs();
    expect(run.node('lead').hold).toEqual({ kind: 'interrupted', by: 'ann' });
    expect(run.node('dev').inbox).toEqual([]);
    tell(run, 'lead', 'rather so');
    expect(run.node('lead').work).toMatchObject({ cause: 'message', kind: { kind: 'delta' } });
    expect(run.node('lead').work?.taken.results).toMatchObject([
      { kind: 'ending', reason: 'interrupted' },
      { result: { status: 'stopped' } },
    ]);
  });

  it('a message that interrupts comes first, and the node goes on with it', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    tell(run, 'lead', 'later');
    tell(run, 'lead', 'now', true);
    run.answers('lead', '', [], { end: { reason: 'aborted' } });
    run.diffs();
    expect(run.node('lead').work?.taken.messages.map(({ text }) => text)).toEqual(['now', 'later']);
  });

  it('pause begins nothing new, and what it interrupted goes on with the run', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.submit({ type: 'run.pause', by: 'ann', interrupt: true });
    run.answers('lead', 'half', [], { end: { reason: 'aborted' } });
    run.diffs();
    tell(run, 'dev');
    expect(run.open()).toEqual([]);
    run.submit({ type: 'run.resume', by: 'ann' });
    expect([run.node('lead').work?.cause, run.node('dev').work?.cause]).toEqual(['resume', 'message']);
    expect(code(run.submit({ type: 'run.resume', by: 'ann' }))).toBe('E_RUN_NOT_PAUSED');
  });

  it('reset forgets what waits and the session; a turn in flight is paid for and not listened to', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', 'x', [['send_handoff', { to: 'dev', message: 'one' }]]);
    tell(run, 'dev', 'two');
    run.submit({ type: 'node.reset', node: 'dev', by: 'ann' });
    run.answers('dev', 'late', [['send_handoff', { to: 'lead', message: 'late' }]], {
      usage: { inputTokens: 5, outputTokens: 1 },
    });
    run.diffs();
    expect(run.node('dev')).toMatchObject({ inbox: [], messages: [], results: [], work: null });
    expect([run.node('lead').inbox, run.turn('lead')]).toEqual([[], undefined]);
    expect(run.state().budget.scopes.run?.spent).toMatchObject({ turns: 2, tokens: 6 });
    tell(run, 'dev', 'again');
    expect(run.node('dev').work).toMatchObject({ kind: { kind: 'full', why: 'reset' } });
    expect(run.turn('dev')?.input).toMatchObject({ session: null });
  });

  it('a session goes on with deltas; another provider or template makes it full again', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', 'x');
    const next = () => {
      tell(run, 'lead');
      const { kind } = run.node('lead').work ?? {};
      const { session } = (run.turn('lead')?.input ?? {}) as { readonly session?: string | null };
      run.says('lead', `x${run.state().turns}abc`);
      return [kind?.kind === 'full' ? kind.why : kind?.kind, session];
    };
    expect(next()).toEqual(['delta', 'session of lead']);
    run.submit({ type: 'node.configure', node: 'lead', to: { provider: 'claude' }, by: 'ann' });
    expect(next()).toEqual(['provider', null]);
    const role = run.state().roles.orchestrator as NonNullable<ReturnType<Run['state']>['roles'][string]>;
    const edit = { ...role, text: `${role.text}\nMore.` };
    run.submit({ type: 'role.update', role: edit, changedBy: 'person', by: 'ann' });
    expect(next()).toEqual(['template', null]);
    expect(next()).toEqual(['delta', 'session of lead']);
  });

  it("an agent's edit of a template counts only after approval", () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    const role = run.state().roles.implementer as NonNullable<ReturnType<Run['state']>['roles'][string]>;
    const edit = {
      ...role,
      capabilities: ['edge_management_all'],
      text: role.text.replace('"write_code"', '"edge_management_all"'),
    };
    const update = () => run.submit({ type: 'role.update', role: edit, changedBy: 'agent', by: 'dev' });
    update();
    update();
    expect(run.state().roles.implementer).toEqual(role);
    const [approval, ...others] = pendingApprovals(run.state().approvals);
    expect([approval?.about, others]).toEqual(['role/implementer', []]);
    run.submit({ type: 'approval.resolve', approval: approval?.id ?? '', decision: 'allow', by: 'ann' });
    expect(run.state().roles.implementer).toEqual(edit);
    expect(run.state().proposals).toEqual({});
  });

  it('a mode is switched with its old and new value in the event, and counts from the next turn', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.submit({ type: 'run.mode', globalMode: 'PLANNING', by: 'ann' });
    expect(run.events().at(-1)).toMatchObject({
      data: { before: { globalMode: 'IMPLEMENTATION' }, after: { globalMode: 'PLANNING' } },
    });
    expect(run.node('lead').work?.globalMode).toBe('IMPLEMENTATION');
    run.says('lead', 'x');
    tell(run, 'lead');
    expect(run.node('lead').work?.globalMode).toBe('PLANNING');
  });
});

describe('the end', () => {
  it('the orchestrator finishes: others are interrupted and waited for, nothing begins any more', () => {
    const run = teamRun();
    run.start();
    tell(run, 'dev');
    run.answers('lead', 'done', [
      ['finish_run', { ok: true, summary: 'All there.' }],
      ['send_handoff', { to: 'dev', message: 'too late' }],
    ]);
    expect(types(run)).toContain('turn.interrupting');
    run.diffs('lead');
    expect(run.state().status).toBe('running');
    run.answers('dev', 'x', [['command', { cmd: 'ls' }]], { end: { reason: 'aborted' } });
    run.diffs();
    expect(run.state()).toMatchObject({
      status: 'completed',
      result: {
        ...{ ok: true, summary: 'All there.', failing: [] },
        waited: [
          { node: run.node('lead').node.id, what: ['diff'] },
          { node: run.node('dev').node.id, what: ['turn', 'diff'] },
        ],
      },
    });
    expect(run.open()).toEqual([]);
    expect(run.node('dev').inbox).toEqual([]);
    expect(code(tell(run, 'dev'))).toBe('E_RUN_OVER');
  });

  it('nobody else finishes it, but a person', () => {
    const run = teamRun();
    run.start();
    tell(run, 'dev');
    run.says('dev', 'x', [['finish_run', { ok: true, summary: 'x' }]]);
    expect(run.state().status).toBe('running');
    run.submit({ type: 'run.finish', ok: false, summary: 'enough', by: 'ann' });
    expect(run.state()).toMatchObject({ status: 'failed', result: { by: 'ann' } });
  });

  it('a run is started once, and its graph must be whole', () => {
    const run = teamRun();
    expect(code(tell(run, 'x'))).toBe('E_RUN_NOT_STARTED');
    expect(code(run.start({ nodes: [spec('a', 'ghost')] }))).toBe('E_TEAM');
    expect(code(run.start({ edges: [{ from: 'lead', to: 'ghost' }] }))).toBe('E_TEAM');
    expect(code(run.start({ nodes: [spec('a', 'planner'), spec('A', 'planner')], edges: [] }))).toBe(
      'E_TEAM',
    );
    expect(run.events()).toEqual([]);
    expect(code(run.start())).toBe('ok');
    expect(code(run.start())).toBe('E_RUN_STARTED');
  });
});
