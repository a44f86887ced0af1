import fc from 'fast-check';
import { expect } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { type Act, someAct } from '../../test/model/acts.js';
import { checkEnd } from '../../test/model/end.js';
import { begin, drain, play } from '../../test/model/play.js';
import { checkPromises, checkQuiet } from '../../test/model/promises.js';

it('whatever agents, tools, people and restarts do, the promises of a team run hold', () => {
  const seen = new Set<string>();
  const counted = runs(40, 4_000);
  fc.assert(
    fc.property(
      fc.array(someAct, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.constantFrom('PLANNING', 'IMPLEMENTATION'),
      (acts, globalMode) => {
        const run = begin(globalMode);
        for (const act of acts) {
          play(run, act as Act);
          checkPromises(run);
        }
        drain(run);
        checkPromises(run);
        checkQuiet(run);
        checkEnd(run);
        for (const { type } of run.events()) seen.add(type);
      },
    ),
    counted,
  );
  // The acts reach everything that can happen, where enough of them are tried.
  if (counted.numRuns < 40) return;
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      'node.added',
      'turn.closed',
      'node.held',
      'run.paused',
      'changes.flagged',
      'approval.resolved',
      'call.settled',
      'run.finishing',
      'run.finished',
      'envelope.delivered',
      'native.called',
    ]),
  );
});
