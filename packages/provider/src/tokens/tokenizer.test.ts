import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { runs } from '../../../../test/runs.js';
import { cutLongRuns } from './long-runs.js';
import { loadTokenizer } from './tokenizer.js';

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => 'ab'.repeat(size / 2),
  blanks: (size) => ' '.repeat(size),
  slashes: (size) => '/\n'.repeat(size / 2),
  emoji: (size) => '😀'.repeat(size / 2),
  marks: (size) => 'e\u0301'.repeat(size / 2),
};

it.each(Object.entries(HOSTILE))('%s take time in proportion to their number', async (_, make) => {
  const count = await loadTokenizer();
  count(make(20_000));
  // Quadratic time would be 4.
  expect(growth((size) => count(make(size)), 80_000, 3)).toBeLessThan(3);
});

it('ordinary text is counted whole', async () => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const count = await loadTokenizer();
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(cutLongRuns(readme)).toEqual([readme]);
  expect(count(readme)).toBe(countTokens(readme));
});

it('cutting loses nothing and cuts no character in half', () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('x', '😀', ' ', '/').map((c) => c.repeat(700)),
    ),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join('');
      const cut = cutLongRuns(whole);
      expect(cut.join('')).toBe(whole);
      expect(cut.every((part) => part.isWellFormed())).toBe(true);
    }),
    runs(300, 10_000),
  );
});
