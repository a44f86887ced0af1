import { describe, expect, it } from 'vitest';
import { teamRun } from '../../test/team-run.js';

type Run = ReturnType<typeof teamRun>;
const by = 'ann';
const FINISH = ['finish_run', { ok: true, summary: 'fine' }] as const;
const HANDOFF = ['send_handoff', { to: 'lead', message: 'Done.' }] as const;
const tell = (run: Run, node: string) => run.submit({ type: 'node.message', node, text: 'go', by });
const check = (run: Run, failure: string | null, alias?: string) =>
  run.settle(run.effects('verify.run', alias)[0]?.id ?? '', { ok: true, output: { failure } });
const status = (run: Run) => run.state().status;
const code = (decision: { readonly ok: boolean; readonly error?: { readonly code: string } }) =>
  decision.ok ? 'ok' : decision.error?.code;

const begin = (more: object = {}): Run => {
  const run = teamRun();
  run.start({ verify: ['npm test'], mode: 'INTERACTIVE', ...more });
  run.says('lead', 'Go.', [['send_handoff', { to: 'dev', message: 'Build it.' }]]);
  return run;
};

describe('a handoff', () => {
  it('is delivered when the diff is taken and the checks have run, and tells what they say', () => {
    const run = begin();
    run.answers('dev', 'Built.', [HANDOFF]);
    expect(run.turn('lead')).toBeUndefined();
    const [diff] = run.effects('diff.take', 'dev');
    const output = {
      hash: 'sha256:1',
      artifact: 'sha256:1',
      files: ['src/a.ts'],
      lines: { added: 3, removed: 1 },
    };
    run.settle(diff?.id ?? '', { ok: true, output });
    expect(run.turn('lead')).toBeUndefined();
    expect(run.node('lead').inbox).toEqual([]);
    check(run, 'FAIL a.test.ts');
    expect(run.node('lead').work?.taken.inbox).toMatchObject([
      {
        payload: { message: 'Done.' },
        work: {
          checks: 'failed',
          failure: 'FAIL a.test.ts',
          diffs: [{ ref: 'artifact://sha256:1', files: ['src/a.ts'], lines: { added: 3, removed: 1 } }],
        },
      },
    ]);
  });

  it('tells of changes of earlier turns that its receiver has not heard of, once', () => {
    const run = begin({ verify: [] });
    const change = (hash: string, calls: readonly (typeof HANDOFF)[] = []) => {
      run.answers('dev', hash, calls);
      const output = { hash, artifact: hash, files: [`src/${hash}.ts`] };
      run.settle(run.effects('diff.take', 'dev')[0]?.id ?? '', { ok: true, output });
    };
    change('one');
    tell(run, 'dev');
    change('two', [HANDOFF]);
    const inbox = () => run.node('lead').work?.taken.inbox ?? [];
    expect(inbox()[0]?.work?.diffs.map(({ ref }) => ref)).toEqual(['artifact://one', 'artifact://two']);
    run.says('lead', 'More.', [['send_handoff', { to: 'dev', message: 'More.' }]]);
    change('three', [HANDOFF]);
    expect(inbox()[0]?.work?.diffs.map(({ ref }) => ref)).toEqual(['artifact://three']);
  });
});

