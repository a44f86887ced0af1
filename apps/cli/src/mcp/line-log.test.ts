import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createLineLog } from './line-log.js';

it('hands on whole lines, wherever the pieces are cut', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(20)), (whole, cuts) => {
      const lines: string[] = [];
      const log = createLineLog((line) => lines.push(line));
      let at = 0;
      for (const size of [...cuts, whole.length]) {
        log(whole.slice(at, at + size));
        at += size;
      }
      expect(lines.every((line) => /^[^\n]*\n$/.test(line))).toBe(true);
      expect(lines.join('')).toBe(whole.slice(0, whole.lastIndexOf('\n') + 1));
    }),
    runs(300, 10_000),
  );
});

it('keeps only the beginning of a line without end', () => {
  const lines: string[] = [];
  const log = createLineLog((line) => lines.push(line));
  for (let n = 0; n < 1_000; n += 1) log('x'.repeat(1_000));
  log('\nnext\n');
  expect(lines.map(({ length }) => length)).toEqual([8_193, 5]);
});
