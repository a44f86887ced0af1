import { built, type Route } from '@cuebook/api';
import { z } from 'zod';

/** A place in a request that takes any text: a string of its schema without a form, long enough for a credential. */
export interface TextField {
  /** `reply.texts[]`; `options{}` is a value under any key, `options{key}` the key. */
  readonly path: string;
  readonly max: number;
}

type Schema = z.core.JSONSchema.JSONSchema;
type Step = string | typeof ITEM | typeof VALUE | typeof KEY;
const [ITEM, VALUE, KEY] = ['[]', '{}', '{key}'] as const;
/** A value of any shape within a value of any shape is the same place. */
const NESTED = /\{\}(?:\[\]|\{\}|\{key\})|\[\](?:\[\]|\{\}|\{key\})/;

/** Every such place of a route; `sample` is a credential that it must have room for. */
export function textFields({ params, query, body }: Route, sample: string): readonly TextField[] {
  const found = new Map<string, TextField>();
  for (const part of [params, query, ...(body ? [body] : [])]) {
    const root = z.toJSONSchema(built(part), { io: 'input', unrepresentable: 'any' });
    const visit = (schema: Schema, path: string, seen: readonly string[]): void => {
      if (NESTED.test(path)) return;
      const ref = schema.$ref?.replace('#/$defs/', '');
      if (ref !== undefined) {
        const held = root.$defs?.[ref];
        // What holds itself is looked at once more: the places within it have other paths by then.
        if (held !== undefined && seen.filter((each) => each === ref).length < 2)
          visit(held as Schema, path, [...seen, ref]);
        return;
      }
      for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
        visit(each as Schema, path, seen);
      for (const [name, each] of Object.entries(schema.properties ?? {}))
        visit(each as Schema, path === '' ? name : `${path}.${name}`, seen);
      if (typeof schema.items === 'object') visit(schema.items as Schema, `${path}${ITEM}`, seen);
      if (typeof schema.additionalProperties === 'object') {
        const names = schema.propertyNames as Schema | undefined;
        if (names === undefined || takesText(names, sample))
          found.set(`${path}${KEY}`, { path: `${path}${KEY}`, max: names?.maxLength ?? Infinity });
        visit(schema.additionalProperties as Schema, `${path}${VALUE}`, seen);
      }
      if (takesText(schema, sample)) found.set(path, { path, max: schema.maxLength ?? Infinity });
    };
    visit(root, '', []);
  }
  return [...found.values()];
}

function takesText(schema: Schema, sample: string): boolean {
  const { type, pattern, maxLength = Infinity, format } = schema;
  if (type !== 'string' || schema.enum !== undefined || schema.const !== undefined) return false;
  return (
    maxLength >= sample.length && format === undefined && (!pattern || new RegExp(pattern, 'u').test(sample))
  );
}

/** The input with the text at a place. */
export function withText(input: object, path: string, text: string): object {
  const steps: readonly Step[] = path.match(/\{key\}|\{\}|\[\]|[^.{}[\]]+/g) ?? [];
  return put(input, steps, text) as object;
}

function put(value: unknown, [step, ...rest]: readonly Step[], text: string): unknown {
  if (step === undefined) return text;
  if (step === ITEM) {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [put(first, rest, text), ...others];
  }
  const held = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  if (step === KEY) return { ...held, [text]: Object.values(held)[0] ?? 1 };
  const name = step === VALUE ? (Object.keys(held)[0] ?? 'x') : step;
  return { ...held, [name]: put((held as Record<string, unknown>)[name], rest, text) };
}
