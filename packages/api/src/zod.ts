import { z } from 'zod';

// zod as the interface uses it: a schema is built when somebody first looks at it. A server has hundreds, and each
// request needs a few; to build them all takes as long as Node takes to start.

export type { input, output, ZodObject, ZodType } from 'zod';

export const array = later(z.array);
export const boolean = later(z.boolean);
export const coerce = { number: later(z.coerce.number) };
export const discriminatedUnion = later(z.discriminatedUnion);
const enumOf = later(z.enum);
export const int = later(z.int);
export const lazy = later(<Schema extends z.core.SomeType>(getter: () => Schema) =>
  z.lazy(() => built(getter())),
);
export const literal = later(z.literal);
const nullOnly = later(z.null);
export const number = later(z.number);
export const object = later(z.object);
export const record = later(z.record);
export const strictObject = later(z.strictObject);
export const string = later(z.string);
export const union = later(z.union);
export const url = later(z.url);
export { enumOf as enum, nullOnly as null };

/** The schema itself, for those who tell schemas apart by identity, as zod's own functions do. */
export function built<Schema>(schema: Schema): Schema {
  const build = typeof schema === 'object' && schema !== null ? builders.get(schema) : undefined;
  return build === undefined ? schema : (build() as Schema);
}

/** How each schema that stands for another is built. */
const builders = new WeakMap<object, () => object>();

/** Methods that derive a schema from another one. What they are given is looked at when it is built. */
const DERIVING: ReadonlySet<string | symbol> = new Set(
  'array catch default exactOptional extend gt int lt max meta min nullable omit optional partial pick positive refine regex trim'.split(
    ' ',
  ),
);

/** A function that makes a schema, made to wait until somebody looks at what it makes. */
function later<Make extends (...args: never[]) => object>(make: Make): Make {
  const wait = (...args: readonly unknown[]) => standIn(() => make(...(args.map(builtWithin) as never[])));
  return wait as unknown as Make;
}

/** Looks like the schema that it builds at the first look. */
function standIn(build: () => object): object {
  let schema: object | undefined;
  const real = (): object => {
    schema ??= build();
    return schema;
  };
  const stands = new Proxy(Object.create(null), {
    get(_, key) {
      if (DERIVING.has(key))
        return (...args: readonly unknown[]) =>
          standIn(() => Reflect.apply(Reflect.get(real(), key) as Derive, real(), args.map(builtWithin)));
      const value: unknown = Reflect.get(real(), key);
      return typeof value === 'function' ? value.bind(real()) : value;
    },
    has: (_, key) => Reflect.has(real(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  });
  builders.set(stands, real);
  return stands;
}

type Derive = (...args: readonly unknown[]) => object;

/** An argument with every schema in it built: one schema, a list, or the shape of an object. */
function builtWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(built);
  if (typeof value !== 'object' || value === null) return value;
  if (builders.has(value)) return built(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, built(each)]));
}
