import { describe, expect, it } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { itInTurn } from '../../../../test/runs.js';
import { normalise } from './normalise.js';

it.each([
  ['Retry 17 at 2026-11-15T18:26:29.123Z failed', 'retry # at # failed'],
  ['run_01HZX3Y9A', 'run_#'],
  ['id 550e8400-e29b-41d4-a716-446655440000', 'id #'],
  ['commit 3f2a9bc1', 'commit #'],
  ['Sun Nov 15 18:26:29 UTC 2026', '#'],
  ['at 10:05 PM', 'at #'],
  ['Thu, 01 Jan 1970 00:00:00 GMT', '#'],
  ['on 3 March 2026, 5 p.m.', 'on #'],
  ['1,234,567 rows', '# rows'],
  ['  Two\n\twords ', 'two words'],
  ['DEADBEEFDEADBEEF', '#'],
])('folds %j', (text, folded) => {
  expect(normalise(text)).toBe(folded);
});

it.each([
  ['file12.txt', 'file#.txt'],
  ['it may work in march', 'it may work in march'],
  ['deadbeef', 'deadbeef'],
  ['faced a facade', 'faced a facade'],
  ['april 5 and aprax 5', '# and aprax #'],
  ['5: may it be', '#: may it be'],
  ['utf8', 'utf#'],
  ['größe ж 漢字', 'größe ж 漢字'],
])('keeps the words of %j', (text, folded) => {
  expect(normalise(text)).toBe(folded);
});

describe('takes time in proportion to the text', () => {
  itInTurn.each([
    ['hex that ends badly', 'a1b2'],
    ['numbers and dashes', '1-'],
    ['marks without a number', '#.'],
    ['months', 'jan 1 '],
    ['months alone', 'may '],
    ['white space', ' \n'],
  ])('%s', (_title, unit) => {
    expect(growth((size) => normalise(`${unit.repeat(size)}x`), 100_000, 3)).toBeLessThan(3.5);
  });
});
