import type { JsonValue } from '../redact/leak-context.js';

/**
 * Whether two values hold the same leaves under the same keys in the same order, which is all that `mapStrings` looks
 * at. No recursion: depth costs memory, not stack.
 */
export function sameValue(one: unknown, other: unknown): boolean {
  const left: unknown[] = [one];
  const right: unknown[] = [other];
  while (left.length > 0) {
    const a = left.pop();
    const b = right.pop();
    if (!isContainer(a) || !isContainer(b)) {
      if (!Object.is(a, b)) return false;
      continue;
    }
    const isList = Array.isArray(a);
    if (isList !== Array.isArray(b)) return false;
    if (isList) {
      if (a.length !== (b as unknown as readonly unknown[]).length) return false;
      for (let at = 0; at < a.length; at += 1) {
        left.push(a[at]);
        right.push((b as unknown as readonly unknown[])[at]);
      }
      continue;
    }
    const keys = Object.keys(a);
    if (!sameKeys(keys, b)) return false;
    for (const key of keys) {
      left.push(a[key]);
      right.push(b[key]);
    }
  }
  return true;
}

/** Whether a record has these keys in this order. */
export function sameKeys(keys: readonly string[], record: object): boolean {
  const others = Object.keys(record);
  if (others.length !== keys.length) return false;
  for (let at = 0; at < keys.length; at += 1) if (keys[at] !== others[at]) return false;
  return true;
}

const isContainer = (value: unknown): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null;
