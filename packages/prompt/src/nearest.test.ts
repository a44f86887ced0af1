import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

test.each([
  ['reviw', ['review', 'triage'], 'review'],
  ['REVIEW', ['review'], 'review'],
  ['rveiew', ['review'], 'review'],
  ['x', ['review'], undefined],
  ['', ['review'], undefined],
  ['triags', ['trial', 'triage'], 'triage'],
  ['reviewer', ['claude', 'agents/reviewer'], 'agents/reviewer'],
  ['reviwer', ['agents/reviewer', 'viewers'], 'agents/reviewer'],
  ['agent/reviewer', ['agents/reviewer', 'reviewer'], 'agents/reviewer'],
  ['x/reviewer', ['reviewers/'], undefined],
  ['', ['folder/'], undefined],
  ['zzzzzz', ['review', 'triage'], undefined],
])('%j among %j means %j', (name, candidates, meant) => {
  expect(nearest(name, candidates)).toBe(meant);
});

test('a name of a million letters is compared at once', () => {
  expect(nearest('a'.repeat(1_000_000), ['b'.repeat(1_000_000)])).toBeUndefined();
});
