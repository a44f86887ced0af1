import { listStandings, type Standing } from '@cuebook/engine';
import type { Store } from '@cuebook/journal';
import { describe, expect, it } from 'vitest';
import { calls, RUN, runDesk } from '../../test/run-desk.js';
import { answered } from '../tool/ask-user.js';
import { createFailedCalls, type FailedCall } from './failed-calls.js';
import { replayMachine } from './machine/machine.js';
import { workflowStanding } from './machine/standing.js';
import { type PersonWord, tellRun } from './tell-run.js';

const GO = { widgetId: 'go', type: 'confirmation', message: 'Go on?' } as const;
const STEPS = [calls(['ui.ask_user', GO]), { text: 'Thanks.' }];

const standing = async (store: Store): Promise<Standing | undefined> => (await listStandings(store)).get(RUN);

/** The events that the answer made, without what the clock says. */
const logOf = async (store: Store) =>
  (await store.read(RUN))
    .filter(({ command }) => command === 'answer')
    .map(({ type, data }) => [type, { ...Object(data), at: 0 }]);

async function asked() {
  const desk = await runDesk({ steps: STEPS });
  const run = await desk.open();
  await run.play('A shop.');
  const status = await run.status();
  if (status.kind !== 'waiting' || status.for !== 'question') throw new Error(status.kind);
  const approval = status.questions[0]?.approval ?? '';
  const yes: PersonWord = {
    type: 'approval.resolve',
    approval,
    decision: 'change',
    input: answered(GO, { confirmed: true }),
    by: 'ann',
  };
  const telling = { store: run.store, run: RUN, id: 'answer', mayRepeat: () => true };
  return { desk, run, approval, yes, telling };
}

describe('a word from outside', () => {
  it('writes what an open run would write, and the next process goes on from it', async () => {
    const [told, open] = [await asked(), await asked()];
    await told.run.close();
    const outside = await told.desk.open();
    expect(await tellRun({ ...told.telling, store: outside.store }, told.yes)).toMatchObject({
      ok: true,
    });
    // Not at work: what follows is written and not begun, as from outside.
    await open.run.close();
    const other = await open.desk.open();
    await other.submit('answer', open.yes as Parameters<typeof other.submit>[1]);
    const written = await logOf(outside.store);
    expect(written.map(([type]) => type)).toEqual(['approval.resolved', 'effect.intended']);
    expect(written).toEqual(await logOf(other.store));
    expect(await outside.take()).toBe(true);
    await outside.drain();
    expect(await outside.status()).toMatchObject({ kind: 'waiting', for: 'input' });
    expect(JSON.stringify(told.desk.requests.at(-1)?.messages)).toContain('confirmed');
  });

  it('is heard by the process that has the run', async () => {
    const { run, yes, telling } = await asked();
    expect(await tellRun(telling, yes)).toMatchObject({ ok: true });
    await run.drain();
    expect((await run.read()).state.agent.history.at(-1)).toMatchObject({ text: 'Thanks.' });
  });

  it('is taken once, and refused where nothing is asked', async () => {
    const { yes, telling } = await asked();
    expect(await tellRun(telling, yes)).toMatchObject({ ok: true });
    expect(await tellRun(telling, yes)).toMatchObject({ ok: true });
    expect(await tellRun({ ...telling, id: 'other' }, yes)).toMatchObject({
      error: { code: 'E_APPROVAL_RESOLVED' },
    });
    const effect = { type: 'effect.resolve', effect: 'eff_none', outcome: 'not-done' } as const;
    expect((await tellRun({ ...telling, id: 'none' }, effect)).ok).toBe(false);
  });

  it('cannot allow questions for the rest of the run: nobody would answer them', async () => {
    const { telling, approval } = await asked();
    const grant = { type: 'approval.resolve', approval, decision: 'allow', grant: true, by: 'ann' } as const;
    expect(await tellRun(telling, grant)).toMatchObject({ error: { code: 'E_QUESTION_GRANT' } });
  });

  it('cannot forge an answer that does not fit', async () => {
    const { telling, yes } = await asked();
    const input = answered(GO, { selected: 'x' });
    expect(await tellRun(telling, { ...yes, input } as PersonWord)).toMatchObject({
      error: { code: 'E_APPROVAL_INPUT' },
    });
  });

  it.each([
    ['whose turns only answer may be asked again', true, 'repeat'],
    ['that may have acted waits for a person', false, 'ask-person'],
  ])('after a crash of the next turn, a voice %s', async (_, may, policy) => {
    const { desk, run, yes, telling } = await asked();
    await run.close();
    const { store } = await desk.open();
    await tellRun({ ...telling, store, mayRepeat: () => may }, { ...yes, decision: 'deny' } as PersonWord);
    const turns = (await store.read(RUN)).filter(
      ({ type, data }) => type === 'effect.intended' && (data as { kind?: string }).kind === 'model.turn',
    );
    expect(turns.at(-1)?.data).toMatchObject({ onCrash: policy });
  });
});

