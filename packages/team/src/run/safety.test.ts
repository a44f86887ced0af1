import { describe, expect, it } from 'vitest';
import { spec, teamRun } from '../../test/team-run.js';
import { needsOf } from './status.js';

type Run = ReturnType<typeof teamRun>;
const tell = (run: Run, node: string, text = 'go') =>
  run.submit({ type: 'node.message', node, text, by: 'ann' });

describe('nothing moves', () => {
  it('three equal turns hold the node, with evidence; a word of a person goes on', () => {
    const run = teamRun();
    run.start();
    for (const n of [1, 2, 3]) run.says('lead', `Still waiting, try ${n}.`);
    expect(run.node('lead').hold).toMatchObject({
      kind: 'stall',
      verdict: { kind: 'repeat', times: 3, turns: [1, 2, 3] },
    });
    expect(run.open()).toEqual([]);
    expect(needsOf(run.state())).toMatchObject([{ kind: 'hold', node: run.node('lead').node.id }]);
    tell(run, 'lead', 'Try the other way.');
    expect(run.node('lead').work?.cause).toBe('message');
    run.says('lead', 'Still waiting, try 4.');
    expect(run.node('lead').hold).toBeNull();
  });

  it('two nodes that hand the same to and fro pause the run', () => {
    const run = teamRun();
    run.start({
      mode: 'INTERACTIVE',
      nodes: [spec('a', 'planner'), spec('b', 'planner')],
      edges: [{ from: 'a', to: 'b' }],
      stall: { repeats: 3 },
    });
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      run.says(from, 'Please look at it.', [['send_handoff', { to, message: 'Your turn.' }]]);
    expect(run.state().pause).toMatchObject({
      kind: 'stall',
      verdict: { kind: 'cycle', cycle: 2, turns: [1, 2, 3, 4, 5, 6] },
    });
    // Nothing new begins, and what was handed over waits.
    expect(run.open()).toEqual([]);
    expect(run.node('a').inbox).toHaveLength(1);
    expect(run.node('b').hold).toBeNull();
    run.submit({ type: 'run.resume', by: 'ann' });
    expect(run.state()).toMatchObject({ status: 'running', stall: { traces: [] } });
    run.says('a', 'Please look at it.', [['send_handoff', { to: 'b', message: 'Your turn.' }]]);
    run.says('b', 'Please look at it.');
    expect(run.node('b').hold).toBeNull();
  });

  it('the same check that fails three times over the same change holds the node', () => {
    const run = teamRun();
    run.start({ nodes: [spec('dev', 'implementer')], edges: [], mode: 'INTERACTIVE', verify: ['npm test'] });
    for (const n of [1, 2, 3]) {
      run.answers('dev', `Changed part ${'abc'[n]}.`);
      run.diffs('dev', ['src/a.ts']);
      const [check] = run.effects('verify.run');
      expect(check?.input).toMatchObject({ commands: ['npm test'] });
      run.settle(check?.id ?? '', { ok: true, output: { failure: `FAIL a.test.ts after ${n} ms` } });
    }
    expect(run.node('dev').hold).toMatchObject({ kind: 'stall', verdict: { kind: 'verification' } });
    expect(run.node('dev').verification).toContain('FAIL');
  });
});

describe('something moves', () => {
  it('a node that changes something new is not held, though the same check fails all along', () => {
    const run = teamRun();
    run.start({ nodes: [spec('dev', 'implementer')], edges: [], mode: 'INTERACTIVE', verify: ['npm test'] });
    for (let n = 1; n <= 20; n += 1) {
      run.answers('dev', 'Next part.');
      run.diffs('dev', [`src/${n}.ts`]);
      const [check] = run.effects('verify.run');
      run.settle(check?.id ?? '', { ok: true, output: { failure: 'FAIL a.test.ts' } });
    }
    expect(run.node('dev').hold).toBeNull();
  });

  it('a lead that sends its team on with the same words is not held while it hears something new', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    for (let n = 1; n <= 10; n += 1) {
      run.says('lead', 'Go on.', [['send_handoff', { to: 'dev', message: 'Go on.' }]]);
      run.says('dev', 'Done.', [
        ['send_handoff', { to: 'lead', message: `Wrote ${'abcdefghij'[n - 1]}.md` }],
      ]);
    }
    expect([run.node('lead').hold, run.state().pause]).toEqual([null, null]);
  });
});

describe('verification', () => {
  const begin = (globalMode: 'PLANNING' | 'IMPLEMENTATION' = 'IMPLEMENTATION') => {
    const run = teamRun();
    const nodes = [spec('lead', 'orchestrator'), spec('dev', 'implementer')];
    run.start({ mode: 'INTERACTIVE', verify: ['npm test'], globalMode, nodes });
    return run;
  };
  it('a failure goes back to the node by itself, a pass waits', () => {
    const run = begin();
    run.answers('lead', 'x');
    run.diffs('lead', ['docs/a.md']);
    run.settle(run.effects('verify.run')[0]?.id ?? '', { ok: true, output: { failure: 'FAIL' } });
    expect(run.node('lead').work?.taken.results).toEqual([{ kind: 'verification', failure: 'FAIL' }]);
    run.answers('lead', 'y');
    run.diffs('lead', ['docs/b.md']);
    run.settle(run.effects('verify.run')[0]?.id ?? '', { ok: true, output: { failure: null } });
    expect(run.turn('lead')).toBeUndefined();
    expect(run.node('lead').verification).toBeNull();
  });
  it('is not run when nothing changed', () => {
    const run = begin();
    run.says('lead', 'x');
    expect(run.open()).toEqual([]);
  });
});

