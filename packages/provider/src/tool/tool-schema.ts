import { guarded } from '@cuebook/guard';
import { definitionAt, fitSchema } from './fit-schema.js';
import { isSchema, type Schema } from './schema.js';

/**
 * The arguments of a tool as one object, which is all that vendors take at the top of a schema. The properties of
 * alternatives are all offered there, and none of those that only one alternative wants is required; what fits
 * is checked when the call comes.
 */
export const toolSchema = (parameters: Schema = {}): Schema => objectOf(parameters, 0);

function objectOf(parameters: Schema, depth: number): Schema {
  const {
    oneOf,
    anyOf,
    allOf,
    $ref,
    not: _not,
    enum: _enum,
    const: _const,
    type: _type,
    ...rest
  } = guarded('tool.fit', fitSchema, parameters);
  const target = typeof $ref === 'string' && depth < MAX_DEPTH ? definitionAt(parameters, $ref) : undefined;
  const referred =
    target === undefined ? [] : [objectOf({ ...parameters, $ref: undefined, ...target }, depth + 1)];
  const whole = [...branches(allOf), ...referred];
  const parts = [...branches(oneOf), ...branches(anyOf), ...whole];
  const properties = Object.assign({}, ...parts.map(propertiesOf), propertiesOf(rest));
  const wanted = new Set(
    [rest, ...whole].flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  );
  const required = [...wanted].filter((name) => Object.hasOwn(properties, name as string));
  const { required: _required, ...others } = rest;
  return { ...others, type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** References from one to the next, of those at the top. */
const MAX_DEPTH = 4;

const branches = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const propertiesOf = ({ properties }: Schema): Schema => (isSchema(properties) ? properties : {});
