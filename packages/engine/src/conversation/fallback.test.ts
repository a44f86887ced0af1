import { expect, it } from 'vitest';
import { agentRun } from '../../test/agent-run.js';
import { nextModel } from './fallback.js';

const FAILED = { end: { reason: 'error', code: 'E_PROVIDER_STATUS', message: 'Busy.' } } as const;

it.each([
  ['the next one after a failure', FAILED, { model: 0, models: 3 }, 1],
  ['the one after that', { end: { reason: 'timeout' } }, { model: 1, models: 3 }, 2],
  ['nobody when none is left', FAILED, { model: 2, models: 3 }, undefined],
  ['nobody after an answer', { end: { reason: 'done' } }, { model: 0, models: 3 }, undefined],
  ['nobody after an interruption', { end: { reason: 'aborted' } }, { model: 0, models: 3 }, undefined],
  ['nobody where nobody was asked', { ...FAILED, final: true }, { model: 0, models: 3 }, undefined],
] as const)('%s', (_name, outcome, models, next) => {
  expect(nextModel(outcome, models)).toBe(next);
});

it('a turn that fails is asked of the next model, each looked at by the budget, and the next turn of the first again', () => {
  const run = agentRun({ models: 3 });
  run.start('hello', { budget: { turns: 2 } });
  expect(run.turn()?.input).not.toHaveProperty('model');
  run.answers('', [], FAILED);
  expect(run.turn()?.input).toMatchObject({ model: 1, turn: 2 });
  run.answers('', [], FAILED);
  expect(run.status()).toMatchObject({ kind: 'waiting', for: 'budget' });
  run.submit({ type: 'budget.raise', to: { turns: 9 }, by: 'ann' });
  expect(run.turn()?.input).toMatchObject({ model: 2, turn: 3 });
  run.answers('Here.', [], { sessionId: 'other' });
  expect(run.status()).toEqual({ kind: 'done' });
  expect(run.state().history.map((message) => ('text' in message ? message.text : ''))).toEqual([
    'hello',
    'Here.',
  ]);
  // The session of one model is nothing to another.
  expect(run.state().sessionId).toBeNull();
  run.say('more');
  expect(run.turn()?.input).not.toHaveProperty('model');
});

it('when the last one fails, the conversation has failed', () => {
  const run = agentRun({ models: 2 });
  run.start();
  run.answers('', [], FAILED);
  run.answers('', [], { end: { reason: 'error', code: 'E_LAST', message: 'Gone.' } });
  expect(run.status()).toEqual({ kind: 'failed', code: 'E_LAST', message: 'Gone.' });
  run.resume();
  expect(run.turn()?.input).not.toHaveProperty('model');
});

it('a turn that could not be sent is asked of nobody else', () => {
  const run = agentRun({ models: 2 });
  run.start();
  run.settle(run.turn()?.id ?? '', { ok: false, error: { code: 'E_LEAK', message: 'It holds a key.' } });
  expect(run.status()).toMatchObject({ kind: 'failed', code: 'E_LEAK' });
});