describe('a run is done', () => {
  it('only when the check of the last change has run, and says what it waited for', () => {
    const run = begin();
    run.answers('dev', 'Built.');
    tell(run, 'lead');
    run.answers('lead', 'All there.', [FINISH]);
    run.diffs('lead');
    expect(run.results('lead')).toMatchObject([{ tool: 'finish_run', result: { status: 'ok' } }]);
    run.diffs('dev', ['src/a.ts']);
    expect(status(run)).toBe('running');
    check(run, null);
    const [lead, dev] = [run.node('lead').node.id, run.node('dev').node.id];
    expect(run.state()).toMatchObject({
      status: 'completed',
      result: {
        waited: [
          { node: lead, what: ['diff', 'checks'] },
          { node: dev, what: ['diff', 'checks'] },
        ],
      },
    });
  });

  it('not when that check fails: whoever finished it is told, and the run goes on', () => {
    const run = begin();
    run.answers('dev', 'Built.');
    tell(run, 'lead');
    run.answers('lead', 'All there.', [FINISH]);
    run.diffs('lead');
    run.diffs('dev', ['src/a.ts']);
    check(run, 'FAIL');
    expect(status(run)).toBe('running');
    expect(run.state().finishing).toBeNull();
    expect(run.node('lead').work?.taken.results).toMatchObject([
      { tool: 'finish_run' },
      { kind: 'unfinished', why: expect.stringContaining('FAIL') },
    ]);
    run.answers('lead', 'Again.', [FINISH]);
    run.diffs('lead');
    expect(run.results('lead')).toMatchObject([
      { result: { status: 'refused', text: expect.stringContaining('The checks fail') } },
    ]);
    expect(code(run.submit({ type: 'run.finish', ok: true, summary: 'x', by }))).toBe('E_RUN_UNCHECKED');
    run.submit({ type: 'node.reset', node: 'dev', by });
    expect(code(run.submit({ type: 'run.finish', ok: true, summary: 'x', by }))).toBe('E_RUN_UNCHECKED');
    expect(code(run.submit({ type: 'run.finish', ok: false, summary: 'x', by }))).toBe('ok');
    expect(run.state()).toMatchObject({ status: 'failed', result: { failing: [run.node('dev').node.id] } });
  });

  it.each([
    ['failed', { end: { reason: 'error', code: 'E_X', message: 'x' } }],
    ['was interrupted', { end: { reason: 'aborted' } }],
  ] as const)('only when changes of a turn that %s are checked', (_name, more) => {
    const run = begin();
    run.answers('dev', 'Half.', [], more);
    run.diffs('dev', ['src/a.ts']);
    expect(run.effects('verify.run')).toEqual([]);
    run.submit({ type: 'run.finish', ok: true, summary: 'x', by });
    expect(status(run)).toBe('running');
    check(run, null);
    expect(status(run)).toBe('completed');
  });

  it('not while nobody knows what a turn has changed', () => {
    const run = begin();
    run.answers('dev', 'x');
    run.settle(run.effects('diff.take', 'dev')[0]?.id ?? '', {
      ok: false,
      error: { code: 'E_GIT', message: 'git died' },
    });
    expect(code(run.submit({ type: 'run.finish', ok: true, summary: 'x', by }))).toBe('E_RUN_UNCHECKED');
    run.submit({ type: 'node.resume', node: 'dev', by });
    run.answers('dev', 'y');
    run.diffs('dev');
    // What was not looked at is checked with the next turn that goes well.
    check(run, null);
    run.submit({ type: 'run.finish', ok: true, summary: 'x', by });
    expect(status(run)).toBe('completed');
  });

  it('not when a person writes meanwhile', () => {
    const run = begin();
    run.answers('dev', 'Built.');
    run.submit({ type: 'run.finish', ok: true, summary: 'x', by });
    tell(run, 'lead');
    expect(run.turn('lead')).toBeUndefined();
    run.diffs('dev');
    expect(status(run)).toBe('running');
    expect(run.turn('lead')).toBeDefined();
  });

  it('by the word of the orchestrator that nobody spawned alone', () => {
    const run = teamRun();
    run.start();
    run.says('lead', '', [
      [
        'spawn_node',
        { label: 'Part', alias: 'part', roleTemplate: 'orchestrator', instructions: 'Lead this.' },
      ],
    ]);
    expect(run.node('part').node.orchestrator).toBe(true);
    run.says('part', 'Done.', [FINISH]);
    expect(status(run)).toBe('running');
    expect(run.results('part')).toMatchObject([
      { result: { status: 'refused', text: expect.stringMatching(/no other node spawned.*send_handoff/) } },
    ]);
  });
});
