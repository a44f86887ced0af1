import { guard } from '@cuebook/guard';
import { refuse } from './data.js';
import { Float } from './number.js';
import type { MapValue, Value } from './value.js';

/** Go's types of the keys of a map. */
export type KeyType = 'string' | 'int' | 'float64' | 'bool';

/** Whether a value is an object literal, whose keys are read in place. */
export const isPlain = (value: Value): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether every object literal answers to a key, so that one must look whether the key is its own. */
export const isInherited = (key: string): boolean => INHERITED.has(key);

const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * The value of a key that is a string; undefined when it is missing. Every back end reads an object by this rule and
 * reads it once: an object literal (or a proxy that says it is one) is asked for the key, all else only for a key of
 * its own or a getter of its class.
 */
export function mapEntry(map: MapValue, key: string): Value {
  if (map instanceof Map) return map.get(key);
  const object = map as { readonly [key: string]: Value };
  if (!isInherited(key) && isPlain(map)) return object[key];
  return guard('map.own-key', !Object.hasOwn(map, key) && !hasGetter(map, key)) ? undefined : object[key];
}

/** The entries of a map in no order. A key whose value is undefined is no key. */
export function entriesOf(map: MapValue): readonly (readonly [key: Value, value: Value])[] {
  if (map instanceof Map) return entriesOfMap(map);
  const entries = namesOf(map).map(
    (name) => [name, (map as { readonly [key: string]: Value })[name]] as const,
  );
  return entries.filter(([, value]) => value !== undefined);
}

/** The names of what an object holds: its own, and those of the getters of its class. */
export const namesOf = (object: object): readonly string[] =>
  isPlain(object as Value)
    ? Object.keys(object)
    : [...new Set([...Object.keys(object), ...gettersOf(object)])];

/** How many items a list has. A proxy may say anything of its length: what is no number of items is none. */
export function sizeOfList({ length }: { readonly length: unknown }): number {
  return Number.isSafeInteger(length) && (length as number) > 0 ? (length as number) : 0;
}

/** How many entries a map has. */
export const sizeOfMap = (map: MapValue): number => entriesOf(map).length;

/** Whether a map has any entry. */
export function hasEntries(map: MapValue): boolean {
  if (map instanceof Map) {
    for (const value of map.values()) if (value !== undefined) return true;
    return false;
  }
  if (!isPlain(map)) return sizeOfMap(map) > 0;
  const object = map as { readonly [key: string]: Value };
  for (const key in object) if (Object.hasOwn(object, key) && object[key] !== undefined) return true;
  return false;
}

function entriesOfMap(map: ReadonlyMap<unknown, Value>): readonly (readonly [Value, Value])[] {
  const type = keyTypeOf(map as MapValue);
  const entries: (readonly [Value, Value])[] = [];
  for (const [key, value] of map) {
    if (typeOfKey(key) !== type && !(type === 'float64' && typeof key === 'number')) refuse(map, MIXED);
    if (value !== undefined)
      entries.push([type === 'float64' ? new Float(key as number) : (key as Value), value]);
  }
  return entries;
}

const MIXED = 'a Map whose keys are not all strings, all integers, all numbers or all booleans';

/** The type of the keys of a map: that of the first, and of numbers float64 when one of them has a fraction. */
export function keyTypeOf(map: MapValue): KeyType {
  if (!(map instanceof Map) || map.size === 0) return 'string';
  const type = typeOfKey(map.keys().next().value) ?? refuse(map, MIXED);
  if (type !== 'int') return type;
  const known = numeric.get(map);
  if (known?.size === map.size) return known.type;
  const hasFraction = [...map.keys()].some((key) => typeOfKey(key) === 'float64');
  const settled = { size: map.size, type: hasFraction ? ('float64' as const) : type };
  numeric.set(map, settled);
  return settled.type;
}

/** What the keys of a Map of numbers were found to be, as long as there are as many. */
const numeric = new WeakMap<ReadonlyMap<unknown, Value>, { readonly size: number; readonly type: KeyType }>();

function typeOfKey(key: unknown): KeyType | undefined {
  switch (typeof key) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isSafeInteger(key) ? 'int' : 'float64';
    case 'bigint':
      return BigInt.asIntN(64, key) === key ? 'int' : undefined;
    default:
      return undefined;
  }
}

/** Whether the class of an object, or one that it extends, has a getter. What all objects inherit does not count. */
function hasGetter(object: object, key: string): boolean {
  for (const prototype of classesOf(object)) {
    const found = Object.getOwnPropertyDescriptor(prototype, key);
    if (found) return found.get !== undefined;
  }
  return false;
}

function gettersOf(object: object): readonly string[] {
  const names = classesOf(object).flatMap((prototype) => Object.getOwnPropertyNames(prototype));
  return names.filter((name) => hasGetter(object, name));
}

/** The prototypes of an object without the last, from which all objects inherit. */
function classesOf(object: object): readonly object[] {
  const classes: object[] = [];
  let prototype: object | null = Object.getPrototypeOf(object);
  while (prototype && classes.length < MOST_CLASSES) {
    const next: object | null = Object.getPrototypeOf(prototype);
    if (next) classes.push(prototype);
    prototype = next;
  }
  return classes;
}

/** A proxy may say that it extends itself. */
const MOST_CLASSES = 100;
