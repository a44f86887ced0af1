import { describe, expect, it } from 'vitest';
import { fieldsOf, valueAt, withValue } from './input-fields.js';

describe('the fields of what a target takes', () => {
  it('follow from the schemas, and names of maps from the examples', () => {
    const fields = fieldsOf(
      {
        set: { type: 'object', additionalProperties: { type: 'string' }, description: 'Inputs' },
        mode: { type: 'string', enum: ['A', 'B'] },
        quick: { type: 'boolean' },
        step: { type: 'integer' },
        data: { type: 'object', properties: {} },
      },
      { set: { change: 'x', focus: 'y' } },
    );
    expect(fields.map(({ path, kind, choices }) => [path.join('.'), kind, choices.join()])).toEqual([
      ['set.change', 'text', ''],
      ['set.focus', 'text', ''],
      ['mode', 'choice', 'A,B'],
      ['quick', 'yes-no', ''],
      ['step', 'number', ''],
      ['data', 'json', ''],
    ]);
  });

  it('are read and written by their path', () => {
    const values = withValue(withValue({ a: 1 }, ['set', 'x'], 'X'), ['set', 'y'], 'Y');
    expect(values).toEqual({ a: 1, set: { x: 'X', y: 'Y' } });
    expect(valueAt(values, ['set', 'y'])).toBe('Y');
    expect(valueAt(values, ['a', 'b'])).toBeUndefined();
    expect(withValue(values, ['a'], undefined)).toEqual({ set: { x: 'X', y: 'Y' } });
  });
});
