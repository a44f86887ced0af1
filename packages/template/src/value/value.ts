import { Float, Float32, Integer, type IntegerType, isIntegerType, Uint8 } from './number.js';

/**
 * A Go value as templates see it.
 *
 * - `undefined` is no value at all (the zero `reflect.Value`), `null` is a nil interface.
 * - A string is Go's bytes: text as usual, and each byte that is not part of valid UTF-8 as a lone surrogate
 *   U+DC80 to U+DCFF. Strings are kept normal: bytes that together are valid UTF-8 stand as their character.
 * - An int is a safe integer, or a bigint beyond that. A number with a fraction, and a `Float`, are float64.
 * - An `Integer` is one of a sized type, such as uint16, and a `Uint8` is a byte of a string (`index "abc" 0`);
 *   a `Float32` is float32, a `Complex` is complex128 (an imaginary constant).
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
  | Integer
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

/** A complex128. */
export class Complex {
  readonly real: number;
  readonly imaginary: number;
  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
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

/** A plain number in a list of sized integers or of floats is one of those. */
function typedItems(elementType: string, items: readonly Value[]): readonly Value[] {
  const convert = CONVERT[elementType] ?? (isIntegerType(elementType) ? toInteger(elementType) : undefined);
  if (!convert || !items.some(isNumber)) return items;
  return items.map((item) => (isNumber(item) ? convert(item) : item));
}

const isNumber = (item: Value): item is number | bigint =>
  typeof item === 'number' || typeof item === 'bigint';

const toInteger =
  (type: IntegerType) =>
  (item: number | bigint): Value =>
    new Integer(type, item);

const CONVERT: Readonly<Record<string, ((item: number | bigint) => Value) | undefined>> = {
  uint8: (item) => new Uint8(item),
  float32: (item) => new Float32(Number(item)),
  float64: (item) => new Float(Number(item)),
};

/** A value with declared fields and methods: any other name is an error, as for a Go struct. */
export class Struct {
  /** The full type name, such as `agent.PromptTemplateContext`. */
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, Value>;
  /** What templates call by name, arguments and all. A function in a field is no method. */
  readonly methods: ReadonlyMap<string, TemplateFunction>;
  constructor(
    typeName: string,
    fields: Iterable<readonly [string, Value]>,
    methods: Iterable<readonly [string, TemplateFunction]> = [],
  ) {
    this.typeName = typeName;
    this.fields = new Map(fields);
    this.methods = new Map(methods);
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
