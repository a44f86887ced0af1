import type { JsonValue } from '@cuebook/api';

/** One thing that a caller hands in, as a form asks for it. */
export interface InputField {
  /** Where it stands in the input: `['set', 'change']`. */
  readonly path: readonly string[];
  readonly label: string;
  readonly description: string;
  readonly kind: 'text' | 'choice' | 'yes-no' | 'number' | 'json';
  readonly choices: readonly string[];
}

type Values = Readonly<Record<string, JsonValue>>;

/**
 * The fields of what a target takes, from the schemas of its inputs. A map of texts has a field for each name that the
 * author's examples have.
 */
export function fieldsOf(inputs: Values, sample: Values): readonly InputField[] {
  return Object.entries(inputs).flatMap(([name, schema]): readonly InputField[] => {
    const { type, enum: choices, description = '' } = schema as Schema;
    const field = (path: readonly string[], kind: InputField['kind']): InputField => ({
      path,
      label: path.at(-1) ?? name,
      description,
      kind,
      choices: (choices ?? []).map(String),
    });
    const example = sample[name];
    if (isTexts(schema as Schema)) {
      const names = typeof example === 'object' && example !== null ? Object.keys(example) : [];
      return names.map((key) => field([name, key], 'text'));
    }
    if (choices !== undefined) return [field([name], 'choice')];
    if (type === 'string') return [field([name], 'text')];
    if (type === 'boolean') return [field([name], 'yes-no')];
    if (type === 'number' || type === 'integer') return [field([name], 'number')];
    return [field([name], 'json')];
  });
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly JsonValue[];
  readonly description?: string;
  readonly additionalProperties?: JsonValue;
}

const isTexts = ({ type, additionalProperties }: Schema): boolean =>
  type === 'object' && typeof additionalProperties === 'object';

/** The value at a path; undefined where there is none. */
export function valueAt(values: Values, [first = '', ...rest]: readonly string[]): JsonValue | undefined {
  const value = values[first];
  if (rest.length === 0 || value === undefined) return value;
  return typeof value === 'object' && value !== null ? valueAt(value as Values, rest) : undefined;
}

/** The values with another one at a path. Undefined: it is left out. */
export function withValue(
  values: Values,
  [first = '', ...rest]: readonly string[],
  value: JsonValue | undefined,
): Values {
  const { [first]: before, ...others } = values;
  if (rest.length === 0) return value === undefined ? others : { ...values, [first]: value };
  const inner = typeof before === 'object' && before !== null ? (before as Values) : {};
  return { ...values, [first]: withValue(inner, rest, value) };
}
