import { Float, Slice, Struct, Tagged, type Value } from './value.js';

/** A float64, for whole numbers too: a plain whole number is an int. */
export const float = (value: number): Float => new Float(value);

/** A value with declared fields: printed like a struct, and an unknown field is an error. */
export const struct = (typeName: string, fields: Readonly<Record<string, Value>>): Struct =>
  new Struct(typeName, Object.entries(fields));

/** A slice with an element type, such as `string` for `[]string`. */
export const slice = (elementType: string, items: readonly Value[]): Slice => new Slice(elementType, items);

/** A nil slice: empty, false, and equal to nil. */
export const nilSlice = (elementType: string): Slice => new Slice(elementType, [], true);

/** Text that a function returns with a word on where it came from. Printed unchanged, its span says so. */
export const tagged = (text: string, origin: unknown): Tagged => new Tagged(text, origin);