describe('how a run stands', () => {
  it('is listed at every moment: at work, asking, waiting for a word, done', async () => {
    const { run, yes, telling } = await asked();
    expect(await standing(run.store)).toEqual({
      kind: 'workflow',
      target: expect.stringMatching(/#hb$/),
      status: 'waiting',
      wait: { for: 'approval' },
    });
    await tellRun(telling, yes);
    expect(await standing(run.store)).toMatchObject({ status: 'running' });
    await run.drain();
    expect(await standing(run.store)).toMatchObject({
      status: 'waiting',
      wait: { for: 'input', message: 'Thanks.' },
    });
    const chat = await (await runDesk({ steps: [{ text: 'Hello.' }], facts: { mode: 'chat' } })).open();
    await chat.play('Hi.');
    expect(await standing(chat.store)).toMatchObject({ status: 'completed' });
  });

  it('names the calls that a crash cut off', async () => {
    const { run } = await asked();
    const { state } = await run.read();
    const [call] = state.agent.calls ?? [];
    if (call === undefined) throw new Error('no call');
    const running = { ...call, name: 'terminal.run', phase: 'running', effect: 'eff_1' } as const;
    const agent = { ...state.agent, calls: [running], doubts: ['eff_1', 'turn_2'] };
    expect(workflowStanding({ ...state, agent })?.wait).toEqual({
      for: 'outcome',
      calls: [
        { effect: 'eff_1', tool: 'terminal.run', input: JSON.stringify(call.input) },
        { effect: 'turn_2', tool: '', input: '' },
      ],
    });
  });
});

/** What is told of the calls in the events behind one, as a screen hears them. */
async function failedSince(store: Store, after: number): Promise<readonly FailedCall[]> {
  const failed: FailedCall[] = [];
  const tell = createFailedCalls((call) => failed.push(call));
  const machine = replayMachine('workflow');
  let state = machine.initial;
  if (after === 0) tell(state);
  for (const event of await store.read(RUN)) {
    state = machine.project(state, event as never);
    if (event.seq >= after) tell(state);
  }
  return failed;
}

describe('calls that fail', () => {
  it('are told once each, with code and reason, those of earlier processes not again', async () => {
    const steps = [
      calls(
        ['ui.ask_user', { type: 'confirmation', question: 'Go on?' }],
        ['fs.read', { path: '@project/none.md' }],
        ['fs.reedd', {}],
      ),
      calls(['fs.list', { path: '@project' }]),
      { text: 'Well.' },
      calls(['fs.read', { path: '@project/gone.md' }]),
      { text: 'Well again.' },
    ];
    const desk = await runDesk({ steps });
    const first = await desk.open();
    await first.play('A shop.');
    expect(await failedSince(first.store, 0)).toMatchObject([
      { name: 'ui.ask_user', code: 'E_INVALID_ARGS', message: expect.stringContaining('widgetId') },
      { name: 'fs.read', code: 'ENOENT', message: expect.stringContaining('@project/none.md') },
      { name: 'fs.reedd', code: 'TOOL_NOT_AVAILABLE', message: expect.stringContaining('fs.read') },
    ]);
    const { seq = 0 } = (await first.store.head(RUN)) ?? {};
    await first.close();
    const second = await desk.open();
    expect(await second.take()).toBe(true);
    await second.say('Go on.');
    await second.drain();
    expect(await failedSince(second.store, seq)).toMatchObject([
      { name: 'fs.read', message: expect.stringContaining('gone.md') },
    ]);
  });
});
