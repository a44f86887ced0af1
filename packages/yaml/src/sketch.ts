import type { z } from 'zod';

/**
 * What a value has of a schema that it does not fit, for a look that goes on: fields that do not fit are left out, and
 * items of a list that do not fit are holes, so that the others keep their numbers and are reached by `forEach`,
 * `map` and `flatMap`. Required fields may be missing. Undefined when nothing fits.
 */
export function sketchOf(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const def = schema.def as unknown as SchemaDef;
  if (def.innerType !== undefined) return sketchOf(def.innerType, value);
  if (def.options !== undefined) return fullest(def.options.map((option) => sketchOf(option, value)));
  if (def.type === 'array' && def.element !== undefined && Array.isArray(value)) {
    return sketchList(def.element, value);
  }
  if (!isRecord(value)) return undefined;
  if (def.type === 'record' && def.valueType !== undefined) return sketchRecord(def, def.valueType, value);
  return def.type === 'object' && def.shape !== undefined ? sketchObject(def.shape, value) : undefined;
}

interface SchemaDef {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

function sketchList(element: z.ZodType, value: readonly unknown[]): readonly unknown[] {
  const items: unknown[] = new Array(value.length);
  value.forEach((each, index) => {
    const item = sketchOf(element, each);
    if (item !== undefined) items[index] = item;
  });
  return items;
}

function sketchRecord(def: SchemaDef, valueType: z.ZodType, value: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    if (def.keyType?.safeParse(key).success === false) return [];
    const item = sketchOf(valueType, each);
    return item === undefined ? [] : [[key, item]];
  });
  return Object.fromEntries(entries);
}

function sketchObject(shape: Readonly<Record<string, z.ZodType>>, value: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(shape).flatMap(([key, field]): [string, unknown][] => {
    const item = sketchOf(field, Object.hasOwn(value, key) ? value[key] : undefined);
    return item === undefined ? [] : [[key, item]];
  });
  return Object.fromEntries(entries);
}

/** Of the forms that a value may have, the one that it has most of. */
function fullest(sketches: readonly unknown[]): unknown {
  const size = (sketch: unknown): number => (isRecord(sketch) ? Object.keys(sketch).length : 1);
  return sketches
    .filter((sketch) => sketch !== undefined && size(sketch) > 0)
    .reduce<unknown>(
      (best, each) => (best === undefined || size(each) > size(best) ? each : best),
      undefined,
    );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
