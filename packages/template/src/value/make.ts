import type { SignedFunction } from '../exec/function-entry.js';
import { toBytes } from '../fmt/bytes.js';
import { Float, Float32, Integer, Uint8 } from './number.js';
import { Slice, Struct, Tagged, type Value } from './value.js';

/** A float64, for whole numbers too: a plain whole number is an int. */
export const float = (value: number): Float => new Float(value);

/** A float32: the number is rounded to it. */
export const float32 = (value: number): Float32 => new Float32(value);

/** Integers of Go's sized types. What is no whole number, or does not fit, throws a RangeError. */
export const int8 = (value: number): Integer => new Integer('int8', value);
export const int16 = (value: number): Integer => new Integer('int16', value);
export const int32 = (value: number): Integer => new Integer('int32', value);
export const int64 = (value: number | bigint): Integer => new Integer('int64', value);
export const uint = (value: number | bigint): Integer => new Integer('uint', value);
export const uint8 = (value: number): Uint8 => new Uint8(value);
export const uint16 = (value: number): Integer => new Integer('uint16', value);
export const uint32 = (value: number): Integer => new Integer('uint32', value);
export const uint64 = (value: number | bigint): Integer => new Integer('uint64', value);

/** Go's `[]byte` of bytes, or of a text in UTF-8. */
export const bytes = (value: Uint8Array | string): Slice =>
  new Slice('uint8', [...(typeof value === 'string' ? toBytes(value) : value)]);

/**
 * A value with declared fields, printed like a struct: an unknown field is an error. Its methods are what is declared
 * here with `signed` and nothing else; what one throws is the error that it returns.
 */
export const struct = (
  typeName: string,
  fields: Readonly<Record<string, Value>>,
  methods: Readonly<Record<string, SignedFunction>> = {},
): Struct => new Struct(typeName, Object.entries(fields), Object.entries(methods));

/** A slice with an element type, such as `string` for `[]string`. */
export const slice = (elementType: string, items: readonly Value[]): Slice => new Slice(elementType, items);

/** A nil slice: empty, false, and equal to nil. */
export const nilSlice = (elementType: string): Slice => new Slice(elementType, [], true);

/** Text that a function returns with a word on where it came from. Printed unchanged, its span says so. */
export const tagged = (text: string, origin: unknown): Tagged => new Tagged(text, origin);
