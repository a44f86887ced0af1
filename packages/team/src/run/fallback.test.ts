import { describe, expect, it } from 'vitest';
import { spec, teamRun } from '../../test/team-run.js';

const FAILED = { end: { reason: 'error', code: 'E_PROVIDER_STATUS', message: 'Busy.' } } as const;

const begun = (config: Parameters<typeof teamRun>[0] = {}, budget: { readonly turns?: number } = {}) => {
  const run = teamRun(config);
  const nodes = [spec('lead', 'orchestrator', { model: 'one', fallbacks: ['two', 'three'] })];
  run.start({ mode: 'INTERACTIVE', nodes, edges: [], budget });
  return run;
};
type Run = ReturnType<typeof teamRun>;
const fails = (run: Run) => {
  run.answers('lead', '', [], FAILED);
  run.diffs();
};
const asked = (run: Run) =>
  run
    .events()
    .flatMap((event) => (event.type === 'turn.started' ? [event.data.fallback?.model ?? 'own'] : []));

describe('a node whose model fails', () => {
  it('is asked of the next one with all that the turn had taken, and of its own again afterwards', () => {
    const run = begun();
    run.submit({ type: 'node.message', node: 'lead', text: 'Hello.', by: 'ann' });
    run.says('lead', 'Ready.');
    expect(run.node('lead').work?.taken.messages).toMatchObject([{ text: 'Hello.' }]);
    fails(run);
    expect(run.node('lead').work).toMatchObject({
      fallback: { model: 'two', number: 1 },
      taken: { messages: [{ text: 'Hello.' }], results: [] },
      kind: { kind: 'full' },
    });
    fails(run);
    run.says('lead', 'Here.');
    expect(run.node('lead')).toMatchObject({
      hold: null,
      work: null,
      session: { heard: { model: 'three' } },
    });
    run.submit({ type: 'node.message', node: 'lead', text: 'More.', by: 'ann' });
    expect(asked(run)).toEqual(['own', 'own', 'two', 'three', 'own']);
    expect(run.rebuilt()).toEqual(run.state());
  });

  it('is held when the last one has failed, and begins with its own when a person resumes it', () => {
    const run = begun();
    for (let at = 0; at < 3; at += 1) fails(run);
    expect(run.node('lead').hold).toMatchObject({ kind: 'failed', code: 'E_PROVIDER_STATUS' });
    run.submit({ type: 'node.resume', node: 'lead', by: 'ann' });
    expect(asked(run)).toEqual(['own', 'two', 'three', 'own']);
  });

  it('is looked at by the budget before each of them', () => {
    const run = begun({}, { turns: 1 });
    fails(run);
    const { hold, node } = run.node('lead');
    expect([asked(run), hold?.kind]).toEqual([['own'], 'budget']);
    for (const scope of ['run', `node/${node.id}`])
      run.submit({ type: 'budget.raise', scope, to: { turns: 5 }, by: 'ann' });
    expect(asked(run)).toEqual(['own', 'two']);
  });

  it.each([
    ['an agent that acts by itself', { acts: () => true }, FAILED],
    ['a turn that could not be sent', {}, { ...FAILED, final: true }],
  ] as const)('is held at once for %s', (_name, config, end) => {
    const run = begun(config);
    run.answers('lead', '', [], end);
    run.diffs();
    expect([asked(run), run.node('lead').hold?.kind]).toEqual([['own'], 'failed']);
  });
});
