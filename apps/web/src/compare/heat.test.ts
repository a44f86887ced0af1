import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { heatOf, strengthOf } from './heat.js';

const words = fc.array(
  fc.oneof(
    fc.constantFrom('Be', 'kind', ' ', '\n', '.', '\\', '(', '[a-z]', '$', '^', '-', '/'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  ),
  { maxLength: 12 },
);

it('loses nothing of a text, and finds its units however their white space is', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 5 }), (parts) => {
      const texts = parts.map((part) => part.join(''));
      const units = texts.map((text) => ({ text: text.replace(/\s+/gu, ' ').trim() }));
      const whole = texts.join('\n\n');
      const found = heatOf(whole, units);
      expect(found.map(({ text }) => text).join('')).toBe(whole);
      for (const { text, start, unit } of found) {
        expect(whole.startsWith(text, start)).toBe(true);
        if (unit !== undefined) expect(text.replace(/\s+/gu, ' ')).toBe(units[unit]?.text);
      }
      const [longest] = units
        .map(({ text }, at) => ({ text, at }))
        .sort((a, b) => b.text.length - a.text.length);
      if (longest !== undefined && longest.text !== '')
        expect(found.some(({ unit }) => unit === longest.at)).toBe(true);
    }),
    runs(200, 5000),
  );
  expect([null, 0, 0.1, -0.3, 1].map(strengthOf)).toEqual([1, 1, 1, 3, 4]);
});
