import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describe as described } from '../../bin/describe.js';

const a = z.object({ a: z.string() });
const b = z.object({ b: z.number() });
const text = (schema: z.ZodType, value: unknown) => [z.object({ v: schema }), { v: value }] as const;

// A schema and a value that it takes. What a model is told must take the value too: an API that keeps models to the
// schema could never send it otherwise.
const TAKEN: readonly (readonly [string, readonly [z.ZodType, unknown]])[] = [
  ['an intersection', text(a.and(b), { a: 'x', b: 1 })],
  ['an intersection of three', text(a.and(b).and(z.object({ c: z.string() })), { a: 'x', b: 1, c: '' })],
  ['an intersection with a record', text(a.and(z.record(z.string(), z.unknown())), { a: 'x', c: 1 })],
  ['an intersection with a union', text(a.and(z.union([b, z.object({ c: z.string() })])), { a: 'x', c: '' })],
  ['an intersection of shared schemas', text(a.meta({ id: 'A' }).and(b.meta({ id: 'B' })), { a: 'x', b: 1 })],
  ['a record with an intersection', text(z.record(z.string(), a.and(b)), { k: { a: 'x', b: 1 } })],
];

it.each(TAKEN)(
  'what a schema takes is taken by what a model is told of it: %s',
  async (_, [schema, value]) => {
    expect(schema.safeParse(value).success).toBe(true);
    const { data } = await described({ requiredSchema: schema });
    const { $schema } = (data as { requiredSchema: { $schema: object } }).requiredSchema;
    expect(new Ajv2020({ strict: false }).validate($schema, value), JSON.stringify($schema)).toBe(true);
  },
);

it('fields that no part of an intersection knows stay refused elsewhere', async () => {
  const { data } = await described({ requiredSchema: z.object({ v: a, w: a.and(b) }) });
  expect(data).toMatchObject({
    requiredSchema: {
      $schema: { additionalProperties: false, properties: { v: { additionalProperties: false } } },
    },
  });
});
