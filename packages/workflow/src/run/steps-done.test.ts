import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { GRAPH } from '../../test/fixture.js';
import { calls, move, patch, RUN, runDesk, WHOLE, write } from '../../test/run-desk.js';

type Desk = Awaited<ReturnType<typeof runDesk>>;

interface Told {
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: object };
}

/** The results of all calls, in order, as the model is told them at the end. */
const resultsOf = (desk: Desk): readonly Told[] =>
  (desk.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content) as Told);

const WALK = [
  move('step-01-intake', 'decide-02-project-type'),
  move('decide-02-project-type', 'step-03a-greenfield'),
  move('step-03a-greenfield', 'end-99'),
  move('end-99'),
];

describe('a step is done when it was told and its outputs are there', () => {
  itInTurn('four patches in one answer finish one step', async () => {
    const steps = [calls(write('@project/artifacts/intake.md', 'x'), ...WALK), { text: 'All is done.' }];
    const desk = await runDesk({ steps });
    const run = await desk.open();
    await run.play('Go.');
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
    expect(desk.inState('workflow.md')).toContain('currentNodeId: decide-02-project-type');
    const [, first, second] = resultsOf(desk);
    expect(first).toMatchObject({ ok: true });
    expect(second?.error).toMatchObject({
      code: 'E_STEP_NOT_DONE',
      details: { step: 'decide-02-project-type', why: 'not-told' },
    });
  });

  it.each([
    ['missing', {}],
    ['empty', { 'artifacts/intake.md': '' }],
    ['white space', { 'artifacts/intake.md': ' \n\ufeff\t\n' }],
    ['characters that no font shows', { 'artifacts/intake.md': '\u200c\u2060\u00ad\u3164\u2800\n' }],
  ])(
    'a step whose output is missing or empty is not done, and the agent is told which: %s',
    async (_, project) => {
      const desk = await runDesk({ project, steps: [calls(WALK[0] ?? ['', {}]), { text: 'Hm.' }] });
      await (await desk.open()).play('Go.');
      const { error } = resultsOf(desk)[0] ?? {};
      expect(error).toMatchObject({ code: 'E_STEP_NOT_DONE', details: { outputs: ['artifacts/intake.md'] } });
      expect(error?.message).toContain('@project/artifacts/intake.md');
      expect(desk.inState('workflow.md')).toContain('currentNodeId: step-01-intake');
    },
  );

  it.each([
    ['a file', 'docs/plan.md', 'docs/plan.md', true],
    ['a folder with a file', 'docs/parts', 'docs/parts/a/b.md', true],
    ['a folder with an empty file', 'docs/parts', 'docs/parts/', false],
    ['any name', 'docs/*.md', 'docs/x.md', true],
    ['another ending', 'docs/*.md', 'docs/x.txt', false],
    ['a name in braces', '{folder}/prd-{{name}}.md', 'docs/prd-shop.md', true],
    ['a name in braces, not there', 'docs/prd-{{name}}.md', 'docs/plan.md', false],
    ['signs of patterns, taken as they are', 'docs/a+(b)[c].md', 'docs/a+(b)[c].md', true],
  ])('an output may be declared as %s', async (_, declared, there, isDone) => {
    const nodes = GRAPH.nodes.map((node, at) => (at === 0 ? { ...node, outputs: [declared] } : node));
    const project = there.endsWith('/') ? { [`${there}a.md`]: '' } : { [there]: 'x' };
    const desk = await runDesk({
      parts: { graph: { ...GRAPH, nodes } },
      project,
      steps: [calls(WALK[0] ?? ['', {}]), { text: 'Hm.' }],
    });
    await (await desk.open()).play('Go.');
    expect(resultsOf(desk)[0]).toMatchObject({ ok: isDone });
  });

  it('a step cannot be left without its outputs, completed or not', async () => {
    const leave = patch({ currentNodeId: { set: 'decide-02-project-type' } });
    const desk = await runDesk({ steps: [calls(leave), { text: 'Hm.' }] });
    await (await desk.open()).play('Go.');
    expect(resultsOf(desk)[0]?.error?.code).toBe('E_STEP_NOT_DONE');
  });

  it('a whole new state file obeys the same rule', async () => {
    const state = `---
schemaVersion: "1.1"
workflowType: hb
currentNodeId: decide-02-project-type
stepsCompleted: [step-01-intake]
---
`;
    const desk = await runDesk({ steps: [calls(write('@state/workflow.md', state)), { text: 'Hm.' }] });
    await (await desk.open()).play('Go.');
    expect(resultsOf(desk)[0]?.error?.code).toBe('E_STEP_NOT_DONE');
  });

  it('what the state holds is on record with each turn before which it changed, however it was written', async () => {
    const state = `---
schemaVersion: "1.1"
workflowType: hb
currentNodeId: step-01-intake
stepsCompleted: []
variables: { size: 3 }
---
`;
    const steps = [
      calls(write('@state/workflow.md', state)),
      calls(write('@project/artifacts/intake.md', 'x')),
      calls(['fs.read', { path: '@state/workflow.md' }]),
      { text: 'Hm.' },
    ];
    const run = await (await runDesk({ steps })).open();
    await run.play('Go.');
    const composed = (await run.store.read(RUN)).filter(({ type }) => type === 'workflow.composed');
    const told = composed.map(({ data }) => (data as { readonly state?: object }).state);
    expect(told).toEqual([
      expect.objectContaining({ variables: {} }),
      { stepsCompleted: [], variables: { size: 3 }, decisionLog: [], artifacts: [] },
      expect.objectContaining({ variables: { size: 3 }, artifacts: ['artifacts/intake.md'] }),
      undefined,
    ]);
  });

  itInTurn(
    'whatever the answers ask, a run that is done was told every step and has every output',
    async () => {
      const ids = GRAPH.nodes.map(({ id }) => String(id));
      const aCall = fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...WALK) },
        { weight: 2, arbitrary: fc.constant(write('@project/artifacts/intake.md', 'x')) },
        fc.constant(write('@project/artifacts/intake.md', '')),
        fc
          .tuple(fc.subarray(ids), fc.constantFrom(...ids))
          .map(([append, set]) => patch({ stepsCompleted: { append }, currentNodeId: { set } })),
        fc.constant(patch({ variables: { set: { workflowStatus: 'complete' } } })),
      );
      const anAnswer = fc.array(aCall, { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(fc.array(anAnswer, { maxLength: 6 }), fc.boolean(), async (answers, honest) => {
          const tail = honest ? WHOLE : [{ text: 'All is done.' }, { text: 'Really.' }];
          const desk = await runDesk({ steps: [...answers.map((made) => calls(...made)), ...tail] });
          const run = await desk.open();
          await run.play('Go.');
          const { kind } = await run.status();
          const told = desk.requests.flatMap(({ messages }) =>
            messages.flatMap(({ content }) => /^NODE_BRIEF\n- currentNodeId: (\S+)/.exec(content)?.[1] ?? []),
          );
          const completed =
            /stepsCompleted:\n((?: +- .*\n)*)/.exec(desk.inState('workflow.md') ?? '')?.[1] ?? '';
          const steps = [...completed.matchAll(/- "?([\w.-]+)/g)].map(([, step]) => step);
          expect(steps.filter((step) => !told.includes(step ?? ''))).toEqual([]);
          if (kind === 'done') {
            // A decision that was told may be left without being listed: the way that was taken shows that it was made.
            expect(told).toEqual(
              expect.arrayContaining(['step-01-intake', 'decide-02-project-type', 'end-99']),
            );
            expect(steps).toContain('end-99');
          }
          // The output was there when its step was completed, and an empty file takes its place at most later.
          if (steps.includes('step-01-intake')) expect(desk.inProject('artifacts/intake.md')).toBeDefined();
          await run.close();
        }),
        runs(15, 500),
      );
    },
  );
});
