import { Ajv2020 } from 'ajv/dist/2020.js';
import { field, listOf } from '../request.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const draft = new Ajv2020({ strict: false, logger: false });

/** Whether it is JSON Schema of 2020-12, by which OpenAI and Anthropic check each schema of a tool. */
export function isDraftSchema(schema: unknown): boolean {
  const { $schema: _, ...rest } = isObject(schema) ? schema : {};
  return isObject(schema) && draft.validateSchema(rest) === true;
}

/** What OpenAI says to a list that does not say of what, however loosely it takes the schema. */
export function listProblem(schema: unknown, path = '()'): string | undefined {
  if (!isObject(schema)) return undefined;
  if ([schema.type].flat().includes('array') && schema.items === undefined)
    return `In context=${path}, array schema missing items.`;
  for (const [key, value] of Object.entries(schema)) {
    const isMap = ['properties', '$defs', 'definitions', 'patternProperties'].includes(key);
    const inner = isMap
      ? Object.entries(Object(value))
      : KEYS_OF_SCHEMAS.has(key)
        ? [value].flat().map((each) => [key, each])
        : [];
    for (const [name, each] of inner) {
      const problem = listProblem(each, `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

const KEYS_OF_SCHEMAS: ReadonlySet<string> = new Set(
  'items anyOf oneOf allOf not additionalProperties prefixItems'.split(' '),
);

/** What Anthropic says to names of arguments. */
export const keyProblem = (schema: unknown): string | undefined =>
  Object.keys(Object(field(schema, 'properties'))).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    ? undefined
    : "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'";

/** What OpenAI and Anthropic say to a tool whose arguments are not one plain object. */
export function topLevelProblem(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== 'object')
    return 'schema must be a JSON Schema of \'type: "object"\'';
  const mixed = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((key) => key in schema);
  return mixed === undefined ? undefined : `schema must not have '${mixed}' at the top level`;
}

/** What OpenAI says to a schema that is to be held to by the letter. */
export function strictProblem(schema: unknown, path = '()'): string | undefined {
  if (!isObject(schema)) return `In context=${path}, schema must be an object.`;
  if (schema.type === 'object' || isObject(schema.properties)) {
    if (schema.additionalProperties !== false)
      return `In context=${path}, 'additionalProperties' is required to be supplied and to be false.`;
    const names = Object.keys(isObject(schema.properties) ? schema.properties : {});
    const missing = names.find((name) => !listOf(schema.required).includes(name));
    if (missing !== undefined)
      return `In context=${path}, 'required' is required to be supplied and to include every key in properties. Missing '${missing}'.`;
  }
  const loose = ['oneOf', 'allOf', 'not', 'patternProperties', 'if', 'default'].find((key) => key in schema);
  if (loose !== undefined) return `In context=${path}, '${loose}' is not permitted.`;
  const inner = [
    ...Object.entries(isObject(schema.properties) ? schema.properties : {}),
    ...listOf(schema.anyOf).map((each, index) => [`anyOf ${index}`, each] as const),
    ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
    ...Object.entries(isObject(schema.$defs) ? schema.$defs : {}),
  ];
  for (const [name, each] of inner) {
    const problem = strictProblem(each, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The fields of Google's own Schema, a part of OpenAPI. */
const GOOGLE_FIELDS: ReadonlySet<string> = new Set(
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum'.split(
    ' ',
  ),
);

const GOOGLE_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** What Google says to a schema that is not of its kind. */
export function googleProblem(schema: unknown, path: string): string | undefined {
  if (!isObject(schema)) return `Invalid value at '${path}'`;
  const unknown = Object.keys(schema).find((key) => !GOOGLE_FIELDS.has(key));
  if (unknown !== undefined)
    return `Invalid JSON payload received. Unknown name "${unknown}" at '${path}': Cannot find field.`;
  if (Array.isArray(schema.type)) return `Proto field is not repeating, cannot start list. (${path}.type)`;
  if (listOf(schema.enum).length > 0 && schema.type !== undefined && !/^string$/i.test(String(schema.type)))
    return `${path}.enum: only allowed for STRING type`;
  if (listOf(schema.enum).some((value) => typeof value !== 'string' || value === ''))
    return `${path}.enum: cannot be empty`;
  const type = String(schema.type ?? '').toLowerCase();
  if (type === '' && schema.anyOf === undefined)
    return `${path}.type: must be specified when not using one_of, any_of or all_of fields`;
  if (schema.anyOf !== undefined && listOf(schema.anyOf).length === 0)
    return `${path}.any_of: cannot be empty`;
  if (type !== 'object' && (schema.properties !== undefined || schema.required !== undefined))
    return `${path}.properties: only allowed for OBJECT type`;
  if (type !== 'array' && schema.items !== undefined)
    return `${path}.items: field predicate failed: == Type.ARRAY`;
  if (schema.format !== undefined && !GOOGLE_FORMATS[type]?.includes(String(schema.format)))
    return `${path}.format: only ${GOOGLE_FORMATS[type]?.join(' and ') ?? 'none'} are supported for ${type.toUpperCase()} type`;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const stray = listOf(schema.required).find((name) => !Object.hasOwn(properties, String(name)));
  if (stray !== undefined) return `${path}.required: property is not defined: ${stray}`;
  if (/^array$/i.test(String(schema.type)) && schema.items === undefined)
    return `${path}.items: missing field.`;
  const inner = [
    ...Object.entries(properties).map(([name, each]) => [`properties.${name}`, each] as const),
    ...listOf(schema.anyOf).map((each, index) => [`any_of[${index}]`, each] as const),
    ...(schema.items === undefined ? [] : [['items', field(schema, 'items')] as const]),
  ];
  for (const [name, each] of inner) {
    const problem = googleProblem(each, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
