import { guard } from '@cuebook/guard';
import { fail, neutralBody, ok, type Redactor, type Result } from '@cuebook/prompt';

type Schema = Readonly<Record<string, unknown>>;

/** What a schema of a stranger may be at most. */
const MAX_DEPTH = 8;
const MAX_PARTS = 400;
const MAX_NAME = 64;
const MAX_VALUES = 64;

/**
 * The shape of a schema, without a word of whoever wrote it: types, properties, what is required, bounds that are
 * numbers, and short plain values to choose from. Descriptions, titles, comments, defaults, examples and patterns
 * are prose or can hold it, so they go; the server itself still judges the arguments. A name of a property cannot
 * be changed, because the call must bear it: one that is not plain is a problem, told without its words.
 */
export function cleanSchema(schema: unknown, redactor: Redactor): Result<Schema, string> {
  const cleaner = createCleaner(redactor);
  const cleaned = cleaner.clean(schema, 0);
  if (cleaner.problem() !== undefined) return fail(cleaner.problem() as string);
  return ok({ properties: {}, ...cleaned, type: 'object' });
}

function createCleaner(redactor: Redactor) {
  let problem: string | undefined;
  let parts = 0;

  const isPlain = (name: string): boolean =>
    /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*$/u.test(name) &&
    name.length <= MAX_NAME &&
    name.normalize('NFKC') === name &&
    neutralBody(name) === name &&
    redactor.redactText(name).text === name;

  const named = (value: unknown, depth: number): Schema | undefined => {
    if (!isSchema(value)) return undefined;
    const entries = Object.entries(value);
    if (
      guard(
        'mcp.property',
        entries.some(([name]) => !isPlain(name)),
      )
    ) {
      problem ??=
        'a property of its schema has a name with blanks, hidden characters or something private in it';
    }
    return Object.fromEntries(entries.map(([name, each]) => [name, clean(each, depth + 1)]));
  };

  /** One of a few short words or numbers; anything else could be prose. */
  const choices = (value: unknown): readonly unknown[] | undefined => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) return undefined;
    const isToken = (each: unknown): boolean =>
      typeof each === 'number' ||
      typeof each === 'boolean' ||
      each === null ||
      (typeof each === 'string' && TOKEN.test(each) && redactor.redactText(each).text === each);
    return guard('mcp.choice', !value.every(isToken)) ? undefined : value;
  };

  const listed = (value: unknown, depth: number): readonly Schema[] | undefined =>
    Array.isArray(value) && value.length > 0 ? value.map((each) => clean(each, depth + 1)) : undefined;

  const clean = (schema: unknown, depth: number): Schema => {
    parts += 1;
    if (guard('mcp.schema-size', depth > MAX_DEPTH || parts > MAX_PARTS)) {
      problem ??= `its schema has more than ${MAX_PARTS} parts, or is nested more than ${MAX_DEPTH} deep`;
      return {};
    }
    if (!isSchema(schema)) return {};
    const properties = named(schema.properties, depth);
    const required = Array.isArray(schema.required)
      ? schema.required.filter((name) => typeof name === 'string' && Object.hasOwn(properties ?? {}, name))
      : undefined;
    const { items, additionalProperties: more, $ref: reference, const: only } = schema;
    const found = {
      type: typesOf(schema.type),
      properties,
      required,
      items: isSchema(items) ? clean(items, depth + 1) : undefined,
      additionalProperties: isSchema(more)
        ? clean(more, depth + 1)
        : typeof more === 'boolean'
          ? more
          : undefined,
      enum: choices(schema.enum) ?? choices(only === undefined ? undefined : [only]),
      anyOf: listed(schema.anyOf, depth),
      oneOf: listed(schema.oneOf, depth),
      allOf: listed(schema.allOf, depth),
      $defs: named(schema.$defs, depth),
      definitions: named(schema.definitions, depth),
      $ref: typeof reference === 'string' && REFERENCE.test(reference) ? reference : undefined,
      format: typeof schema.format === 'string' && FORMATS.has(schema.format) ? schema.format : undefined,
      ...numbersOf(schema),
    };
    return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  };

  return { clean, problem: () => problem };
}

const TOKEN = /^[\p{L}\p{N}_.:+@/#-]{1,64}$/u;
const REFERENCE = /^#(?:\/(?:\$defs|definitions)\/[\w.-]{1,64})?$/;

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

function typesOf(type: unknown): unknown {
  if (TYPES.has(type)) return type;
  return Array.isArray(type) && type.length > 0 && type.every((each) => TYPES.has(each)) ? type : undefined;
}

const FORMATS: ReadonlySet<string> = new Set(
  'date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid byte binary int32 int64 float double'.split(
    ' ',
  ),
);

const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

const numbersOf = (schema: Schema): Schema =>
  Object.fromEntries(NUMBERS.flatMap((key) => (typeof schema[key] === 'number' ? [[key, schema[key]]] : [])));

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
