import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { actionChances, chooseAction } from './choose.js';
import {
  ACTIONS,
  type Action,
  EMPTY_MEMORY,
  fade,
  learn,
  MEMORY_LIMIT,
  NEUTRAL,
  WEIGHT_BOUNDS,
  type Weights,
} from './weights.js';

const personality = { extrovert: 0.6, curious: 0.7, creative: 0.5, stable: 0.4 };
const like = (about = 'topics/square/messages/ada/x.json') => ({ id: 'fb_1', kind: 'like', about }) as const;
const liked = (times: number, action: Action) =>
  Array.from({ length: times }).reduce<typeof EMPTY_MEMORY>(
    (memory) => learn(memory, like(), action),
    EMPTY_MEMORY,
  );

function decisions(weights: Weights, suggested?: Action): Record<Action, number> {
  const counts = Object.fromEntries(ACTIONS.map((action) => [action, 0])) as Record<Action, number>;
  for (let n = 0; n < 1000; n += 1)
    counts[chooseAction({ personality, weights, available: ACTIONS, suggested }, `decision ${n}`)] += 1;
  return counts;
}

describe('a like', () => {
  test('makes similar behaviour more likely: the distribution of 1,000 seeded decisions shifts, within bounds', () => {
    const before = decisions(NEUTRAL);
    const once = decisions(liked(1, 'explore').weights);
    const often = decisions(liked(1000, 'explore').weights);
    expect(once.explore).toBeGreaterThan(before.explore);
    expect(often.explore).toBeGreaterThan(once.explore);
    // However much praise: a weight is at most 4, and everything else is still done.
    expect(liked(1000, 'explore').weights.explore).toBe(WEIGHT_BOUNDS.most);
    expect(often.explore).toBeLessThan(800);
    for (const action of ACTIONS) expect(often[action]).toBeGreaterThan(0);
    const chances = actionChances({
      personality,
      weights: liked(1000, 'explore').weights,
      available: ACTIONS,
    });
    expect(often.explore / 1000).toBeCloseTo(chances.explore, 1);
  });

  test('is remembered with what it was about, and a comment with its words, cut to a bound', () => {
    const memory = learn(
      liked(1, 'explore'),
      { id: 'b', kind: 'comment', about: 'k', text: 'é'.repeat(500) },
      'rest',
    );
    expect(memory.notes).toHaveLength(2);
    expect([...(memory.notes[1]?.text ?? '')]).toHaveLength(200);
    expect(liked(100, 'rest').notes).toHaveLength(MEMORY_LIMIT);
  });

  test('fades day by day, and never past neutral', () => {
    let memory = liked(5, 'explore');
    for (let day = 0; day < 60; day += 1) {
      const next = fade(memory);
      expect(next.weights.explore).toBeLessThanOrEqual(memory.weights.explore);
      memory = next;
    }
    expect(memory.weights.explore).toBeCloseTo(1, 2);
  });
});

test('no order of likes, comments and days leaves the bounds', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('like', 'comment'), action: fc.constantFrom(...ACTIONS) }),
    fc.constant('day' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = steps.reduce<typeof EMPTY_MEMORY>(
        (known, each) =>
          each === 'day'
            ? fade(known)
            : learn(known, { ...like(), kind: each.kind as 'like' | 'comment' }, each.action),
        EMPTY_MEMORY,
      );
      for (const weight of Object.values(memory.weights)) {
        expect(weight).toBeGreaterThanOrEqual(WEIGHT_BOUNDS.least);
        expect(weight).toBeLessThanOrEqual(WEIGHT_BOUNDS.most);
      }
      const chances = actionChances({ personality, weights: memory.weights, available: ACTIONS });
      expect(Object.values(chances).reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
    }),
    runs(100, 3000),
  );
});

test('a choice is the same for the same seed, takes only what can be done, and heeds a suggestion without obeying it', () => {
  expect(decisions(NEUTRAL)).toEqual(decisions(NEUTRAL));
  expect(chooseAction({ personality, weights: NEUTRAL, available: [] }, 'x')).toBe('rest');
  const plain = decisions(NEUTRAL);
  const nudged = decisions(NEUTRAL, 'join_group_chat');
  expect(nudged.join_group_chat).toBeGreaterThan(plain.join_group_chat + 100);
  expect(nudged.explore).toBeGreaterThan(50);
});
