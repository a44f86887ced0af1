import { guarded } from '@cuebook/guard';
import { Float, Float32, Integer, type IntegerType, Uint8 } from './number.js';
import { Complex, Slice, Struct, Tagged, type Value } from './value.js';

/**
 * What a JavaScript value is to a template. Data is read where it lies and stays what it is, also as the argument of
 * a function; this is asked of a value only when a template looks into it: prints it, tests it, compares it, goes
 * over it or takes a field of it.
 *
 * | JavaScript | template |
 * | --- | --- |
 * | string, number, boolean, null, array, object literal, function | as `Value` says |
 * | undefined | no value; in a list nil; as the value of a key, no such key |
 * | bigint of up to 64 bits | int; a larger one is refused |
 * | `new String("a")` and the like | what it holds |
 * | Map | a map; its keys are all strings, all integers, all numbers or all booleans |
 * | Set | a list, in the order of the Set |
 * | Uint8Array, Buffer, ArrayBuffer, DataView | `[]uint8` |
 * | other typed arrays | slices of their sized type: `[]int16`, `[]uint64`, `[]float32`, … |
 * | an object with `toJSON` (Date, URL, …) | what `toJSON` says |
 * | RegExp, Error | its text |
 * | instance of a class | a map of its own fields and of the getters of its class |
 * | symbol, Promise, WeakMap, WeakSet, WeakRef, iterator, invalid Date | refused |
 */
export function admit(value: unknown): Value {
  switch (typeof value) {
    case 'object':
      return value === null || isKnown(value) ? (value as Value) : admitObject(value);
    case 'bigint':
      return admitInteger(value);
    case 'symbol':
      return refuse(value, 'a symbol, which has no text: pass a string');
    default:
      return value as Value;
  }
}

/** Data that no template can look into. What it is belongs behind its path: `.a.b is a Promise: …`. */
export class RefusedData {
  readonly value: unknown;
  readonly what: string;
  constructor(value: unknown, what: string) {
    this.value = value;
    this.what = what;
  }
}

export function refuse(value: unknown, what: string): never {
  const refused = (): never => {
    throw new RefusedData(value, what);
  };
  return guarded('data.refused', refused, value);
}

/** Object literals, arrays and our own classes are values already. */
function isKnown(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype) return true;
  return prototype === null || KNOWN.has(prototype);
}

const OWN = [Float, Float32, Complex, Integer, Uint8, Slice, Struct, Tagged];
const KNOWN: ReadonlySet<unknown> = new Set([Map, ...OWN].map(({ prototype }) => prototype));

function admitInteger(value: bigint): Value {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  if (BigInt.asIntN(64, value) === value) return value;
  return refuse(value, 'an integer past 64 bits: pass it as a string, or as a float');
}

function admitObject(value: object): Value {
  if (Array.isArray(value) || value instanceof Map || OWN.some((type) => value instanceof type)) {
    return value as Value;
  }
  for (const [type, convert] of CONVERSIONS) if (value instanceof type) return convert(value as never);
  if (ArrayBuffer.isView(value)) return admitView(value);
  if (isFunction(value, 'then')) refuse(value, PROMISE);
  if (isFunction(value, 'next') && Symbol.iterator in value) {
    refuse(value, 'an iterator, which can be read only once: pass an array');
  }
  return isFunction(value, 'toJSON') ? admitJson(value as Json) : (value as Value);
}

const PROMISE = 'a Promise: wait for it before the render';

type Conversion<Type> = readonly [type: new (...args: never[]) => Type, convert: (value: Type) => Value];

const conversion = <Type>(
  type: new (...args: never[]) => Type,
  convert: (value: Type) => Value,
): Conversion<never> => [type, convert] as unknown as Conversion<never>;

/** A Date has a `toJSON`, but that of an invalid one says nothing. */
const CONVERSIONS: readonly Conversion<never>[] = [
  conversion(Date, (date) =>
    Number.isNaN(date.getTime()) ? refuse(date, 'an invalid Date') : date.toISOString(),
  ),
  conversion(Set, (set) => [...set] as Value[]),
  conversion(String, String),
  conversion(Number, (number) => admit(Number(number))),
  conversion(Boolean, (boolean) => boolean.valueOf()),
  conversion(BigInt as never, (integer: object) => admit(BigInt(integer.valueOf() as bigint))),
  conversion(Symbol as never, (symbol: object) => admit(symbol.valueOf())),
  conversion(RegExp, String),
  conversion(Error, String),
  conversion(ArrayBuffer, (buffer) => bytesOf(new Uint8Array(buffer))),
  // Not every page of a browser has it.
  ...(typeof SharedArrayBuffer === 'undefined'
    ? []
    : [conversion(SharedArrayBuffer, (buffer) => bytesOf(new Uint8Array(buffer)))]),
  conversion(Promise, (promise) => refuse(promise, PROMISE)),
  conversion(WeakMap, (map) => refuse(map, 'a WeakMap, which nobody can list: pass a Map')),
  conversion(WeakSet, (set) => refuse(set, 'a WeakSet, which nobody can list: pass a Set')),
  conversion(WeakRef, (ref) => refuse(ref, 'a WeakRef: pass what it refers to')),
];

function admitView(view: ArrayBufferView): Value {
  const name = String((view as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag]);
  if (BYTE_VIEWS.has(name)) return bytesOf(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return new Slice(VIEW_TYPES[name] ?? 'float64', [...(view as ArrayBufferView & Iterable<number | bigint>)]);
}

/** The type of the items of a view. Go has no float of 16 bits: the next larger holds each of them. */
const VIEW_TYPES: Readonly<Record<string, IntegerType | 'float32' | undefined>> = {
  Int8Array: 'int8',
  Int16Array: 'int16',
  Int32Array: 'int32',
  Uint16Array: 'uint16',
  Uint32Array: 'uint32',
  BigInt64Array: 'int64',
  BigUint64Array: 'uint64',
  Float16Array: 'float32',
  Float32Array: 'float32',
};

const BYTE_VIEWS: ReadonlySet<string> = new Set(['Uint8Array', 'Uint8ClampedArray', 'DataView']);

const bytesOf = (bytes: Uint8Array): Slice =>
  new Slice(
    'uint8',
    Array.from(bytes, (byte) => BYTES[byte] as Uint8),
  );

const BYTES: readonly Uint8[] = Array.from({ length: 256 }, (_, byte) => new Uint8(byte));

interface Json {
  toJSON(): unknown;
}

/** What an object says it is as JSON. It is taken at its word: a second `toJSON` is not asked. */
function admitJson(value: Json): Value {
  const said = value.toJSON();
  if (typeof said !== 'object' || said === null) return admit(said);
  return isFunction(said, 'toJSON') ? (said as Value) : admit(said);
}

const isFunction = (value: object, name: string): boolean =>
  typeof (value as Readonly<Record<string, unknown>>)[name] === 'function';
