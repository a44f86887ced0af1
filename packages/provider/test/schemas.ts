import fc from 'fast-check';

/** Schemas of tools as strangers write them: of every draft, with mistakes, and with names of every kind. */

const NAMES = [
  ...['path', 'a.b', '$top', '@odata.type', 'a b', '名前', 'top', '_top', 'x'.repeat(80), '', 'toString'],
  ...['a/b', '__proto__x', '1st', '-x', 'naïve', 'constructor'],
];
const name = fc.constantFrom(...NAMES);
const value = fc.oneof(
  fc.constantFrom<unknown>('a', 'b', '', 1, 2.5, true, null, 'a b'),
  fc.constant({ odd: true }),
  fc.constant([1]),
);
const type = fc.oneof(
  fc.constantFrom<unknown>('string', 'number', 'integer', 'boolean', 'object', 'array', 'null'),
  fc.constantFrom<unknown>('any', 'float', 'String', '', 3, null, [], ['any'], ['string', 'string']),
  fc.subarray(['string', 'array', 'null', 'object', 'integer'], { minLength: 1 }),
);
const reference = fc.constantFrom<unknown>(
  ...['#', '#/$defs/a', '#/definitions/b', '#/$defs/gone', '#/properties/path', 'https://x.test/s.json', 7],
);
const number = fc.constantFrom<unknown>(0, 1, -1, 2.5, true, false, '3', null);

const keywords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  required: fc.oneof(fc.array(name, { maxLength: 3 }), fc.constantFrom(true, 'path')),
  enum: fc.oneof(fc.array(value, { maxLength: 4 }), value),
  ...{ const: value, $ref: reference, minimum: number, exclusiveMinimum: number, minLength: number },
  ...{ multipleOf: number, uniqueItems: number, default: value, examples: value, nullable: fc.boolean() },
  format: fc.constantFrom<unknown>('uri', 'date-time', 'int32', 'email', 3),
  pattern: fc.constantFrom('^a', '(', '(?=x)y'),
  description: fc.constantFrom<unknown>('Words.', '', 3, null),
  ...{ title: fc.constantFrom<unknown>('T', 4), $id: fc.constant('x y'), id: fc.constant(3) },
  $schema: fc.constant('http://json-schema.org/draft-07/schema#'),
};

const pairs = (all: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  Object.entries(all).map(([key, each]) => each.map((found) => [key, found] as const));

const node = fc.letrec<{ schema: unknown }>((tie) => {
  const schema = tie('schema');
  const many = fc.oneof(
    { weight: 6, arbitrary: fc.array(schema, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>({}, 'x', null) },
  );
  const fields = fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(name, schema, { maxKeys: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>([], 'x', null) },
  );
  const holding = {
    ...{
      properties: fields,
      items: fc.oneof(schema, many),
      anyOf: many,
      oneOf: many,
      allOf: many,
      not: schema,
    },
    ...{
      additionalProperties: fc.oneof(fc.boolean(), schema, fc.constant('no')),
      $defs: fields,
      definitions: fields,
    },
    ...{ prefixItems: many, propertyNames: schema, patternProperties: fields, dependencies: fields },
  };
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom<unknown>({ type: 'string' }, {}, true, false, { type: 'array' }, null, 'string'),
      fc
        .array(fc.oneof(...pairs({ type, ...keywords, ...holding })), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  };
}).schema;

/** One of an object, as most are. */
export const strangeSchema: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(
    node.filter((each) => typeof each === 'object' && each !== null && !Array.isArray(each)),
    fc.dictionary(name, node, { maxKeys: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b'), node, { maxKeys: 2 }),
    fc.boolean(),
  )
  .map(([given, properties, $defs, isPlain]) => ({
    ...(given as object),
    ...(isPlain && { type: 'object', properties, $defs, definitions: $defs }),
  }));
