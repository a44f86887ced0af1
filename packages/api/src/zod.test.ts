import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runs } from '../../../test/runs.js';
import { ROUTES } from './route/table.js';
import * as late from './zod.js';

/** The same schema made by zod itself and by the one that waits. */
type Pair = readonly [own: z.ZodType, late: z.ZodType];

const both = (make: (from: typeof z) => z.ZodType): Pair => [make(z), make(late as unknown as typeof z)];

const leaf: fc.Arbitrary<Pair> = fc.constantFrom(
  both((from) =>
    from
      .string()
      .trim()
      .min(1)
      .max(5)
      .regex(/^[a-z]/),
  ),
  both((from) => from.number().int().gt(1).lt(9)),
  both((from) => from.number().positive().default(3)),
  both((from) => from.coerce.number().int()),
  both((from) => from.int().min(0).catch(7)),
  both((from) => from.boolean()),
  both((from) => from.enum(['a', 'b'])),
  both((from) => from.literal('a')),
  both((from) => from.null()),
  both((from) => from.url()),
);

/** Schemas of schemas, and what is derived from them. */
const pair = fc.letrec<{ any: Pair }>((tie) => {
  const one = tie('any');
  const of = (make: (from: typeof z, inner: z.ZodType) => z.ZodType): fc.Arbitrary<Pair> =>
    one.map(([own, inner]) => [make(z, own), make(late as unknown as typeof z, inner)] as const);
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      of((from, inner) => from.array(inner).max(3)),
      of((from, inner) => from.record(from.string(), inner)),
      of((from, inner) => from.union([inner, from.string()])),
      of((from, inner) => from.lazy(() => inner)),
      of((_, inner) => inner.optional()),
      of((_, inner) => inner.nullable()),
      of((_, inner) => inner.refine((value) => value !== 'a', 'not a')),
      of((from, inner) => from.object({ a: inner.optional(), b: from.string() }).extend({ c: inner })),
      of((from, inner) => from.strictObject({ a: inner, b: from.int() }).omit({ b: true }).partial()),
      of((from, inner) =>
        from.discriminatedUnion('type', [
          from.object({ type: from.literal('a'), inner }),
          from.object({ type: from.literal('b') }),
        ]),
      ),
    ),
  };
}).any;

const given = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    'a',
    'ab ',
    3,
    null,
    'https://a.example',
    { a: 'a', b: 'b', c: 3 },
    { type: 'a', inner: 'a' },
  ),
);

const asked = ({ success, data, error }: z.ZodSafeParseResult<unknown>) => ({
  success,
  data,
  issues: error?.issues,
});

describe('a schema that is built at the first look', () => {
  it('answers what the schema itself answers', () => {
    fc.assert(
      fc.property(pair, fc.array(given, { maxLength: 5 }), ([own, stands], values) => {
        for (const value of values)
          expect(asked(stands.safeParse(value))).toEqual(asked(own.safeParse(value)));
        expect(z.toJSONSchema(late.built(stands), { io: 'input', unrepresentable: 'any' })).toEqual(
          z.toJSONSchema(own, { io: 'input', unrepresentable: 'any' }),
        );
      }),
      runs(300, 10_000),
    );
  });

  it('is a schema to zod: by its class, by the standard, and inside of another', () => {
    const stands = late.strictObject({ a: late.string() });
    expect(stands instanceof z.ZodObject).toBe(true);
    expect('shape' in stands).toBe(true);
    expect(stands['~standard'].validate({ a: 'b' })).toEqual({ value: { a: 'b' } });
    expect(z.array(stands).safeParse([{ a: 1 }]).success).toBe(false);
    expect(late.built(stands)).toBe(late.built(stands));
  });

  it('every route has schemas that can be built', () => {
    for (const { params, query, body, answer } of Object.values(ROUTES) as readonly Partial<
      Record<'params' | 'query' | 'body' | 'answer', z.ZodType>
    >[])
      for (const schema of [params, query, body, answer])
        if (schema) expect(late.built(schema)).toHaveProperty('_zod');
  });
});
