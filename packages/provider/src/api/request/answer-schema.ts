type Schema = Readonly<Record<string, unknown>>;

/**
 * Whether a schema is one that OpenAI holds an answer to by the letter: every object is closed, every property of
 * it is required, and nothing stands in it that only a looser mode takes. What is not is sent without `strict`.
 */
export function isStrictSchema(schema: unknown, depth = 0): boolean {
  if (!isSchema(schema) || depth > 10) return false;
  if (depth === 0 && schema.type !== 'object') return false;
  if (Object.keys(schema).some((key) => LOOSE_KEYS.has(key))) return false;
  const { properties, required, items, anyOf, $defs, definitions, type } = schema;
  if (type === 'object' || properties !== undefined) {
    if (!isSchema(properties) || schema.additionalProperties !== false) return false;
    const names = Object.keys(properties);
    const isAll = Array.isArray(required) && names.every((name) => required.includes(name));
    if (!isAll || !names.every((name) => isStrictSchema(properties[name], depth + 1))) return false;
  } else if (anyOf === undefined && schema.$ref === undefined && type === undefined && !('enum' in schema)) {
    return false;
  }
  const inner = [
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...Object.values(isSchema($defs) ? $defs : {}),
    ...Object.values(isSchema(definitions) ? definitions : {}),
  ];
  return inner.every((each) => isStrictSchema(each, depth + 1));
}

const LOOSE_KEYS: ReadonlySet<string> = new Set([
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
  'prefixItems',
  'contains',
  'uniqueItems',
  'default',
]);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
