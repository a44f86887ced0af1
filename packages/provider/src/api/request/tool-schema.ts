type Schema = Readonly<Record<string, unknown>>;

/**
 * The arguments of a tool as one object, which is all that vendors take at the top of a schema. The properties of
 * alternatives are all offered there, and none of those that only one alternative wants is required; what fits
 * is checked when the call comes.
 */
export function toolSchema(parameters: Schema = {}): Schema {
  const { oneOf, anyOf, allOf, not: _not, enum: _enum, const: _const, type: _type, ...rest } = parameters;
  const whole = branches(allOf);
  const parts = [...branches(oneOf), ...branches(anyOf), ...whole];
  const properties = Object.assign({}, ...parts.map(propertiesOf), propertiesOf(rest));
  const wanted = new Set(
    [rest, ...whole].flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  );
  const required = [...wanted].filter((name) => Object.hasOwn(properties, name as string));
  const { required: _required, ...others } = rest;
  return { ...others, type: 'object', properties, ...(required.length > 0 && { required }) };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const branches = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const propertiesOf = ({ properties }: Schema): Schema => (isSchema(properties) ? properties : {});
