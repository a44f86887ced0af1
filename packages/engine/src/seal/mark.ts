import { type JsonValue, mapStrings } from '@cuebook/prompt';

/**
 * What stands in a log where a credential was: a mask that names the entry of the vault that has it. Only the engine
 * writes marks; whatever looks like one in words from outside loses its name before anybody decides on it.
 */
export const markOf = (id: string): string => `${BEGIN}${id}]`;

/** A mask that names nothing. */
export const PLAIN_MARK = '[removed:credential]';

const BEGIN = '[removed:credential:';
const MARK = /\[removed:credential:([0-9a-f]{32})\]/g;

/** The names of the entries that a text refers to. */
export const idsIn = (text: string): readonly string[] =>
  text.includes(BEGIN) ? [...text.matchAll(MARK)].map(([, id]) => id ?? '') : [];

/** Whether any string of a value, or any key, has a mark. */
export function hasMark(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(BEGIN);
  const left: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    for (const [key, inner] of Object.entries(item)) {
      if (key.includes(BEGIN) || (typeof inner === 'string' && inner.includes(BEGIN))) return true;
      if (typeof inner === 'object' && inner !== null) left.push(inner);
    }
  }
  return false;
}

/** The value with masks that name nothing. The value itself where there is no mark. */
export const plain = <Value>(value: Value): Value =>
  hasMark(value) ? replaceMarks(value, () => PLAIN_MARK) : value;

/** The value with each mark replaced. */
export function replaceMarks<Value>(value: Value, instead: (id: string, mark: string) => string): Value {
  const replace = (text: string): string => text.replace(MARK, (mark, id: string) => instead(id, mark));
  return mapStrings(value as JsonValue, replace) as Value;
}
