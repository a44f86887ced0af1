import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { checkAnswer, type GivenAnswer } from './answer.js';
import { findPattern } from './pattern.js';
import { checkText } from './text.js';
import { lacks, valueAt } from './value.js';

const paths = (failed: readonly { readonly path: string }[]) => failed.map(({ path }) => path);

describe('texts', () => {
  it.each([
    [{ contains: 'b' }, []],
    [{ contains: ['a', 'x', 'y'] }, ['t.contains', 't.contains']],
    [{ absent: 'x' }, []],
    [{ absent: ['b', 'c'] }, ['t.absent', 't.absent']],
    [{ matches: '^a.c$' }, []],
    [{ matches: '^b' }, ['t.matches']],
    [{ matches: '(' }, ['t.matches']],
  ])('%j', (checks, failed) => {
    expect(paths(checkText('abc', checks, 't'))).toEqual(failed);
  });

  it('bound the time of a pattern', () => {
    expect(findPattern('(a+)+$', `${'a'.repeat(31)}!`)).toBe('the pattern takes too long on this text');
  });
});

describe('values', () => {
  it.each<readonly [unknown, JsonValue, string | undefined]>([
    [{ a: 1, b: 2 }, { a: 1 }, undefined],
    [{ a: [1, 2] }, { a: [1] }, 'a has 2 entries, and 1 are expected'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b is 1, and 2 is expected'],
    [{}, { toString: null }, 'toString is missing, and null is expected'],
    [null, {}, 'it is null, and {} is expected'],
    ['1', 1, 'it is "1", and 1 is expected'],
  ])('%j has %j: %s', (value, expected, missing) => {
    expect(lacks(value, expected)).toBe(missing);
  });

  it('have all of themselves', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const clean = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(lacks(clean, clean)).toBeUndefined();
      }),
      runs(200, 10_000),
    );
  });

  it.each([
    ['a.b[1]', 3],
    ['$.a.b[0]', 2],
    ['["x y"]', 4],
    ['$', { a: { b: [2, 3] }, 'x y': 4 }],
    ['a.c', undefined],
    ['a.constructor', undefined],
  ])('at %s there is %j', (path, found) => {
    expect(valueAt({ a: { b: [2, 3] }, 'x y': 4 }, path)).toEqual(found);
  });
});

describe('answers', () => {
  const answer = (more: Partial<GivenAnswer>): GivenAnswer => ({ text: '', calls: [], ...more });
  const CALLS = [
    { name: 'find', args: { q: 'a', n: 2 } },
    { name: 'find', args: { q: 'b' } },
  ];
  const CASES: readonly (readonly [
    Partial<GivenAnswer>,
    Parameters<typeof checkAnswer>[1],
    readonly string[],
  ])[] = [
    [{ text: 'yes\n' }, { equals: 'yes' }, []],
    [{ text: 'no' }, { equals: 'yes' }, ['answer.equals']],
    [{ text: '{"a":{"b":1}}' }, { json: { 'a.b': 1, 'a.c': 2 } }, ['answer.json.a.c']],
    [{ text: 'Here:\n```json\n{"a":1}\n```\n' }, { json: { a: 1 } }, []],
    [{ text: 'a: 1' }, { json: {} }, ['answer.json']],
    [{ text: '[1]' }, { schema: { type: 'array', items: { type: 'number' } } }, []],
    [{ text: '["x"]' }, { schema: { type: 'array', items: { type: 'number' } } }, ['answer.schema']],
    [{ text: '"x"' }, { schema: { type: 'string', pattern: '(a+)+$' } }, ['answer.schema']],
    [{ text: '"x"' }, { schema: { type: 'nonsense' } }, ['answer.schema']],
    [{ text: '{}' }, { schema: { type: 'object', requierd: ['a'] } }, ['answer.schema']],
    [{ text: '{}' }, { schema: { required: ['a'] } }, ['answer.schema']],
    [{ text: '{"a":1}' }, { schema: { required: ['a'] } }, []],
    [{ text: '[1,1]' }, { schema: { type: 'array', uniqueItems: true } }, ['answer.schema']],
    [{ text: '{}' }, { schema: { minProperties: 1 } }, ['answer.schema']],
    [{ text: '{"a":1}' }, { schema: { dependentRequired: { a: ['b'] } } }, ['answer.schema']],
    [{ text: '{"a":{"b":2}}' }, { schema: { properties: { a: { const: { b: 1 } } } } }, ['answer.schema']],
    [{ text: '"no date"' }, { schema: { type: 'string', format: 'date' } }, ['answer.schema']],
    [{ text: '"2026-01-02"' }, { schema: { type: 'string', format: 'date' } }, []],
    [
      { text: '3' },
      { schema: { $schema: 'http://json-schema.org/draft-07/schema#', not: { type: 'number' } } },
      ['answer.schema'],
    ],
    [{ text: '{}' }, { schema: { $ref: 'https://example.com/other.json' } }, ['answer.schema']],
    [
      { text: '{"n":{"n":{"n":1}}}' },
      {
        schema: {
          $defs: { n: { properties: { n: { $ref: '#/$defs/n' } }, type: 'object' } },
          $ref: '#/$defs/n',
        },
      },
      ['answer.schema'],
    ],
    [{ calls: CALLS }, { calls: [{ name: 'find', args: { q: 'b' } }] }, []],
    [{ calls: CALLS }, { calls: [{ name: 'find', args: { q: 'c' } }] }, ['answer.calls[0]']],
    [{ calls: CALLS }, { calls: [{ name: 'find' }, { name: 'open' }] }, ['answer.calls[1]']],
    [{ calls: CALLS }, { calls: [] }, ['answer.calls']],
    [{}, { calls: [] }, []],
    [{ error: { code: 'E_X', message: 'x' } }, { contains: 'y' }, ['answer.error']],
    [{ error: { code: 'E_X', message: 'x' } }, { error: 'E_X' }, []],
    [{}, { error: 'E_X' }, ['answer.error']],
  ];

  it.each(CASES)('%j by %j', (given, checks, failed) => {
    expect(paths(checkAnswer(answer(given), checks))).toEqual(failed);
  });
});
