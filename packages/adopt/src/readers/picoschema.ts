type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SCALARS = ['any', 'boolean', 'integer', 'null', 'number', 'string'];

/**
 * The short form of schemas that dotprompt has, as JSON Schema. Undefined where a name would have to be resolved, or where the
 * library has no answer. A map is in the short form when it is no JSON Schema: it has neither `properties` nor a known `type`.
 */
export function picoschema(value: unknown): Plain | undefined {
  return isMap(value) ? objectOf(value) : undefined;
}

function schemaOf(value: unknown): Plain | undefined {
  if (isMap(value)) return objectOf(value);
  if (typeof value !== 'string') return undefined;
  const [type, description] = described(value);
  if (!SCALARS.includes(type)) return undefined;
  return { ...(type === 'any' ? {} : { type }), ...description };
}

function objectOf(fields: Plain): Plain | undefined {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  let additionalProperties: unknown = false;
  for (const [key, value] of Object.entries(fields)) {
    if (key === '(*)') {
      additionalProperties = schemaOf(value);
      if (additionalProperties === undefined) return undefined;
      continue;
    }
    const [written = '', kind] = key.split('(');
    const isOptional = written.endsWith('?');
    const name = isOptional ? written.slice(0, -1) : written;
    const property = name === '__proto__' ? undefined : propertyOf(value, kind, isOptional);
    if (property === undefined) return undefined;
    if (!isOptional) required.push(name);
    properties[name] = property;
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties,
  };
}

/** One field: `kind` is what stands in the parentheses behind its name. */
function propertyOf(value: unknown, kind: string | undefined, isOptional: boolean): Plain | undefined {
  if (kind === undefined || kind === '') return orNull(schemaOf(value), isOptional);
  const [type, description] = described(kind.slice(0, -1));
  if (type === 'array') {
    const items = schemaOf(value);
    return items && { ...orNull({ type, items }, isOptional), ...description };
  }
  if (type === 'object') {
    const schema = schemaOf(value);
    // The library has no type for what may be anything and may be left out.
    if (schema === undefined || (isOptional && typeof schema.type !== 'string')) return undefined;
    return { ...orNull(schema, isOptional), ...description };
  }
  if (type !== 'enum' || !Array.isArray(value)) return undefined;
  const words: readonly unknown[] = value;
  return { enum: isOptional && !words.includes(null) ? [...words, null] : words, ...description };
}

const orNull = (schema: Plain | undefined, isOptional: boolean): Plain | undefined =>
  schema !== undefined && isOptional && typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : schema;

/** A type, and what stands behind its first comma. */
function described(text: string): readonly [string, { readonly description?: string }] {
  const match = /^(.*?), *(.*)$/.exec(text);
  const description = match?.[2] ?? '';
  return [match?.[1] ?? text, description === '' ? {} : { description }];
}
