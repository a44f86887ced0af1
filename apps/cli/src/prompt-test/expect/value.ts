import type { JsonValue } from '@cuebook/prompt';
import { short } from './failed.js';

/**
 * Where a value lacks what is expected of it, or undefined when it has all of it. Objects may have more keys;
 * lists have the same length; everything else is equal.
 */
export function lacks(value: unknown, expected: JsonValue, path = ''): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return told(path, value, expected);
    if (value.length !== expected.length) {
      return `${at(path)}has ${value.length} entries, and ${expected.length} are expected`;
    }
    return firstOf(expected.map((each, index) => () => lacks(value[index], each, `${path}[${index}]`)));
  }
  if (isRecord(expected)) {
    if (!isRecord(value)) return told(path, value, expected);
    return firstOf(
      Object.entries(expected).map(
        ([key, each]) =>
          () =>
            lacks(
              Object.hasOwn(value, key) ? value[key] : undefined,
              each as JsonValue,
              path === '' ? key : `${path}.${key}`,
            ),
      ),
    );
  }
  return Object.is(value, expected) ? undefined : told(path, value, expected);
}

/** The value at a path such as `items[0].name`; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value;
  for (const [, key, index, quoted] of path
    .replace(/^\$\.?/, '')
    .matchAll(/([^.[\]]+)|\[(\d+)\]|\["([^"]*)"\]/g)) {
    const step = key ?? index ?? quoted ?? '';
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[step];
  }
  return here;
}

const firstOf = (looks: readonly (() => string | undefined)[]): string | undefined => {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) return found;
  }
  return undefined;
};

const told = (path: string, value: unknown, expected: JsonValue): string =>
  `${at(path)}is ${print(value)}, and ${print(expected)} is expected`;

const at = (path: string): string => (path === '' ? 'it ' : `${path} `);

const print = (value: unknown): string =>
  value === undefined ? 'missing' : short(JSON.stringify(value) ?? '');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
