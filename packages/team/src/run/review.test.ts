import { describe, expect, it } from 'vitest';
import { spec, teamRun } from '../../test/team-run.js';
import { ARTIFACT_EVENT } from '../graph/material.js';
import { promptInput } from './facts.js';
import { turnWords } from './turn-words.js';

type Run = ReturnType<typeof teamRun>;
const HASH = `sha256:${'a'.repeat(64)}`;
const keep = (run: Run, hash: string, kind = 'diff') =>
  run.write({ type: ARTIFACT_EVENT, data: { hash, kind, bytes: 1 } } as never);
const words = (run: Run, alias: string, nativeTools = false): string =>
  turnWords(run.state(), run.node(alias).node.id, {
    config: { nativeTools: () => nativeTools },
    offersTools: true,
  })
    ?.full.map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n\n') ?? '';
const tools = (run: Run, alias: string, nativeTools = false) =>
  turnWords(run.state(), run.node(alias).node.id, {
    config: { nativeTools: () => nativeTools },
    offersTools: true,
  })?.tools.map(({ name }) => name) ?? [];

describe('what a turn has changed', () => {
  const begin = (): Run => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    run.says('lead', 'Go.', [['send_handoff', { to: 'dev', message: 'Build it.' }]]);
    run.answers('dev', 'Built.', [
      ['send_handoff', { to: 'lead', message: 'Done.' }],
      ['read_file', { path: 'a' }],
    ]);
    run.settle(run.effects('tool.call', 'dev')[0]?.id ?? '', { ok: true, output: 'text' });
    const output = {
      hash: HASH,
      artifact: HASH,
      files: ['src/a.ts', 'src/b.ts'],
      lines: { added: 9, removed: 2 },
    };
    run.settle(run.effects('diff.take', 'dev')[0]?.id ?? '', { ok: true, output });
    return run;
  };

  it('its node is told by reference', () => {
    const run = begin();
    expect(run.node('dev').work?.taken.results).toMatchObject([
      { kind: 'call' },
      { kind: 'call' },
      { kind: 'diff', ref: `artifact://${HASH}`, files: ['src/a.ts', 'src/b.ts'] },
    ]);
    expect(words(run, 'dev')).toContain(`TURN_DIFF\n- diffs:\n  - [2 files, +9 -2 lines] artifact://${HASH}`);
  });

  it('whoever gets its handoff is told with it, and one that leads also without', () => {
    const run = begin();
    const told = words(run, 'lead');
    expect(told).toMatch(
      /INCOMING_HANDOFF[\s\S]*\[turn 2, 2 files, \+9 -2 lines\] artifact:\/\/sha256:a+\n[\s\S]*\.\/src\/b\.ts[\s\S]*checks: there are none/,
    );
    expect(told).toMatch(/NODE_WORK\n- node: \S+\n- alias: dev\n- diffs:/);
  });

  it('and they can read it, whatever tools their provider has', () => {
    const run = begin();
    for (const nativeTools of [true, false]) {
      expect(tools(run, 'lead', nativeTools)).toEqual(
        expect.arrayContaining(['read_artifact', 'read_workspace', 'finish_run']),
      );
      expect(tools(run, 'dev', nativeTools)).toContain('read_artifact');
      expect(tools(run, 'dev', nativeTools)).not.toContain('read_workspace');
    }
    run.answers('lead', 'Look.', [
      ['read_artifact', { ref: `artifact://${HASH}` }],
      ['read_workspace', { node: 'dev', path: 'src/a.ts' }],
    ]);
    expect(run.effects('tool.call', 'lead')).toMatchObject([{ input: { tool: 'read_artifact' } }]);
  });

  it('nobody reads the folder of another who does not review', () => {
    const run = begin();
    run.answers('dev', 'x', [['read_workspace', { node: 'lead', path: 'a' }]]);
    run.diffs('dev');
    expect(run.results('dev')).toMatchObject([{ result: { status: 'refused' } }]);
  });
});

describe('a reference in a handoff', () => {
  const send = (run: Run, args: object) => {
    run.says('lead', '', [['send_handoff', { to: 'dev', message: 'x', ...args }]]);
    return run.results('lead').at(-1);
  };
  it.each([
    ['an artifact', { artifacts: [{ type: 'diff', ref: `artifact://${HASH}` }] }],
    ['a context pack', { contextRef: `contextpack://${HASH}` }],
    ['a context pack, spelled otherwise', { contextRef: `ContextPack://${HASH}` }],
    [
      'one of two',
      {
        artifacts: [
          { type: 'file', ref: 'src/a.ts' },
          { type: 'diff', ref: `artifact://${HASH}` },
        ],
      },
    ],
  ])('to %s is refused where the run has none, and sent where it has', (_name, args) => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    expect(send(run, args)).toMatchObject({
      result: { status: 'refused', text: expect.stringContaining('This run has nothing called') },
    });
    expect(run.node('dev').work).toBeNull();
    keep(run, HASH, 'contextpack');
    run.submit({ type: 'node.message', node: 'lead', text: 'again', by: 'ann' });
    expect(send(run, args)).toMatchObject({ result: { status: 'ok' } });
    expect(run.node('dev').work?.taken.inbox).toHaveLength(1);
  });

  it('to a file or an address is a word like others', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE' });
    const artifacts = [
      { type: 'file', ref: 'docs/plan.md' },
      { type: 'page', ref: 'https://example.org/artifact' },
    ];
    expect(send(run, { artifacts, contextRef: 'the plan' })).toMatchObject({ result: { status: 'ok' } });
  });

  it('is told with its text', () => {
    const run = teamRun();
    run.start({ mode: 'INTERACTIVE', nodes: [spec('lead', 'orchestrator'), spec('dev', 'implementer')] });
    keep(run, HASH);
    send(run, { artifacts: [{ type: 'diff', ref: `artifact://${HASH}` }] });
    const materials = [{ hash: HASH, kind: 'diff', text: '+ a line', chars: 900 }];
    const input = promptInput(run.state(), run.node('dev').node.id, { nativeTools: () => false }, materials);
    expect(input?.task.materials).toEqual(materials);
    const words = turnWords(run.state(), run.node('dev').node.id, {
      ...{ config: { nativeTools: () => false }, offersTools: false, materials },
    });
    const task =
      words?.full
        .find(({ name }) => name === 'task')
        ?.pieces.map(({ text }) => text)
        .join('') ?? '';
    expect(task).toContain(
      `ARTIFACT_TEXT\n- ref: artifact://${HASH}\n- kind: diff\n- told: 8 of 900 characters`,
    );
    expect(task).toContain('+ a line');
  });
});
