import type { JsonValue } from './leak-context.js';
import { isJwkSecret } from './secret/jwk.js';
import { isValueKey, namesOf, ownerOf, type SiblingNames } from './secret/named-value.js';

/** An unfinished container: what is left to read and where the result goes. */
interface Frame {
  readonly entries: readonly (readonly [string, JsonValue])[] | undefined;
  readonly items: readonly JsonValue[];
  readonly target: JsonValue[] | Record<string, JsonValue>;
  /** The key that the container stands under. */
  readonly owner: string;
  readonly keys: Map<string, number>;
  /** What its values may be called by, once somebody asks. */
  names: SiblingNames | undefined;
  next: number;
}

/** Where a string stands: it is a key, or it stands under one, in a list too. */
export interface StringPlace {
  readonly isKey: boolean;
  readonly key: string;
}

/**
 * A copy of a value with every string and key rewritten. Keys that become equal are told apart by ` (2)`,
 * ` (3)` and so on, so nothing is lost. No recursion: depth costs memory, not stack. Keys such as `__proto__`
 * stay own keys.
 */
export function mapStrings(
  value: JsonValue,
  rewrite: (text: string, place: StringPlace) => string,
): JsonValue {
  const result: JsonValue[] = [];
  const stack: Frame[] = [
    {
      entries: undefined,
      items: [value],
      target: result,
      owner: '',
      keys: new Map(),
      names: undefined,
      next: 0,
    },
  ];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1]!;
    if (frame.next >= (frame.entries ?? frame.items).length) {
      stack.pop();
      continue;
    }
    const entry = frame.entries?.[frame.next];
    const item = entry ? entry[1] : frame.items[frame.next]!;
    const key = entry ? uniqueKey(rewrite(entry[0], KEY), frame.keys) : '';
    const owner = entry ? ownerIn(frame, entry[0], item) : frame.owner;
    frame.next += 1;
    const put = (made: JsonValue): void => {
      if (Array.isArray(frame.target)) frame.target.push(made);
      else defineOwn(frame.target as Record<string, JsonValue>, key, made);
    };
    if (typeof item === 'string') put(rewrite(item, { isKey: false, key: owner }));
    else if (item === null || typeof item !== 'object') put(item);
    else {
      const isList = Array.isArray(item);
      const target: JsonValue[] | Record<string, JsonValue> = isList ? [] : {};
      put(target);
      stack.push({
        entries: isList ? undefined : Object.entries(item as Record<string, JsonValue>),
        items: isList ? item : [],
        target,
        owner,
        keys: new Map(),
        names: undefined,
        next: 0,
      });
    }
  }
  return result[0]!;
}

const KEY: StringPlace = { isKey: true, key: '' };

/** A value's own key, or what `{ name: …, value: … }` or a key of the web says that the value is. */
function ownerIn(frame: Frame, key: string, value: JsonValue): string {
  const { entries } = frame;
  if (entries === undefined || typeof value !== 'string') return key;
  if (isJwkSecret(key, value, false)) return 'secret_key';
  if (isJwkSecret(key, value, true) && entries.some(([each]) => each === 'kty')) return 'secret_key';
  if (!isValueKey(key)) return key;
  frame.names ??= namesOf(
    entries.flatMap(([each, item]) => (typeof item === 'string' ? [{ key: each, value: item }] : [])),
  );
  return ownerOf({ key, value }, frame.names);
}

/** `key`, or `key (2)` and so on when it is taken. Remembers the answer, and how far each key has counted. */
export function uniqueKey(key: string, taken: Map<string, number>): string {
  const used = taken.get(key);
  if (used === undefined) {
    taken.set(key, 1);
    return key;
  }
  let number = used + 1;
  while (taken.has(`${key} (${number})`)) number += 1;
  taken.set(key, number);
  taken.set(`${key} (${number})`, 1);
  return `${key} (${number})`;
}

function defineOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
