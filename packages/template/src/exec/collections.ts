import { byteAt, byteLength, sliceBytes } from '../fmt/bytes.js';
import { typeName } from '../fmt/type-name.js';
import { admit } from '../value/data.js';
import { keyTypeOf, mapEntry, sizeOfList, sizeOfMap } from '../value/entries.js';
import { asInt, Uint8 } from '../value/number.js';
import { type MapValue, Slice, type Value } from '../value/value.js';
import { refuse } from './call-failure.js';
import { hasType } from './param.js';
import { floatOf, INTERFACE, integerOf, itemAt, itemsOf, kindOf, plainValue } from './values.js';

/** `len`: bytes of a string, items of a slice, entries of a map. */
export function lengthOf(value: Value): number {
  switch (kindOf(value)) {
    case 'string':
      return byteLength(value as string);
    case 'slice':
      return sizeOfList(itemsOf(value));
    case 'map':
      return sizeOfMap(value as MapValue);
    case 'nil':
      return refuse('len of nil pointer');
    case 'invalid':
      return refuse('reflect: call of reflect.Value.Type on zero Value');
    default:
      return refuse(`len of type ${typeName(value)}`);
  }
}

/** `index`: `item[a][b]…`. */
export function indexInto(item: Value, indexes: readonly Value[]): Value {
  if (item === undefined || item === null) refuse('index of untyped nil');
  return indexes.reduce(indexOnce, item);
}

function indexOnce(given: Value, index: Value): Value {
  const item = admit(plainValue(given));
  switch (kindOf(item)) {
    case 'nil':
    case 'invalid':
      return refuse('index of nil pointer');
    case 'map':
      return entryAt(item as MapValue, index) ?? null;
    case 'slice': {
      const items = itemsOf(item);
      const size = sizeOfList(items);
      const at = placeOf(index, size);
      return at < size ? itemAt(items, at) : refuse('reflect: slice index out of range');
    }
    case 'string': {
      const at = placeOf(index, byteLength(item as string));
      const byte = byteAt(item as string, at);
      return byte === undefined ? refuse('reflect: string index out of range') : new Uint8(byte);
    }
    default:
      return refuse(`can't index item of type ${typeName(item)}`);
  }
}

/** The value of a key of any type. One kind of integer stands for another. */
function entryAt(map: MapValue, index: Value): Value {
  const type = keyTypeOf(map);
  if (index === undefined || index === null) refuse(`value is nil; should be of type ${type}`);
  const integer = type === 'int' ? integerOf(index) : undefined;
  const key = integer === undefined ? index : asInt(integer);
  if (!hasType(key, type)) refuse(`value has type ${typeName(index)}; should be ${type}`);
  if (type === 'string') return mapEntry(map, key as string);
  const keys = map as ReadonlyMap<unknown, Value>;
  if (type === 'bool') return keys.get(key);
  if (type === 'float64') return keys.get(floatOf(key));
  const number = key as number | bigint;
  return keys.get(number) ?? keys.get(typeof number === 'bigint' ? number : BigInt(number));
}

/** `slice`: `item[a:b:c]`. A slice of a slice reaches up to the capacity of the first, as in Go. */
export function sliceOf(item: Value, indexes: readonly Value[]): Value {
  if (item === undefined || item === null) refuse('slice of untyped nil');
  if (indexes.length > 3) refuse(`too many slice indexes: ${indexes.length}`);
  const kind = kindOf(item);
  if (kind === 'string') {
    if (indexes.length === 3) refuse('cannot 3-index slice a string');
    const length = byteLength(item as string);
    const [start, end] = bounds(indexes, length, length);
    return sliceBytes(item as string, start, end);
  }
  if (kind !== 'slice') refuse(`can't slice item of type ${typeName(item)}`);
  const items = itemsOf(item);
  const size = sizeOfList(items);
  const room = rooms.get(items) ?? { backing: items, start: 0, capacity: size };
  const [start, end, most] = bounds(indexes, size, room.capacity);
  const part = room.backing.slice(room.start + start, room.start + end);
  rooms.set(part, { backing: room.backing, start: room.start + start, capacity: most - start });
  return item instanceof Slice ? new Slice(item.elementType, part, item.isNil) : part;
}

/** What a slice was cut from: its items stand in `backing`, and so do those behind them. */
interface Room {
  readonly backing: readonly Value[];
  readonly start: number;
  readonly capacity: number;
}

const rooms = new WeakMap<readonly Value[], Room>();

function bounds(
  indexes: readonly Value[],
  length: number,
  capacity: number,
): readonly [number, number, number] {
  const places = indexes.map((index) => placeOf(index, capacity));
  const [start = 0, end = length, most = capacity] = places;
  if (start > end) refuse(`invalid slice index: ${start} > ${end}`);
  if (end > most) refuse(`invalid slice index: ${end} > ${most}`);
  return [start, end, most];
}

/** An index from 0 up to `most`; that is one more than there are items, and Go fails later on it. */
function placeOf(index: Value, most: number): number {
  if (index === undefined || index === null) refuse('cannot index slice/array with nil');
  if (index === INTERFACE) refuse('cannot index slice/array with type interface {}');
  const place = integerOf(index) ?? refuse(`cannot index slice/array with type ${typeName(index)}`);
  const number = asInt(place);
  return number < 0 || number > most ? refuse(`index out of range: ${number}`) : Number(number);
}
