import { admit } from '../value/data.js';
import { hasEntries, isPlain, sizeOfList } from '../value/entries.js';
import { Float, INTEGER_TYPES, Integer } from '../value/number.js';
import { Complex, type MapValue, Slice, Struct, Tagged, type Value } from '../value/value.js';

/** Go's kinds, as far as templates tell them apart. `invalid` is no value, `nil` an interface that holds none. */
export type GoKind =
  | 'invalid'
  | 'nil'
  | 'bool'
  | 'int'
  | 'uint'
  | 'float'
  | 'complex'
  | 'string'
  | 'slice'
  | 'map'
  | 'struct'
  | 'func';

export function kindOf(value: Value): GoKind {
  switch (typeof value) {
    case 'undefined':
      return 'invalid';
    case 'string':
      return 'string';
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'function':
      return 'func';
    default:
      return kindOfObject(value);
  }
}

function kindOfObject(value: object | null): GoKind {
  if (value === null) return 'nil';
  if (Array.isArray(value) || value instanceof Slice) return 'slice';
  if (value instanceof Struct) return 'struct';
  if (value instanceof Float) return 'float';
  if (value instanceof Tagged) return 'string';
  if (value instanceof Integer) return INTEGER_TYPES[value.type].isSigned ? 'int' : 'uint';
  if (value instanceof Complex) return 'complex';
  return 'map';
}

/** Whether `if` takes the value for true: not zero, not empty, not nil. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    case 'undefined':
      return false;
    case 'function':
      return true;
    default:
      return isTrueObject(value);
  }
}

function isTrueObject(value: object | null): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) return sizeOfList(value) > 0;
  if (value instanceof Slice) return sizeOfList(value.items) > 0;
  if (value instanceof Struct) return true;
  if (value instanceof Tagged) return value.text !== '';
  if (value instanceof Float || value instanceof Integer) return value.value !== 0;
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  const admitted = isPlain(value as Value) ? value : admit(value);
  return admitted === value ? hasEntries(value as MapValue) : isTrue(admitted as Value);
}

/** The items of a slice. */
export const itemsOf = (slice: Value): readonly Value[] =>
  slice instanceof Slice ? slice.items : (slice as readonly Value[]);

/** Whether the elements of a slice or map are interfaces, as error texts say. */
export const holdsInterfaces = (value: Value): boolean =>
  value instanceof Slice ? value.elementType === 'interface {}' : true;

/** The number that a float64 is. */
export const floatOf = (value: Value): number => (value instanceof Float ? value.value : (value as number));

/** The number that an int or an integer of any size is; undefined for all else. */
export function integerOf(value: Value): number | bigint | undefined {
  if (typeof value === 'object') return value instanceof Integer ? value.value : undefined;
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? (value as number | bigint) : undefined;
}

/** Text that says where it came from is text to everything but the printer. */
export const plainValue = (value: Value): Value =>
  typeof value === 'object' && value instanceof Tagged ? value.text : value;

/** Stands for any value inside an interface, where that alone is wrong. */
export const INTERFACE: Value = Object.freeze({ interface: true });

/** A value as an index: what is still inside an interface is no index. */
export const asIndex = (value: Value, isInterface: boolean): Value =>
  value !== undefined && isInterface && !(value instanceof Tagged) ? INTERFACE : asData(value);

/** A value as the builtin functions look at it. */
export const asData = (value: Value): Value => admit(plainValue(value));

/** An item of a list: one that is missing is nil. */
export const itemAt = (items: readonly Value[], at: number): Value => {
  const item = items[at];
  return item === undefined ? null : item;
};
