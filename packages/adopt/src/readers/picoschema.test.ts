import { picoschema as library } from 'dotprompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { picoschema } from './picoschema.js';

const name = fc.constantFrom(
  'a',
  'b',
  'type',
  'größe',
  'a b',
  'properties',
  'required',
  'constructor',
  '',
  '?',
);
const type = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('string', 'number', 'any', 'null', 'boolean', 'integer') },
  { weight: 1, arbitrary: fc.constantFrom('Foo', 'object', 'array', 'String', '') },
);
const about = fc.constantFrom('', ', why', ',why', ', a, b', ',', ', ', ', (x)', ', a)b');
const kind = fc.constantFrom(
  '',
  '(array)',
  '(array, list)',
  '(object, o)',
  '(enum, pick)',
  '(enum)',
  '(string)',
  '()',
  '(',
  '(array, x (y))',
);
const scalar = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(type, about).map(([of, why]) => of + why) },
  { weight: 1, arbitrary: fc.constantFrom(1, true, null, ['A', 'B'], [null, 'A'], []) },
);
const { map } = fc.letrec((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, scalar, tie('map')),
  map: fc
    .array(
      fc.tuple(
        fc.oneof(
          { weight: 9, arbitrary: fc.tuple(name, fc.constantFrom('', '?'), kind) },
          { weight: 1, arbitrary: fc.constant(['(*)', '', '']) },
        ),
        tie('schema'),
      ),
      { maxLength: 4 },
    )
    .map((fields) => Object.fromEntries(fields.map(([key, value]) => [(key as string[]).join(''), value]))),
}));
const isJsonSchema = (value: object): boolean =>
  typeof (value as { properties?: unknown }).properties === 'object' ||
  ['any', 'boolean', 'integer', 'null', 'number', 'string', 'object', 'array'].includes(
    String((value as { type?: unknown }).type),
  );

describe('a schema in the short form of dotprompt', () => {
  it('is the JSON Schema that the library makes of it, or none', async () => {
    let known = 0;
    await fc.assert(
      fc.asyncProperty(map, async (value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value) || isJsonSchema(value))
          return;
        const theirs = await library(structuredClone(value), {}).catch(() => undefined);
        const ours = picoschema(value);
        // What is no schema for anybody is refused here, whatever the library makes of it.
        if (ours === undefined) return;
        known += 1;
        expect(ours).toEqual(JSON.parse(JSON.stringify(theirs)));
      }),
      runs(3000, 50_000),
    );
    expect(known).toBeGreaterThan(20);
  });

  it.each([
    ['a field', { a: 'string, why' }],
    ['optional', { 'a?': 'any', 'b?': 'number' }],
    ['lists', { 'a(array, list)': 'string', 'b?(array)': { c: 'integer' } }],
    ['maps', { 'a(object, o)': { k: 'any' }, 'b?(object)': {} }],
    ['words', { 'a?(enum, pick)': ['A', 'B'], 'b(enum)': ['C'] }],
    ['any other field', { a: 'string', '(*)': 'number' }],
    ['nothing', {}],
  ])('is taken: %s', async (_what, value) => {
    const theirs = await library(structuredClone(value), {});
    expect(picoschema(value)).toEqual(JSON.parse(JSON.stringify(theirs)));
  });

  it.each([
    [{ a: 'Foo' }],
    [{ 'a(string)': 'x' }],
    [{ 'a(array)': 'Foo' }],
    [{ 'a(enum)': 'A' }],
    ['string'],
    [null],
    [['a']],
    [JSON.parse('{"__proto__":"string"}')],
  ])('is none: %j', (value) => {
    expect(picoschema(value)).toBeUndefined();
  });
});
