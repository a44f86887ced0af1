import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { pairRows, patchRows } from './patch-rows.js';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

describe('patchRows', () => {
  it('numbers lines on both sides, and keeps every line once in either view', () => {
    const line = fc.tuple(fc.constantFrom('same', 'added', 'removed'), fc.stringMatching(/^[^\n\r]{0,6}$/));
    fc.assert(
      fc.property(fc.array(line as fc.Arbitrary<[keyof typeof SIGNS, string]>, { minLength: 1 }), (lines) => {
        const body = lines.map(([kind, text]) => SIGNS[kind] + text);
        const rows = patchRows(['--- a/x', '+++ b/x', '@@ -7,3 +9,3 @@ f()', ...body, ''].join('\n'));
        const inside = rows.slice(3);
        expect(inside.map(({ kind, text }) => [kind, text])).toEqual(lines);
        const olds = inside.flatMap(({ old }) => old ?? []);
        const nows = inside.flatMap(({ now }) => now ?? []);
        expect(olds).toEqual(olds.map((_, index) => 7 + index));
        expect(nows).toEqual(nows.map((_, index) => 9 + index));
        const pairs = pairRows(inside);
        expect(pairs.flatMap(({ left }) => (left && left.kind !== 'added' ? [left.text] : []))).toEqual(
          inside.filter(({ kind }) => kind !== 'added').map(({ text }) => text),
        );
        expect(pairs.flatMap(({ right }) => (right && right.kind !== 'removed' ? [right.text] : []))).toEqual(
          inside.filter(({ kind }) => kind !== 'removed').map(({ text }) => text),
        );
      }),
      runs(40, 1_000),
    );
  });
});