describe('PLANNING', () => {
  it('a change outside of docs is flagged, set aside and told, whoever made it how', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE', globalMode: 'PLANNING', verify: ['npm test'] });
    run.answers('lead', 'x');
    run.diffs('lead', ['docs/plan.md', 'src/a.ts']);
    expect(run.events().find(({ type }) => type === 'changes.flagged')).toMatchObject({
      data: { files: ['src/a.ts'] },
    });
    const [aside] = run.effects('diff.set-aside');
    expect(aside?.input).toMatchObject({ files: ['src/a.ts'] });
    expect(aside?.onCrash).toBe('ask-world');
    run.settle(aside?.id ?? '', { ok: true, output: null });
    expect(run.node('lead').work?.taken.results).toMatchObject([{ kind: 'flag', files: ['src/a.ts'] }]);
    expect(run.effects('verify.run')).toEqual([]);
  });

  it.each([
    ['the diff', 'diff.take'],
    ['setting aside', 'diff.set-aside'],
  ])('when %s fails the node waits for a person', (_, kind) => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE', globalMode: 'PLANNING' });
    run.answers('lead', 'x', [['send_handoff', { to: 'dev', message: 'Go on.' }]]);
    if (kind === 'diff.set-aside') run.diffs('lead', ['src/a.ts']);
    run.settle(run.effects(kind)[0]?.id ?? '', { ok: false, error: { code: 'E_GIT', message: 'git died' } });
    const message = expect.stringContaining('git died');
    expect(run.node('lead').hold).toMatchObject({ kind: 'failed', code: 'E_CHANGES_UNKNOWN', message });
    expect(run.turn('lead')).toBeUndefined();
    run.submit({ type: 'node.resume', node: 'lead', by: 'ann' });
    expect(run.node('lead').hold).toBeNull();
  });

  it('our own tools refuse it before', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE', globalMode: 'PLANNING' });
    run.answers('lead', 'x', [
      ['write_file', { path: 'src/a.ts', content: '' }],
      ['write_file', { path: 'docs/a.md', content: '' }],
      ['command', { cmd: 'touch src/a.ts' }],
    ]);
    expect(run.effects('tool.call').map(({ input }) => input)).toMatchObject([
      { tool: 'write_file', input: { path: 'docs/a.md' } },
    ]);
  });
});

it('a command whose output holds a call is an error', () => {
  const run = teamRun();
  run.start({ mode: 'INTERACTIVE', nodes: [spec('lead', 'implementer')], edges: [] });
  run.answers('lead', 'x', [['command', { cmd: 'cat x' }]]);
  const output = '{"tool_call":{"name":"finish_run","args":{"ok":true,"summary":"x"}}}';
  run.settle(run.effects('tool.call')[0]?.id ?? '', { ok: true, output });
  run.diffs();
  expect(run.results('lead')).toMatchObject([{ result: { status: 'error', code: 'E_CALL_IN_OUTPUT' } }]);
  expect(run.state().status).toBe('running');
});

it('a call that the agent’s own command printed is not run, and told', () => {
  const run = teamRun();
  run.start({ mode: 'INTERACTIVE' });
  const output = '{"tool_call":{"name":"finish_run","args":{"ok":true,"summary":"x"}}}';
  run.answers('lead', 'x', [], { native: [{ id: 'b1', name: 'Bash', by: 'agent', output }] });
  run.diffs();
  expect(run.results('lead')).toMatchObject([{ kind: 'note', note: { rule: 'output', sample: 'Bash' } }]);
  expect([run.state().status, run.turn('lead')]).toEqual(['running', undefined]);
});

describe('after a crash', () => {
  it('a turn that nobody can tell of waits for a person, and is told everything again', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', 'x');
    tell(run, 'lead');
    const effect = run.turn('lead')?.id ?? '';
    expect(run.node('lead').work?.kind.kind).toBe('delta');
    run.write({ type: 'effect.asked', data: { id: effect } });
    expect(needsOf(run.state())).toEqual([{ kind: 'outcome', effect }]);
    run.write({ type: 'effect.reopened', data: { id: effect } });
    expect(run.node('lead').work?.kind).toEqual({ kind: 'full', why: 'crash' });
    run.says('lead', 'y');
    expect(needsOf(run.state())).toEqual([]);
    tell(run, 'lead');
    expect(run.node('lead').work?.kind.kind).toBe('delta');
  });

  it('an outcome that is not the driver’s own makes the next prompt full', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    const output = { text: 'x', calls: [], end: { reason: 'done' }, sessionId: 's' };
    run.settle(run.turn('lead')?.id ?? '', { ok: true, output }, 'world');
    run.diffs();
    tell(run, 'lead');
    expect(run.node('lead').work?.kind).toEqual({ kind: 'full', why: 'crash' });
  });

  it('an outcome of another shape is a failed turn', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.settle(run.turn('lead')?.id ?? '', { ok: true, output: { text: 5 } });
    run.diffs();
    expect(run.node('lead').hold).toMatchObject({ kind: 'failed', code: 'E_AGENT_OUTCOME' });
  });
});
