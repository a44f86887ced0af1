import fc from 'fast-check';
import { expect, it } from 'vitest';
import { growth } from '../../../test/growth.js';
import { runs } from '../../../test/runs.js';
import { codePointCounter } from './code-points.js';
import { readYaml } from './source.js';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\ud83d', '\ude00') });

it('counts what a slow look counts, between any two offsets', () => {
  fc.assert(
    fc.property(text, fc.nat(60), fc.nat(60), (words, a, b) => {
      const [from, to] = [Math.min(a, b, words.length), Math.min(Math.max(a, b), words.length)];
      // Between two halves there is no place.
      fc.pre(![from, to].some((at) => /^[\ud800-\udbff][\udc00-\udfff]$/.test(words.slice(at - 1, at + 1))));
      expect(codePointCounter(words)(from, to)).toBe([...words.slice(from, to)].length);
    }),
    runs(1000, 20_000),
  );
});

it('the places of one long line cost time in proportion to it, in any order', () => {
  const made = new Map<number, string>();
  const line = (n: number): string => {
    const known = made.get(n) ?? `{${Array.from({ length: n }, (_, i) => `"k${i}": "😀"`).join(', ')}}`;
    made.set(n, known);
    return known;
  };
  const run = (n: number): void => {
    const yaml = readYaml('a.yaml', line(n), 'E_SHEET');
    if (!yaml.ok) throw new Error('the line is YAML');
    for (let at = n - 1; at >= 0; at -= 1) yaml.value.place([`k${at}`]);
  };
  run(400);
  expect(growth(run, 400, 3.2)).toBeLessThan(3.2);
});
