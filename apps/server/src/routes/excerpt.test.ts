import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { excerptOf } from './excerpt.js';

const WORDS = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');

it('begins and ends between words, and says what is left out', () => {
  const excerpt = excerptOf(WORDS, WORDS.indexOf('word30'));
  expect(excerpt).toMatch(/^… word\d+ .*word30.* word\d+ …$/);
  expect(WORDS).toContain(` ${excerpt.slice(2, -2)} `);
  expect(excerptOf('short  text', 2)).toBe('short text');
  expect(excerptOf(WORDS, 0)).toMatch(/^word0 .* word\d+ …$/);
});

it('holds what was found, of any text at any place', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'binary' }), fc.nat(300), (text, at) => {
      const place = Math.min(at, text.length);
      const excerpt = excerptOf(text, place);
      expect(excerpt.length).toBeLessThanOrEqual(190);
      const found = text.slice(place, place + 10).trim();
      if (/^\w+$/.test(found)) expect(excerpt).toContain(found);
    }),
    runs(1_000, 10_000),
  );
});
