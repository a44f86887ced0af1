import { initialMessage, type JsonSchema } from '@cuebook/define';
import type { JsonValue } from '@cuebook/prompt';
import type { McpPromptArgument } from '@cuebook/provider';

/** The argument of a prompt that declares none: what the user says. */
export const INPUT_ARGUMENT = 'input';

/** A prompt's arguments as the protocol lists them: texts, so those of another type are asked for as JSON. */
export function promptArguments(schema: JsonSchema | undefined): readonly McpPromptArgument[] {
  if (schema === undefined) return [{ name: INPUT_ARGUMENT, description: 'What the user says' }];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const words = typeof property.description === 'string' ? property.description : '';
    const description = isText(property) ? words : `${words}${words === '' ? '' : ' '}(as JSON)`;
    return {
      name,
      ...(description === '' ? {} : { description }),
      ...(required.includes(name) ? { required: true } : {}),
    };
  });
}

/** The texts that a client gave, as the schema's types want them. What is no JSON stays text: the schema judges it. */
export function typedArguments(
  schema: JsonSchema,
  args: Readonly<Record<string, string>>,
): Readonly<Record<string, JsonValue>> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(args).map(([name, text]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property === undefined || isText(property) ? text : asJson(text)];
    }),
  );
}

/**
 * What a prompt that is called with arguments is told first: the text of its only argument, when that is one, and
 * otherwise all of them as JSON.
 */
export function saidFirst(
  schema: JsonSchema | undefined,
  args: Readonly<Record<string, JsonValue>>,
): string | undefined {
  const [only, ...others] = Object.entries(schema === undefined ? {} : propertiesOf(schema));
  const isOne = only !== undefined && others.length === 0 && isText(only[1]);
  return initialMessage(isOne ? { initUserMessageProperty: only[0] } : {}, args)?.text;
}

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;

/** Whether a text fits as it is. */
function isText(property: JsonSchema): boolean {
  const { type, anyOf, enum: values, const: value } = property;
  if (type === 'string' || (Array.isArray(type) && type.includes('string'))) return true;
  if (Array.isArray(anyOf)) return anyOf.some((each) => isText(each as JsonSchema));
  if (Array.isArray(values)) return values.every((each) => typeof each === 'string');
  return typeof value === 'string';
}

function asJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
