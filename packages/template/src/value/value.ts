/**
 * A Go value as templates see it.
 *
 * - `undefined` is no value at all (the zero `reflect.Value`), `null` is a nil interface.
 * - A string is Go's bytes: text as usual, and each byte that is not part of valid UTF-8 as a lone surrogate
 *   U+DC80 to U+DCFF. Strings are kept normal: bytes that together are valid UTF-8 stand as their character.
 * - An int is a safe integer, or a bigint beyond that. A number with a fraction, and a `Float`, are float64.
 * - A `Complex` is complex128 (an imaginary constant), a `Uint8` is a byte of a string (`index "abc" 0`).
 * - An array is `[]interface {}`, an object or Map is `map[string]interface {}`, a Map of other keys
 *   `map[int]interface {}` and the like. What other objects are, `admit` says.
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Complex
  | Uint8
  | Tagged
  | Slice
  | Struct
  | readonly Value[]
  | MapValue
  | TemplateFunction;

/** A map of Go: a Map or an object. */
export type MapValue =
  | ReadonlyMap<string, Value>
  | ReadonlyMap<number, Value>
  | ReadonlyMap<bigint, Value>
  | ReadonlyMap<boolean, Value>
  | { readonly [key: string]: Value };

/** A function that templates call. It may throw an Error: its message becomes `error calling NAME: …`. */
export type TemplateFunction = (...args: never[]) => unknown;

/** A float64, whole numbers too. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A complex128. */
export class Complex {
  readonly real: number;
  readonly imaginary: number;
  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A uint8 from 0 to 255: what indexing a string yields. */
export class Uint8 {
  readonly value: number;
  constructor(value: number) {
    if (!(Number.isInteger(value) && value >= 0 && value <= 255))
      throw new RangeError(`${value} is no byte: a uint8 is a whole number from 0 to 255`);
    this.value = value;
  }
}

/** A slice with a declared element type, possibly nil: prints and fails as `[]string` does. */
export class Slice {
  /** `string` in `[]string`. */
  readonly elementType: string;
  readonly items: readonly Value[];
  readonly isNil: boolean;
  constructor(elementType: string, items: readonly Value[], isNil = false) {
    this.elementType = elementType;
    this.items = typedItems(elementType, items);
    this.isNil = isNil;
  }
}

/** A plain number in a list of bytes is a byte, in one of floats a float64. */
function typedItems(elementType: string, items: readonly Value[]): readonly Value[] {
  const type = elementType === 'uint8' ? Uint8 : elementType === 'float64' ? Float : undefined;
  if (!type || !items.some((item) => typeof item === 'number')) return items;
  return items.map((item) => (typeof item === 'number' ? new type(item) : item));
}

/** A value with declared fields: an unknown field is an error, as for a Go struct. */
export class Struct {
  /** The full type name, such as `agent.PromptTemplateContext`. */
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(typeName: string, fields: Iterable<readonly [string, Value]>) {
    this.typeName = typeName;
    this.fields = new Map(fields);
  }
}

/**
 * Text from a function that says where it came from. To templates it is a string; where it is printed unchanged
 * its span carries the origin.
 */
export class Tagged {
  readonly text: string;
  readonly origin: unknown;
  constructor(text: string, origin: unknown) {
    this.text = text;
    this.origin = origin;
  }
}
