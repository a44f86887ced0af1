import { definitionAt } from '../../tool/fit-schema.js';
import { isSchema, type Schema } from '../../tool/schema.js';

/**
 * A schema in the part of it that Google reads: each node has a type or alternatives; fields of objects and of lists
 * stand with those types alone; a choice is one of texts. References are replaced by what they lead to, alternatives
 * are told as `anyOf`, and what all of several say is put together. What cannot be said so is said in words.
 */
export const googleSchema = (schema: Schema): Schema =>
  nodeOf(schema, { root: schema, open: [], size: { parts: 0 } });

interface Way {
  readonly root: Schema;
  /** What stands in the place of a reference already: what holds itself is any object. */
  readonly open: readonly Schema[];
  readonly size: { parts: number };
}

/** References within references multiply. */
const MAX_PARTS = 2_000;
const ANY_OBJECT: Schema = { type: 'object' };
const NULL: Schema = { type: 'null' };

function nodeOf(given: Schema, outer: Way): Schema {
  outer.size.parts += 1;
  if (outer.size.parts > MAX_PARTS) return ANY_OBJECT;
  const { way, schema } = whole(given, outer);
  const { anyOf, oneOf, description, ...own } = schema;
  const all = listOf(Array.isArray(anyOf) ? anyOf : oneOf);
  const alternatives = all.filter((each) => !isNull(each));
  const said = typeof description === 'string' ? description : '';
  const isNullable = alternatives.length < all.length || typesOf(own).includes('null');
  const made = isSchema(own.properties)
    ? [typed(offering(own, alternatives), 'object', way)]
    : alternatives.length > 0
      ? alternatives.map((each) => nodeOf(joined(each, own), way))
      : typesOf(own).flatMap((type) => (type === 'null' ? [] : [typed(own, type, way)]));
  return described(nullable(made, isNullable), said);
}

/** Alternatives, one of which may be nothing. */
function nullable(made: readonly Schema[], isNullable: boolean): Schema {
  const [first, ...more] = made;
  if (first === undefined) return NULL;
  if (more.length > 0) return { anyOf: [...made, ...(isNullable ? [NULL] : [])] };
  const { type, anyOf } = first;
  if (!isNullable) return first;
  return Array.isArray(anyOf)
    ? { ...first, anyOf: [...anyOf, NULL] }
    : { ...first, type: [...[type].flat(), 'null'] };
}

function described(node: Schema, said: string): Schema {
  const words = [said, node.description].filter((each) => typeof each === 'string' && each !== '');
  return words.length > 0 ? { ...node, description: words.join(' ') } : node;
}

/** An object that offers also what only some alternatives have. */
const offering = (own: Schema, alternatives: readonly Schema[]): Schema => ({
  ...own,
  properties: Object.assign({}, ...alternatives.map(({ properties }) => properties), own.properties),
});

/** With its reference replaced, and all that must hold put together: what stands here goes before what stands there. */
function whole(given: Schema, way: Way): { readonly schema: Schema; readonly way: Way } {
  const { $ref: reference, allOf, ...own } = given;
  const target = typeof reference === 'string' ? definitionAt(way.root, reference) : undefined;
  const isOpen = target !== undefined && way.open.includes(target);
  let within = target === undefined || isOpen ? way : { ...way, open: [...way.open, target] };
  let schema: Schema = own;
  for (const each of [...(target === undefined ? [] : [isOpen ? ANY_OBJECT : target]), ...listOf(allOf)]) {
    const found = whole(each, within);
    within = found.way;
    schema = joined(schema, found.schema);
  }
  return { schema, way: within };
}

const joined = (first: Schema, second: Schema): Schema => ({
  ...second,
  ...first,
  ...(isSchema(first.properties) &&
    isSchema(second.properties) && { properties: { ...second.properties, ...first.properties } }),
  ...(Array.isArray(first.required) &&
    Array.isArray(second.required) && { required: [...new Set([...first.required, ...second.required])] }),
});

const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const isNull = ({ type, enum: values, const: only }: Schema): boolean =>
  type === 'null' ||
  only === null ||
  (Array.isArray(values) && values.length > 0 && values.every((each) => each === null));

/** The types of a node; where it tells none, those of what it tells. */
function typesOf(schema: Schema): readonly string[] {
  const told = [schema.type].flat().filter((type): type is string => typeof type === 'string');
  if (told.length > 0) return told;
  const values = valuesOf(schema);
  if (values.length > 0) return [...new Set(values.map(typeOfValue))];
  if (schema.properties !== undefined || schema.required !== undefined) return ['object'];
  if (schema.items !== undefined) return ['array'];
  return ['string'];
}

const valuesOf = ({ enum: values, const: only }: Schema): readonly unknown[] =>
  Array.isArray(values) ? values : only === undefined ? [] : [only];

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function typed(schema: Schema, type: string, way: Way): Schema {
  const inner = (each: unknown): Schema => nodeOf(isSchema(each) ? each : {}, way);
  switch (type) {
    case 'object': {
      const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {});
      if (properties.length === 0) return ANY_OBJECT;
      const required = (Array.isArray(schema.required) ? schema.required : []).filter((name) =>
        properties.some(([each]) => each === name),
      );
      return {
        type,
        properties: Object.fromEntries(properties.map(([name, each]) => [name, inner(each)])),
        ...(required.length > 0 && { required }),
      };
    }
    case 'array':
      return { type, items: inner(schema.items) };
    default:
      return { type, ...formatOf(schema, type), ...choiceOf(schema, type) };
  }
}

function choiceOf(schema: Schema, type: string): Schema {
  const kind = type === 'integer' ? 'number' : type;
  const values = valuesOf(schema).filter((value) => typeof value === kind && value !== '');
  if (values.length === 0) return {};
  if (type === 'string') return { enum: values };
  return { description: `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.` };
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

const formatOf = ({ format }: Schema, type: string): Schema =>
  FORMATS[type]?.includes(String(format)) ? { format } : {};
