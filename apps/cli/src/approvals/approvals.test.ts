import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '@cuebook/yaml';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { ask, asking, env, TARGET } from '../../test/asking.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const SIZE = {
  type: 'selection',
  message: 'How large?',
  options: [{ value: 'small' }, { value: 'very large' }],
};

const REFUSED: readonly (readonly [args: readonly string[], says: string])[] = [
  [['answer', 'ID', 'huge'], '"huge" is none of the options: small, very large'],
  [['allow', 'ID', '--grant'], 'leave --grant out'],
  [['change', 'ID', '--with', '{}'], 'change is for teams'],
  [['allow', 'ID', 'yes'], 'allow takes one id'],
  [['answer'], 'Name what to answer'],
  [['answer', 'apr_zzz', 'yes'], 'E_APPROVAL_UNKNOWN'],
  [['answr', 'ID'], 'Did you mean answer?'],
];

describe('a question of a workflow', () => {
  it('is listed in its own words, shown whole, and answered; the run goes on until it waits again', async () => {
    const { call, waits, id, run, first } = await asking([ask(SIZE)]);
    expect(first).toEqual({
      run,
      kind: 'workflow',
      target: TARGET,
      for: 'question',
      id: expect.stringMatching(/^apr_/),
      node: null,
      alias: null,
      about: expect.stringMatching(/^call_/),
      tool: 'ui.ask_user',
      input: { widgetId: 'q', ...SIZE },
      reason: null,
      askedAt: expect.any(Number),
      expiresAt: null,
      answers: ['small', 'very large'],
      command: `cuebook approvals answer ${id} small`,
      status: 'waiting',
      by: null,
    });
    expect((await call('approvals')).stdout).toBe(
      `${id}  ${run}  workflow  workflows/request  asks: How large?\n`,
    );
    expect((await call('approvals', 'show', id.slice(0, 9))).stdout).toBe(
      [
        `? workflow workflows/request asks  ${run}`,
        '  How large?',
        '  - small',
        '  - very large',
        '  Answer with one of small, very large',
        `  cuebook approvals answer ${id} small\n`,
      ].join('\n'),
    );
    const went = await call('approvals', 'answer', id, 'very', 'large');
    expect(went).toMatchObject({ code: 1, stdout: 'Thanks.\n' });
    expect(went.stderr).toContain(`Answered ${id}\n`);
    expect(went.stderr).toContain(`--script ask.json --run ${run} --input TEXT`);
    expect(await waits()).toMatchObject([{ for: 'input', id: run, reason: 'Thanks.', answers: ['TEXT'] }]);
    expect(await call('approvals', 'answer', id, 'small')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('E_APPROVAL_UNKNOWN'),
    });
    expect((await call('verify', run)).code).toBe(0);
  });

  it('refuses what does not fit, says what does, and waits on', async () => {
    const { call, waits, id } = await asking([ask(SIZE)]);
    for (const [args, says] of REFUSED) {
      const refused = await call('approvals', ...args.map((word) => (word === 'ID' ? id : word)));
      expect([args, refused.code, refused.stderr]).toEqual([args, 2, expect.stringContaining(says)]);
    }
    expect(await waits()).toHaveLength(1);
  });

  it('is answered by the name of its run, and a word goes on with a run that waits for one', async () => {
    const { call, waits, run } = await asking([
      ask({ type: 'confirmation', message: 'Go?' }),
      { text: 'When?' },
    ]);
    expect((await call('approvals', 'answer', run, 'yes')).stdout).toBe('When?\n');
    expect((await call('approvals')).stdout).toBe(
      `${run}  workflow  workflows/request  waits for a word: When?\n`,
    );
    expect(await call('approvals', 'answer', run)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The agent waits for a word'),
    });
    const went = await call('approvals', 'answer', run, 'At', 'nine.', '--json');
    expect(JSON.parse(went.stdout)).toMatchObject({ run, status: 'waiting', text: 'Thanks.' });
    expect(await waits()).toMatchObject([{ reason: 'Thanks.' }]);
  });

  it('shows why a call was refused, in a short line', async () => {
    const { call } = await asking([ask({ type: 'confirmation', question: `Go on? ${'x'.repeat(1_000)}` })]);
    const { stderr } = await call('run', TARGET, '--script', 'ask.json');
    expect(stderr).toMatch(/^✗ ui\.ask_user failed: E_INVALID_ARGS Bad arguments: message: .*$/m);
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(300);
  });
});

describe('an approval of a workflow', () => {
  const patch = (update: object) => ({
    toolCalls: [
      {
        name: 'fs.apply_patch',
        args: { path: '@state/workflow.md', patch: { operation: 'updateFrontmatter', update } },
      },
    ],
  });

  it.each([
    ['allow', 'a: 1', 1],
    ['deny', 'a: 1', 0],
  ])('%s is its answer', async (action, text, times) => {
    const read = readYaml('rehearsal.yaml', WORKFLOW_TEMPLATE['rehearsal.yaml'] ?? '', 'E_SCRIPT');
    const rehearsal = (read.ok ? read.value.value : {}) as { lanes: Record<string, object[]> };
    const steps = [
      ...(rehearsal.lanes['*'] ?? []),
      patch({ variables: { set: { a: 1 } } }),
      { text: 'Said.' },
    ];
    const cwd = folderWith({ ...WORKFLOW_TEMPLATE, 'more.json': JSON.stringify({ lanes: { '*': steps } }) });
    const call = (...args: readonly string[]) => cuebook(args, { cwd, env });
    const first = await call('run', TARGET, '--script', 'more.json', '--json');
    const { run, status } = JSON.parse(first.stdout) as { run: string; status: string };
    expect(status).toBe('done');
    expect((await call('approvals')).stdout).toBe('Nothing waits for you.\n');
    await call('run', TARGET, '--script', 'more.json', '--run', run, '--input', 'Change a.');
    const listed = await call('approvals');
    expect(listed.stdout).toMatch(
      /^apr_\w+ {2}run_\w+ {2}workflow {2}workflows\/request {2}wants to: fs\.apply_patch/,
    );
    const shown = await call('approvals', 'show', run);
    expect(shown.stdout).toContain(
      'The workflow is complete: each change of its state needs a confirmation.',
    );
    expect(shown.stdout).toMatch(/cuebook approvals allow apr_\w+\n {2}cuebook approvals deny apr_\w+\n$/);
    const answered = await call('approvals', action, run);
    expect(answered.stdout).toBe('Said.\n');
    const state = readFileSync(join(cwd, '.cuebook/workflows', run, 'workflow.md'), 'utf8');
    expect(state.split(text)).toHaveLength(times + 1);
  });
});
