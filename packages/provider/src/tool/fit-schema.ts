import { isSchema, type Schema } from './schema.js';

/**
 * A schema of a tool as vendors check it: JSON Schema of 2020-12, in which a list says what is in it. A request with
 * one schema that is not so is refused whole, so what does not fit is left out: what fits is checked when a call comes.
 * Older spellings are read. A schema that fits is answered as it is.
 */
export function fitSchema(schema: Schema): Schema {
  return fitNode(schema, { root: schema, depth: 0 });
}

interface Place {
  /** Where references lead into. */
  readonly root: Schema;
  readonly depth: number;
}

/** Deeper ones say nothing that a model would heed. */
const MAX_DEPTH = 24;

function fitNode(schema: unknown, place: Place): Schema {
  if (!isSchema(schema) || place.depth > MAX_DEPTH) return {};
  const within = { ...place, depth: place.depth + 1 };
  const fitted = Object.entries(renewed(schema)).flatMap(([key, value]) => {
    if (DROPPED.has(key)) return [];
    const fit = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined;
    const found = fit === undefined ? value : fit(value, within);
    return found === undefined ? [] : [[key, found] as const];
  });
  const made: Schema = Object.fromEntries(fitted);
  return isList(made) && made.items === undefined ? { ...made, items: {} } : made;
}

const isList = ({ type }: Schema): boolean => [type].flat().includes('array');

/** Bounds that a flag made exclusive, lists of items, and what OpenAPI says of null, as they are written today. */
function renewed(given: Schema): Schema {
  const schema = withNull(given);
  const { exclusiveMinimum: least, exclusiveMaximum: most, minimum, maximum, items } = schema;
  const isOld = typeof least === 'boolean' || typeof most === 'boolean' || Array.isArray(items);
  if (!isOld) return schema;
  const { exclusiveMinimum: _least, exclusiveMaximum: _most, ...rest } = schema;
  const kept = items as readonly unknown[];
  return {
    ...rest,
    ...(typeof least === 'boolean' ? least && { exclusiveMinimum: minimum } : { exclusiveMinimum: least }),
    ...(typeof most === 'boolean' ? most && { exclusiveMaximum: maximum } : { exclusiveMaximum: most }),
    ...(Array.isArray(items) && { items: kept.length > 0 ? { anyOf: kept } : {} }),
  };
}

function withNull(schema: Schema): Schema {
  if (!Object.hasOwn(schema, 'nullable')) return schema;
  const { nullable, ...rest } = schema;
  return nullable === true && typeof rest.type === 'string' ? { ...rest, type: [rest.type, 'null'] } : rest;
}

type Fit = (value: unknown, place: Place) => unknown;

const when =
  (isFit: (value: unknown) => boolean): Fit =>
  (value) =>
    isFit(value) ? value : undefined;

const text = when((value) => typeof value === 'string');
const flag = when((value) => typeof value === 'boolean');
const number = when((value) => Number.isFinite(value));
const count = when((value) => Number.isInteger(value) && Number(value) >= 0);
const list = when(Array.isArray);

/** A schema, or yes or no in its place. */
const schemaOrFlag: Fit = (value, place) =>
  typeof value === 'boolean' ? value : isSchema(value) ? fitNode(value, place) : undefined;
const schema: Fit = (value, place) =>
  isSchema(value) ? fitNode(value, place) : value === true || value === false ? {} : undefined;
const schemas: Fit = (value, place) => {
  const found = Array.isArray(value) ? value.filter((each) => isSchema(each) || each === true) : [];
  return found.length > 0 ? found.map((each) => fitNode(each, place)) : undefined;
};
const named: Fit = (value, place) =>
  isSchema(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) => {
          const found = each === false ? undefined : schema(each, place);
          return found === undefined ? [] : [[name, found] as const];
        }),
      )
    : undefined;

const TYPES: ReadonlySet<unknown> = new Set('string number integer boolean object array null'.split(' '));

const type: Fit = (value) => {
  if (!Array.isArray(value)) return TYPES.has(value) ? value : undefined;
  const known = [...new Set(value.filter((each) => TYPES.has(each)))];
  return known.length > 0 ? known : undefined;
};

const names: Fit = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((each) => typeof each === 'string'))] : undefined;

const pattern = when((value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
});

/** What leads nowhere is refused as the whole. */
const reference: Fit = (value, { root }) =>
  typeof value === 'string' && definitionAt(root, value) !== undefined ? value : undefined;

/** What a reference leads to within its schema. */
export function definitionAt(root: Schema, reference: string): Schema | undefined {
  if (reference === '#') return root;
  const [, key = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const all = root[key];
  const own = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const found = isSchema(all) && Object.hasOwn(all, own) ? all[own] : undefined;
  return isSchema(found) ? found : undefined;
}

const KEYWORDS: Readonly<Record<string, Fit>> = {
  type,
  required: names,
  enum: when((value) => Array.isArray(value) && value.length > 0),
  examples: list,
  pattern,
  $ref: reference,
  ...Object.fromEntries(
    ['title', 'description', '$comment', 'format', 'contentEncoding', 'contentMediaType'].map((key) => [
      key,
      text,
    ]),
  ),
  ...Object.fromEntries(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((key) => [key, flag])),
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((key) => [key, number]),
  ),
  ...Object.fromEntries(
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'
      .split(' ')
      .map((key) => [key, count]),
  ),
  multipleOf: when((value) => Number.isFinite(value) && Number(value) > 0),
  ...Object.fromEntries(
    ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'].map((key) => [
      key,
      named,
    ]),
  ),
  ...Object.fromEntries(['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((key) => [key, schemas])),
  items: schema,
  ...Object.fromEntries(
    'not if then else contains propertyNames additionalProperties unevaluatedItems unevaluatedProperties contentSchema'
      .split(' ')
      .map((key) => [key, schemaOrFlag]),
  ),
};

/** What names the schema itself, or is of drafts that have gone. */
const DROPPED: ReadonlySet<string> = new Set(
  '$schema $id id $anchor $vocabulary $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor dependencies dependentRequired additionalItems'.split(
    ' ',
  ),
);
