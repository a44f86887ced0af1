import { namesOf, sizeOfList } from '../value/entries.js';
import { Slice, Struct } from '../value/value.js';

/** How many values are looked at to find one that was refused. */
const MOST = 20_000;

/** Where a value stands in the data, `.a.b[3]`; undefined when it is not there: a function may have made it. */
export function pathOf(root: unknown, wanted: unknown): string | undefined {
  const seen = new Set<unknown>();
  const waiting: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: '' }];
  for (let at = 0; at < waiting.length && at < MOST; at++) {
    const { value, path } = waiting[at] as (typeof waiting)[number];
    if (Object.is(value, wanted)) return path === '' ? 'the data' : path;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [step, inner] of listed(() => partsOf(value)))
      waiting.push({ value: inner, path: path + step });
  }
  return undefined;
}

type Part = readonly [step: string, inner: unknown];

/** The parts of a value that can be listed. What fails to be is passed over: this looks for the cause of a failure. */
function partsOf(value: object): readonly Part[] {
  if (value instanceof Struct) return [...value.fields].map(([name, inner]) => [`.${name}`, inner]);
  const items = value instanceof Slice ? value.items : value;
  if (Array.isArray(items)) {
    // A list with holes may be longer than memory.
    const size = Math.min(sizeOfList(items), MOST);
    return Array.from({ length: size }, (_, at) => [`[${at}]`, items[at]]);
  }
  if (items instanceof Set || isTypedArray(items)) {
    return Array.from(items as Iterable<unknown>, (inner, at) => [`[${at}]`, inner]);
  }
  if (value instanceof Map) return Array.from(value, ([key, inner]) => [stepOf(key), inner]);
  const object = value as Readonly<Record<string, unknown>>;
  return namesOf(value).flatMap((name) => listed((): readonly Part[] => [[stepOf(name), object[name]]]));
}

/** What can be read, or nothing: data may throw. */
function listed<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch {
    return [];
  }
}

const isTypedArray = (value: object): boolean => ArrayBuffer.isView(value) && Symbol.iterator in value;

const stepOf = (key: unknown): string => {
  if (typeof key !== 'string') return `[${String(key)}]`;
  return /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
};
