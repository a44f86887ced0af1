import { guard } from '@cuebook/guard';
import { type JsonValue, nameTools, type OfferedTool } from '@cuebook/prompt';
import { isSchema, type Schema } from './schema.js';

/** The names of arguments where a vendor takes plain ones alone, by tool, there and back. */
export interface ArgumentNames {
  /** The schema of a tool with the names that are told. */
  toSchema(tool: string, schema: Schema): Schema;
  /** Arguments as the model is told of them. */
  toTold(tool: string, args: JsonValue): JsonValue;
  /** Arguments of the model as the tool names them. Its own name is understood too. */
  toOwn(tool: string, args: JsonValue): JsonValue;
}

/** What Anthropic takes as the name of an argument. */
export const PLAIN_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * One request with one odd name of an argument at the top of a schema is refused whole, so `$top` is told as `top`.
 * A plain name stays, and no two arguments of a tool are told by one name.
 */
export function nameArguments(tools: readonly OfferedTool[]): ArgumentNames {
  const told = new Map(tools.map(({ name, parameters = {} }) => [name, namesOf(parameters)]));
  const renamed = (tool: string, value: JsonValue, way: 'told' | 'own'): JsonValue => {
    const names = told.get(tool)?.[way];
    if (names === undefined || names.size === 0 || !isFields(value)) return value;
    const taken = new Set(Object.keys(value));
    const entries = Object.entries(value).map(([name, each]): [string, JsonValue] => {
      const other = names.get(name);
      return [other === undefined || taken.has(other) ? name : other, each];
    });
    return Object.fromEntries(entries);
  };
  return {
    toSchema(tool, schema) {
      const names = told.get(tool)?.told;
      if (names === undefined || names.size === 0) return schema;
      const { properties, required } = schema;
      const toTold = (name: string): string => names.get(name) ?? name;
      return {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(isSchema(properties) ? properties : {}).map(([name, each]) => [toTold(name), each]),
        ),
        ...(Array.isArray(required) && { required: required.map(toTold) }),
      };
    },
    toTold: (tool, args) => renamed(tool, args, 'told'),
    toOwn: (tool, args) => renamed(tool, args, 'own'),
  };
}

interface Names {
  readonly told: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

function namesOf({ properties }: Schema): Names {
  const all = Object.keys(isSchema(properties) ? properties : {});
  const isOdd = (name: string): boolean => guard('api.argument', !PLAIN_NAME.test(name));
  const plain = all.filter((name) => !isOdd(name));
  const { toWire } = nameTools([...plain, ...all.filter(isOdd)]);
  const told = new Map(all.filter(isOdd).map((name) => [name, toWire(name)]));
  return { told, own: new Map([...told].map(([name, wire]) => [wire, name])) };
}

const isFields = (value: JsonValue): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
