import { describe, expect, test } from 'vitest';
import { errand, errandMachine } from '../../test/errands.js';
import type { EventShape } from '../machine.js';
import { decideAsk, decideBegin, decideCommand, decideFire, decideSettle } from './decide.js';
import { advanceRun, projectRun } from './run-state.js';

const parts = { machine: errandMachine, run: 'run_1', command: 'c1', now: 5 };
const start = decideCommand(parts, projectRun(errandMachine, []), {
  type: 'errand.start',
  errands: [errand('a'), errand('b', { afterMs: 10 })],
} as { type: string });
if (!start.ok) throw new Error('the errands are refused');
const run = projectRun(errandMachine, start.value.events);
const [effect] = [...run.ledger.effects.values()];
const [timer] = [...run.ledger.timers.values()];
if (!effect || !timer) throw new Error('nothing is open');

const { id } = effect.intent;
const outcome = { ok: true, output: null } as const;
const settling = { id, seq: effect.seq, outcome, by: 'driver' } as const;
const closed = { ok: false, error: { type: 'closed' } };
const after = (answer: { ok: boolean; value?: { events: readonly EventShape[] } }) =>
  advanceRun(errandMachine, run, answer.value?.events ?? []);

describe('what the engine decides', () => {
  test('an outcome is written once: a second one, of whomever, is refused', () => {
    const first = decideSettle(parts, run, settling);
    expect(first).toMatchObject({ ok: true, value: { events: [{ type: 'effect.settled' }] } });
    expect(decideSettle(parts, after(first), settling)).toEqual(closed);
    expect(decideSettle(parts, after(first), { ...settling, by: 'person' })).toEqual(closed);
  });

  test('an outcome for an earlier effect of the same id is refused', () => {
    expect(decideSettle(parts, run, { ...settling, seq: effect.seq - 1 })).toEqual(closed);
  });

  test('a timer fires once, and not for an earlier one of the same id', () => {
    const first = decideFire({ ...parts, command: 'c2' }, run, timer);
    expect(first).toMatchObject({ ok: true });
    expect(decideFire(parts, after(first), timer)).toEqual(closed);
    expect(decideFire(parts, run, { id: timer.id, seq: timer.seq - 1 })).toEqual(closed);
  });

  test('a mark is for the next try of an open effect, and a question for one that was not asked', () => {
    const mark = { id, seq: effect.seq, attempt: 1, owner: 'me' };
    const begun = decideBegin(run, mark);
    expect(begun).toMatchObject({ ok: true });
    expect(decideBegin(after(begun), mark)).toEqual(closed);
    const asked = decideAsk(run, { id, seq: effect.seq });
    expect(asked).toMatchObject({ ok: true });
    expect(decideAsk(after(asked), { id, seq: effect.seq })).toEqual(closed);
  });

  test('a machine that refuses an outcome does not undo it', () => {
    const machine = {
      ...errandMachine,
      decide: () => ({ ok: false, error: { code: 'E_X', message: 'No.' } }) as const,
    };
    expect(decideSettle({ ...parts, machine }, run, settling)).toEqual({
      ok: true,
      value: { events: [{ type: 'effect.settled', data: { id, outcome, by: 'driver' } }], answer: null },
    });
  });
});
