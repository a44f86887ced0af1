import type { JsonValue } from '@cuebook/prompt';

/** A type as JSON keeps it; `never` in the place of what would be lost or become something else. */
type Jsonable<Value> = Value extends JsonValue | undefined
  ? Value
  : Value extends Lost
    ? never
    : { readonly [Key in keyof Value]: Jsonable<Value[Key]> };

type Lost =
  | bigint
  | symbol
  | Date
  | Uint8Array
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never) => unknown);

/**
 * A value as the JSON that it is. Interfaces are no `JsonValue` to the compiler, because somebody may add to them; this
 * asks that each of their fields is one. Nothing is copied.
 */
export const asJson = <Value>(value: Value & Jsonable<Value>): JsonValue => value as unknown as JsonValue;
