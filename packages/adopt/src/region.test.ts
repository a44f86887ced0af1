import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { findRegion, findUnmarked, isUntouched, printRegion, withoutMarks } from './region.js';

const line = fc.constantFrom('a\n', 'b\n', '\n', ' a\n', 'ab\n', 'a\r\n', '# x\n');
const lines = (minLength: number) => fc.array(line, { minLength, maxLength: 6 }).map((all) => all.join(''));
const unmarked = (text: string): string =>
  withoutMarks(text)
    .map((piece) => piece.text)
    .join('');
const region = lines(1).map((text) => printRegion('sheet:other', text));

it('words that a file holds once are marked in their place, and nothing else changes', () => {
  const seen = { marked: 0, left: 0 };
  fc.assert(
    fc.property(
      lines(0),
      lines(1),
      lines(0),
      fc.option(region, { nil: '' }),
      fc.boolean(),
      (before, body, after, other, ends) => {
        const whole = `${other}${before}${body}${after}`;
        const text = ends ? whole : whole.replace(/\n$/, '');
        const found = findUnmarked(text, body);
        if (found === undefined) {
          seen.left += 1;
          return;
        }
        seen.marked += 1;
        const marked = text.slice(0, found.start) + printRegion('sheet:x', body) + text.slice(found.end);
        const own = findRegion(marked, 'sheet:x');
        expect(own?.body).toBe(body);
        expect(own !== undefined && isUntouched(own)).toBe(true);
        expect(unmarked(marked).replace(/\n$/, '')).toBe(unmarked(text).replace(/\n$/, ''));
        // Other regions are as they were, and the words are not there a second time.
        expect(findRegion(marked, 'sheet:other')?.body).toBe(findRegion(text, 'sheet:other')?.body);
        expect(findUnmarked(marked, body)).toBeUndefined();
      },
    ),
    runs(1000, 10_000),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

it('is found in time that grows with the file', () => {
  expect(findUnmarked('a\n'.repeat(200_000), 'a\n')).toBeUndefined();
  expect(findUnmarked(`${'x\n'.repeat(200_000)}y\n`, 'x\ny\n')).toBeDefined();
});
