import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { sheetSchema } from './schema.js';

const blocks = [{ name: 'a', role: 'user', parts: [{ text: 'Hi' }] }];

it('parameters are numbers that JSON has, at any depth', () => {
  const inner = fc.jsonValue();
  const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  const path = fc.array(fc.constantFrom('list', 'map'), { maxLength: 6 });
  fc.assert(
    fc.property(inner, odd, path, (value, number, kinds) => {
      expect(sheetSchema.safeParse({ blocks, params: { value } }).success).toBe(true);
      const bad = kinds.reduce<unknown>((at, kind) => (kind === 'list' ? [0, at] : { at }), number);
      const read = sheetSchema.safeParse({ blocks, params: { value, bad } });
      expect(read.error?.issues.map(({ path }) => path)).toEqual([
        ['params', 'bad', ...kinds.toReversed().map((kind) => (kind === 'list' ? 1 : 'at'))],
      ]);
    }),
    runs(60, 200),
  );
});
