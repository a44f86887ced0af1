import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { strangeSchema } from '../../test/schemas.js';
import { googleSchema } from '../api/request/google-schema.js';
import { fitSchema } from './fit-schema.js';
import { toolSchema } from './tool-schema.js';

const ajv = new Ajv2020({ strict: false, logger: false });

describe('a schema of a tool', () => {
  it('for all: is one of 2020-12 and compiles, and what fits stays as it is', () => {
    fc.assert(
      fc.property(strangeSchema, (given) => {
        const fitted = fitSchema(given);
        expect(ajv.validateSchema(fitted)).toBe(true);
        expect(() =>
          new Ajv2020({ strict: false, logger: false, validateFormats: false }).compile(fitted),
        ).not.toThrow();
        expect(fitSchema(fitted)).toEqual(fitted);
      }),
      runs(500, 20_000),
    );
  });

  it.each([
    [
      'a bound of an older draft',
      { minimum: 1, exclusiveMinimum: true },
      { minimum: 1, exclusiveMinimum: 1 },
    ],
    [
      'a list of items',
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }] } },
    ],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['a type that there is not', { type: 'any', description: 'x' }, { description: 'x' }],
    ['a reference that leads nowhere', { $ref: '#/$defs/gone' }, {}],
    [
      'what every property says by itself',
      { properties: { a: { required: true } } },
      { properties: { a: {} } },
    ],
    [
      'a name of another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      { type: 'object' },
    ],
  ])('is read where it has %s', (_name, given, fitted) => {
    expect(fitSchema(given)).toEqual(fitted);
  });

  it('at the top is one object, also where a reference or alternatives say what it is', () => {
    const $defs = {
      args: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      loop: { $ref: '#/$defs/loop' },
    };
    expect(toolSchema({ $ref: '#/$defs/args', $defs })).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    expect(toolSchema({ $ref: '#/$defs/loop', $defs })).toMatchObject({ type: 'object', properties: {} });
  });
});

describe('the same for Google', () => {
  const of = (property: Readonly<Record<string, unknown>>, $defs: object = {}) =>
    (
      googleSchema({ type: 'object', properties: { a: property }, $defs }).properties as Record<
        string,
        unknown
      >
    ).a;

  it.each([
    ['a text', { type: 'string', description: 'Words.' }, { type: 'string', description: 'Words.' }],
    ['a choice of texts', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'a choice of numbers',
      { type: 'integer', enum: [1, 2] },
      { type: 'integer', description: 'One of 1, 2.' },
    ],
    [
      'a choice of kinds',
      { enum: ['a', 1] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'number', description: 'One of 1.' },
        ],
      },
    ],
    ['one that may be nothing', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['an address', { type: 'string', format: 'uri' }, { type: 'string' }],
    ['a moment', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'either',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'all of several',
      { allOf: [{ properties: { x: {} } }, { properties: { y: { type: 'number' } } }] },
      { type: 'object', properties: { x: { type: 'string' }, y: { type: 'number' } } },
    ],
    [
      'fields and alternatives',
      { properties: { x: {} }, anyOf: [{ required: ['x'] }, { properties: { y: {} } }] },
      { type: 'object', properties: { y: { type: 'string' }, x: { type: 'string' } } },
    ],
    ['a list of anything', { type: 'array', items: {} }, { type: 'array', items: { type: 'string' } }],
    ['anything', {}, { type: 'string' }],
    ['nothing', { type: 'null' }, { type: 'null' }],
  ])('says what it can of %s', (_name, given, told) => {
    expect(of(given)).toEqual(told);
  });

  it('has what a reference leads to, and any object where that holds itself', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } };
    expect(of({ $ref: '#/$defs/word' }, { word: { type: 'string', enum: ['a'] } })).toEqual({
      type: 'string',
      enum: ['a'],
    });
    expect(of({ $ref: '#/$defs/tree' }, { tree })).toEqual({
      type: 'object',
      properties: { next: { type: 'object' } },
    });
  });

  it('ends where references multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        { properties: { x: { $ref: `#/$defs/d${at + 1}` }, y: { $ref: `#/$defs/d${at + 1}` } } },
      ]),
    );
    expect(JSON.stringify(of({ $ref: '#/$defs/d0' }, $defs)).length).toBeLessThan(400_000);
  });
});
