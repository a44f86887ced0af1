import { ACTIONS, SCENARIOS } from '@cuebook/bundle';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { actionFor, goalOutcome } from './goal.js';
import { type Known, withName, withTask, withWord } from './known.js';

test.each([
  ['social', ['greeting'], 'met'],
  ['Social', ['daily_checkin'], 'open'],
  ['make friends', ['reply'], 'met'],
  ['create', ['collab_execute'], 'met'],
  ['create', ['greeting'], 'open'],
  ['collaboration', ['collab_join'], 'met'],
  ['learning', ['reply'], 'met'],
  ['zen', ['greeting', 'reply', 'collab_execute'], 'untold'],
] as const)('a goal of type %s after %j is %s', (type, done, outcome) => {
  expect(goalOutcome({ type }, new Set(done))).toBe(outcome);
});

test('no goal is met on a day without deeds, more deeds never unmeet one, and what is not told has no action', () => {
  const deeds = fc.subarray([...SCENARIOS.keys()]);
  fc.assert(
    fc.property(fc.string(), deeds, deeds, (type, some, more) => {
      expect(goalOutcome({ type }, new Set())).not.toBe('met');
      const one = goalOutcome({ type }, new Set(some));
      const both = goalOutcome({ type }, new Set([...some, ...more]));
      if (one === 'met') expect(both).toBe('met');
      const action = actionFor({ type });
      expect(action === undefined).toBe(one === 'untold');
      if (action !== undefined) expect(ACTIONS).toContain(action);
    }),
    runs(300, 5000),
  );
});

test('friends are those to whom and from whom something was said, since the day of the second of the two', () => {
  const step = fc.record({
    agent: fc.constantFrom('bo', 'cy', 'dot'),
    what: fc.constantFrom('heard', 'said', 'task', 'name'),
    day: fc.integer({ min: 1, max: 28 }).map((n) => `202611${String(n).padStart(2, '0')}`),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let known: Known = {};
      for (const { agent, what, day } of steps) {
        const before = known[agent];
        if (what === 'task') known = withTask(known, agent, day);
        else if (what === 'name') known = withName(known, agent, agent.toUpperCase());
        else known = withWord(known, agent, what, day);
        const { heard = 0, said = 0, friendSince } = known[agent] ?? {};
        expect(friendSince !== undefined).toBe(heard > 0 && said > 0);
        if (before?.friendSince !== undefined) expect(friendSince).toBe(before.friendSince);
      }
    }),
    runs(200, 3000),
  );
});
