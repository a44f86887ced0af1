import { describe, expect, it } from 'vitest';
import { spec, teamRun } from '../../test/team-run.js';
import { isQuiet, nodeStatus } from './status.js';

type Run = ReturnType<typeof teamRun>;
const three = ['a', 'b', 'c'].map((alias) => spec(alias, 'implementer'));
const tell = (run: Run, node: string, text = 'go', interrupt = false) =>
  run.submit({ type: 'node.message', node, text, by: 'ann', interrupt });
const inFlight = (run: Run) => ['a', 'b', 'c'].filter((alias) => run.turn(alias));
const code = (decision: ReturnType<Run['submit']>) => (decision.ok ? 'ok' : decision.error.code);

describe('who is asked', () => {
  it('a run begins with the orchestrator, or with the first node when there is none', () => {
    const led = teamRun();
    led.start();
    expect([led.turn('lead') !== undefined, led.turn('dev') !== undefined]).toEqual([true, false]);
    const plain = teamRun();
    plain.start({ nodes: three, edges: [] });
    expect(inFlight(plain)).toEqual(['a']);
  });

  it('in AUTO the orchestrator is asked again when nobody else has anything to do', () => {
    const run = teamRun();
    run.start();
    run.says('lead', 'one');
    expect(run.node('lead').work?.cause).toBe('auto');
    run.says('lead', 'two', [['send_handoff', { to: 'dev', message: 'go' }]]);
    expect([run.turn('lead'), run.turn('dev') !== undefined]).toEqual([undefined, true]);
    run.says('dev', 'done');
    expect(run.node('lead').work?.cause).toBe('auto');
  });

  it('in INTERACTIVE it is not, and the others still read their inbox', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', 'x', [['send_handoff', { to: 'dev', message: 'go' }]]);
    run.says('dev', 'done');
    expect(run.open()).toEqual([]);
    expect(isQuiet(run.state())).toBe(true);
  });

  it('results that need an answer bring the next turn by themselves, acknowledgements do not', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.answers('lead', 'x', [['read_file', { path: 'a.md' }]]);
    run.settle(run.effects('tool.call')[0]?.id ?? '', { ok: true, output: 'the text' });
    run.diffs();
    expect(run.node('lead').work?.cause).toBe('results');
    expect(run.results('lead')).toMatchObject([
      { tool: 'read_file', result: { status: 'ok', text: 'the text' } },
    ]);
    run.says('lead', 'y', [['send_handoff', { to: 'dev', message: 'go' }]]);
    expect(run.turn('lead')).toBeUndefined();
    expect(run.results('lead')).toHaveLength(1);
  });

  it('a near miss comes back with the next turn', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    const note = {
      rule: 'params',
      line: 1,
      block: 0,
      message: 'Use args, not params.',
      sample: '{',
    } as const;
    run.answers('lead', 'x', [], { notes: [note] });
    run.diffs();
    expect(run.node('lead').work?.taken.results).toEqual([{ kind: 'note', note }]);
  });
});

