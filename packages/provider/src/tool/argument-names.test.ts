import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { nameArguments } from './argument-names.js';
import type { Schema } from './schema.js';

const name = fc.oneof(
  fc.constantFrom(
    '$top',
    'top',
    '_top',
    '@odata.type',
    'a.b',
    'a b',
    'a_b',
    '名前',
    '',
    'x'.repeat(80),
    '1',
    '-',
  ),
  fc.string({ unit: 'grapheme', maxLength: 70 }),
);
const tool = fc.uniqueArray(name, { maxLength: 12 }).map((names) => ({
  name: 'tool',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
    required: names,
  },
}));
const propertiesOf = ({ properties }: Schema): readonly string[] => Object.keys(properties as object);

describe('the names of arguments', () => {
  it('for all: each is plain, none is told twice, a plain one stays, and arguments come back as they went', () => {
    fc.assert(
      fc.property(tool, (offered) => {
        const names = nameArguments([offered]);
        const own = propertiesOf(offered.parameters);
        const told = names.toSchema('tool', offered.parameters);
        expect(propertiesOf(told)).toHaveLength(own.length);
        expect([...(told.required as string[])].sort()).toEqual([...propertiesOf(told)].sort());
        for (const each of propertiesOf(told)) expect(each).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
        for (const each of own)
          if (/^[a-zA-Z0-9_.-]{1,64}$/.test(each)) expect(propertiesOf(told)).toContain(each);
        const args: JsonValue = Object.fromEntries(own.map((each, at) => [each, at]));
        const said = names.toTold('tool', args);
        expect(Object.keys(said as object).sort()).toEqual([...propertiesOf(told)].sort());
        expect(names.toOwn('tool', said)).toEqual(args);
      }),
      runs(500, 20_000),
    );
  });

  it('are understood as the tool has them too, and nothing that was said is lost', () => {
    const parameters = { properties: { $top: {}, path: {} } };
    const names = nameArguments([{ name: 'list', parameters }]);
    expect(names.toSchema('list', parameters)).toEqual({ properties: { top: {}, path: {} } });
    expect(names.toOwn('list', { top: 1, path: 'a' })).toEqual({ $top: 1, path: 'a' });
    expect(names.toOwn('list', { $top: 1 })).toEqual({ $top: 1 });
    expect(names.toOwn('list', { $top: 1, top: 2 })).toEqual({ $top: 1, top: 2 });
    expect(names.toOwn('other', { top: 1 })).toEqual({ top: 1 });
    expect(names.toOwn('list', 'words')).toBe('words');
  });
});
