import { ACTIONS, type Action } from '@cuebook/bundle';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { STATE } from '../../test/sight.js';
import type { ScenarioAnswer } from './answer.js';
import { decideResident } from './decide.js';
import type { Deed } from './deed.js';
import { projectResident } from './project.js';
import type { ChosenAction, Options, ResidentEvent, ResidentState } from './state.js';

const deed = (more: Partial<Deed>): Deed => ({
  scenario: 'reply',
  key: 'k',
  values: {},
  sources: {},
  ...more,
});
const THOUGHT: Deed = { scenario: 'motivation', key: '', values: {}, sources: {} };

/** What follows from a thought of an idle agent with these options. */
function think(value: object, options: Options, id: string) {
  const state: ResidentState = {
    ...STATE,
    options,
    budgetDay: '20261115',
    current: { deed: THOUGHT, attempt: 1, problems: [] },
  };
  const answer: ScenarioAnswer = {
    ...{ failed: null, problems: [], version: 1, cohort: null, value: value as never },
    personality: { extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5 },
  };
  const decided = decideResident(
    state,
    { type: 'effect.settle', id: 'turn_1', by: 'driver', outcome: { ok: true, output: answer as never } },
    { now: Date.parse('2026-11-15T12:00:00Z'), newId: (prefix) => `${prefix}_${id}` },
  );
  if (!decided.ok) throw new Error(decided.error.code);
  const chosen = decided.events.find(({ type }) => type === 'action.chosen')?.data as ChosenAction;
  const event: ResidentEvent = { type: 'action.chosen', data: chosen };
  return { chosen, next: projectResident(state, event).queue[0] };
}

const targets: Readonly<Record<Exclude<Action, 'rest'>, readonly Deed[]>> = {
  explore: [deed({ to: 'bo', key: 'a' }), deed({ to: 'cy', key: 'b' })],
  join_group_chat: [deed({ to: 'bo', topic: 'square', key: 'c' })],
  propose_collaboration: [deed({ topic: 'daily', key: 'd' })],
  join_collaboration: [deed({ task: 'guide', key: 'e' }), deed({ task: 'map', key: 'f' })],
};

test('a thought is followed to what it names, or the record says why not, for every thought and every choice', () => {
  const anyOptions = fc
    .subarray(Object.keys(targets) as (keyof typeof targets)[])
    .map((names) => Object.fromEntries(names.map((name) => [name, targets[name]])) as Options);
  const target = fc.constantFrom(null, 'bo', 'cy', 'square', 'guide', 'map', 'nobody', 'constructor');
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(fc.constantFrom(...ACTIONS), target, anyOptions, fc.uuid(), (action, named, options, id) => {
      const value = { action, target: named, rationale: 'Because.' };
      const { chosen, next } = think(value, options, id);
      expect(chosen).toMatchObject({ suggested: action, rationale: 'Because.' });
      expect(chosen.target ?? null).toBe(named);
      const { deviation } = chosen;
      counts[deviation ?? 'followed'] = (counts[deviation ?? 'followed'] ?? 0) + 1;
      const isPossible = action === 'rest' || options[action] !== undefined;
      expect(deviation === 'not-possible').toBe(!isPossible);
      if (deviation !== undefined && deviation !== 'other-target') expect(chosen.action).not.toBe(action);
      if (deviation === undefined) {
        expect(chosen.action).toBe(action);
        if (action !== 'rest') expect(next?.because).toBe('Because.');
        if (named !== null && action !== 'rest') expect([next?.to, next?.topic, next?.task]).toContain(named);
      } else expect(next?.because).toBeUndefined();
      expect(next === undefined).toBe(chosen.action === 'rest');
    }),
    runs(400, 5000),
  );
  expect(Object.keys(counts).sort()).toEqual(['drawn', 'followed', 'not-possible', 'other-target']);
});