describe('limits', () => {
  it('nodes work side by side, as many as the run allows', () => {
    const run = teamRun();
    run.start({ nodes: three, edges: [], mode: 'INTERACTIVE', goal: null, limits: { parallel: 2 } });
    for (const alias of ['a', 'b', 'c']) tell(run, alias);
    expect(inFlight(run)).toEqual(['a', 'b']);
    run.says('a', 'done');
    expect(inFlight(run)).toEqual(['b', 'c']);
  });

  it('and as many as their provider allows', () => {
    const run = teamRun();
    const nodes = [spec('a', 'planner'), spec('b', 'planner'), spec('c', 'planner', { provider: 'claude' })];
    run.start({ nodes, edges: [], mode: 'INTERACTIVE', goal: null, limits: { perProvider: { line: 1 } } });
    for (const alias of ['a', 'b', 'c']) tell(run, alias);
    expect(inFlight(run)).toEqual(['a', 'c']);
  });

  it('whoever shares a folder and may write takes turns, until the diff is taken', () => {
    const run = teamRun();
    const readOnly = { ...spec('c', 'planner').capabilities, delegateOnly: true };
    const nodes = [
      spec('a', 'planner', { workspace: 'shared' }),
      spec('b', 'planner', { workspace: 'shared' }),
      spec('c', 'planner', { workspace: 'shared', capabilities: readOnly }),
    ];
    run.start({ nodes, edges: [], mode: 'INTERACTIVE', goal: null });
    for (const alias of ['a', 'b', 'c']) tell(run, alias);
    expect(inFlight(run)).toEqual(['a', 'c']);
    run.answers('a', 'done');
    expect(run.turn('b')).toBeUndefined();
    run.diffs('a');
    expect(run.turn('b')).toBeDefined();
    run.answers('c', 'done');
    expect(run.effects('diff.take', 'c')).toEqual([]);
  });

  it('programs that act by themselves and may not write work side by side in a shared folder, watched, and beside no writer', () => {
    const run = teamRun({ acts: () => true });
    const readOnly = { ...spec('c', 'planner').capabilities, delegateOnly: true };
    const nodes = [
      spec('a', 'planner', { workspace: 'shared', capabilities: readOnly }),
      spec('b', 'planner', { workspace: 'shared', capabilities: readOnly }),
      spec('c', 'planner', { workspace: 'shared' }),
    ];
    run.start({ nodes, edges: [], mode: 'INTERACTIVE', goal: null });
    for (const alias of ['a', 'b', 'c']) tell(run, alias);
    expect(inFlight(run)).toEqual(['a', 'b']);
    for (const alias of ['a', 'b']) {
      run.answers(alias, 'done');
      expect(run.effects('diff.take', alias)).toHaveLength(1);
      expect(run.turn('c')).toBeUndefined();
      run.diffs(alias);
    }
    expect(run.turn('c')).toBeDefined();
  });

  it('one node that fails does not hold up the others, and gives back what it had taken', () => {
    const run = teamRun();
    run.start({ nodes: three, edges: [], mode: 'INTERACTIVE', goal: null });
    for (const alias of ['a', 'b']) tell(run, alias);
    run.settle(run.turn('a')?.id ?? '', {
      ok: false,
      error: { code: 'E_EFFECT_TIMEOUT', message: 'too long' },
    });
    run.diffs('a');
    expect(nodeStatus(run.node('a'))).toBe('failed');
    expect(run.node('a').messages.map(({ text }) => text)).toEqual(['go']);
    run.says('b', 'done');
    expect(run.turn('a')).toBeUndefined();
    run.submit({ type: 'node.resume', node: 'a', by: 'ann' });
    expect(run.node('a').work).toMatchObject({
      kind: { kind: 'full', why: 'failed' },
      taken: { messages: [{ text: 'go' }] },
    });
  });

  it('the budget is looked at before each turn, and raising it goes on', () => {
    const run = teamRun();
    run.start({ nodes: three, edges: [], mode: 'INTERACTIVE', goal: null, budget: { turns: 2 } });
    for (const alias of ['a', 'b', 'c']) tell(run, alias);
    expect(inFlight(run)).toEqual(['a', 'b']);
    expect(run.state().status).toBe('running');
    run.says('a', 'x');
    run.says('b', 'x');
    expect(run.state().pause).toMatchObject({
      kind: 'budget',
      exhausted: { unit: 'turns', limit: 2, spent: 2 },
    });
    expect(code(run.submit({ type: 'run.resume', by: 'ann' }))).toBe('E_BUDGET_EXHAUSTED');
    run.submit({ type: 'budget.raise', scope: 'run', to: { turns: 3 }, by: 'ann' });
    expect(
      code(
        run.submit({
          type: 'budget.raise',
          scope: `node/${run.node('c').node.id}`,
          to: { turns: 3 },
          by: 'ann',
        }),
      ),
    ).toBe('ok');
    expect(inFlight(run)).toEqual(['c']);
  });

  it('a budget of a node holds that node alone', () => {
    const run = teamRun();
    run.start({
      nodes: [spec('a', 'planner', { budget: { turns: 1 } }), spec('b', 'planner')],
      edges: [],
      mode: 'INTERACTIVE',
      goal: null,
    });
    tell(run, 'a');
    run.says('a', 'x');
    tell(run, 'a');
    expect(run.node('a').hold).toMatchObject({ kind: 'budget' });
    tell(run, 'b');
    expect(run.turn('b')).toBeDefined();
  });
});
