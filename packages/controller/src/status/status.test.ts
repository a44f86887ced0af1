import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { merged } from '../../test/api-server/fields.js';
import { type Condition, withCondition } from './conditions.js';
import { holds } from './holds.js';

const at = (second: number) => new Date(second * 1000);

describe('conditions', () => {
  it('change their time only when the status does, and are the same list where nothing differs', () => {
    const accepted = { type: 'Accepted', status: 'False', reason: 'ReconcileFailed', message: 'm' } as const;
    const first = withCondition([], accepted, at(1));
    expect(withCondition(first, accepted, at(2))).toBe(first);
    const told = withCondition(first, { ...accepted, message: 'n', observedGeneration: 3 }, at(3));
    expect(told[0]).toMatchObject({ message: 'n', lastTransitionTime: '1970-01-01T00:00:01Z' });
    const ready: Omit<Condition, 'lastTransitionTime'> = { ...accepted, type: 'Ready', status: 'Unknown' };
    const both = withCondition(told, ready, at(4));
    const fixed = withCondition(both, { ...accepted, status: 'True' }, at(5));
    expect(fixed.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Accepted', '1970-01-01T00:00:05Z'],
      ['Ready', '1970-01-01T00:00:04Z'],
    ]);
  });
});

describe('holds', () => {
  const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: true });
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { noNullPrototype: true });

  it('is true of whatever was written over, with anything beside it', () => {
    fc.assert(
      fc.property(fields, fields, (live, wanted) => {
        expect(holds(merged(live as never, wanted as never), JSON.parse(JSON.stringify(wanted)))).toBe(true);
      }),
      runs(1_000, 10_000),
    );
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: [1] }, { a: [1, 2] }],
    [{ a: [1, 2] }, { a: [1] }],
    [{}, { a: null }],
    [{ a: 'x' }, { a: { b: 1 } }],
    [null, { a: 1 }],
    [[1], { 0: 1 }],
  ])('%j does not hold %j', (live, wanted) => {
    expect(holds(live, wanted)).toBe(false);
  });
});
