import { z } from 'zod';

/** A function, as the loading thread tells of it. */
export const functionValue = z.custom<{ readonly $fn: string }>(
  (value) => isRecord(value) && typeof value.$fn === 'string',
  'a function is needed',
);

/** An object schema of zod, as its JSON Schema. */
export const schemaValue = z.unknown().transform((value, context): JsonSchema => {
  if (isRecord(value) && isRecord(value.$schema)) {
    if (value.$schema.type === 'object') return value.$schema;
    context.addIssue('the schema must be that of an object: z.object({ … })');
  } else if (isRecord(value) && typeof value.$badSchema === 'string') {
    context.addIssue(`the schema has no JSON Schema: ${value.$badSchema}`);
  } else context.addIssue('a schema of zod 4 is needed: z.object({ … })');
  return z.NEVER;
});

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A text that says something. */
export const filled = z
  .string('a string is needed')
  .min(1, 'must not be empty')
  .refine(isNotBlank, 'must not be blank');

/** A name of a definition. A slash is for names of packages. */
export const definitionName = filled.refine(
  (name) => !/[\s/@:]/.test(name),
  'a name has no blank, slash, colon or @',
);

export const flag = z.boolean('true or false is needed');
export const count = z.int('a whole number is needed').positive('a positive whole number is needed');
export const price = z.number('a number is needed').nonnegative('must not be negative');
export const env = z.record(z.string(), z.string('values are strings'), 'an object of strings is needed');

export const oneOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z.enum(names, `one of ${names.join(', ')} is needed`);

export const variables = z.array(
  z.strictObject({
    name: filled.regex(/^[A-Za-z_]\w*$/, 'a variable has letters, digits and underscores'),
    type: oneOf('text', 'secret'),
    required: flag,
    description: z.string('a string is needed'),
    scoped: flag.optional(),
  }),
  'a list is needed',
);

export type VariableData = z.infer<typeof variables>[number];

function isNotBlank(text: string): boolean {
  return text === '' || text.trim() !== '';
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
