import { sizeOfList } from '../value/entries.js';
import { type MapValue, Slice, Struct, type Value } from '../value/value.js';
import { sortedEntries } from './sorted-entries.js';
import type { Spec } from './spec.js';
import { typeName } from './type-name.js';

/** A list, map or struct that is being printed. */
export interface PrintFrame {
  readonly value: Value;
  readonly open: string;
  readonly close: string;
  readonly items: readonly Value[];
  /** How many of them there are, read once: a list may change while it is read. */
  readonly count: number;
  /** The names of a struct's fields where they are shown. */
  readonly names: readonly string[] | undefined;
  /** The keys of a map. They are values too: the verb prints them. */
  readonly keys: readonly Value[] | undefined;
  /** The index of the item that comes next. */
  next: number;
}

/** The frame of a value that has parts. */
export function enter(value: Value, spec: Spec): PrintFrame {
  if (Array.isArray(value)) return listFrame(value, value, spec);
  if (value instanceof Slice) return listFrame(value, value.items, spec);
  if (value instanceof Struct) return structFrame(value, spec);
  return mapFrame(value as MapValue, spec);
}

function listFrame(value: Value, items: readonly Value[], spec: Spec): PrintFrame {
  const count = sizeOfList(items);
  if (!spec.sharpV)
    return { value, open: '[', close: ']', items, count, names: undefined, keys: undefined, next: 0 };
  const isNil = value instanceof Slice && value.isNil;
  return {
    value,
    open: typeName(value) + (isNil ? '(nil)' : '{'),
    close: isNil ? '' : '}',
    items,
    count,
    names: undefined,
    keys: undefined,
    next: 0,
  };
}

function structFrame(value: Struct, spec: Spec): PrintFrame {
  const { typeName, fields } = value;
  return {
    value,
    open: spec.sharpV ? `${typeName}{` : '{',
    close: '}',
    items: [...fields.values()],
    count: fields.size,
    names: spec.sharpV || spec.plusV ? [...fields.keys()] : undefined,
    keys: undefined,
    next: 0,
  };
}

function mapFrame(value: MapValue, spec: Spec): PrintFrame {
  const entries = sortedEntries(value);
  return {
    value,
    open: spec.sharpV ? `${typeName(value)}{` : 'map[',
    close: spec.sharpV ? '}' : ']',
    items: entries.map(([, item]) => item),
    count: entries.length,
    names: undefined,
    keys: entries.map(([key]) => key),
    next: 0,
  };
}
