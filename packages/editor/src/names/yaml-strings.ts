import type { YamlSource } from '@cuebook/yaml';
import type { TextLines, TextRange } from '../text/lines.js';

/** A string in a YAML or JSON document and where it is written, where it is written as it is. */
export interface YamlString {
  readonly path: readonly PropertyKey[];
  readonly value: string;
  readonly range: TextRange | undefined;
}

/** More values than this are not looked at. */
const MAX_STRINGS = 200_000;

/** Every string below a path, in the order of the document. */
export function stringsBelow(
  yaml: YamlSource,
  lines: TextLines,
  top: readonly PropertyKey[] = [],
): readonly YamlString[] {
  const found: YamlString[] = [];
  const open: { readonly value: unknown; readonly path: readonly PropertyKey[] }[] = [
    { value: valueAt(yaml.value, top), path: top },
  ];
  for (let next = open.pop(); next !== undefined && found.length < MAX_STRINGS; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') found.push({ path, value, range: rangeOf(yaml, lines, path, value) });
    else if (typeof value === 'object' && value !== null && path.length < MAX_PATH) {
      const below = Object.entries(value).map(([key, each]) => ({
        value: each as unknown,
        path: [...path, Array.isArray(value) ? Number(key) : key],
      }));
      for (const each of below.reverse()) open.push(each);
    }
  }
  return found;
}

const MAX_PATH = 32;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    value,
  );
}

/** Where a value is spelled out; undefined where it is not: escapes, folded lines. */
function rangeOf(
  yaml: YamlSource,
  { text, offsetOf }: TextLines,
  path: readonly PropertyKey[],
  value: string,
): TextRange | undefined {
  const { line, column } = yaml.place(path);
  if (line === undefined || value === '' || value.includes('\n')) return undefined;
  const at = offsetOf(line, column);
  const start = /["']/.test(text.charAt(at)) ? at + 1 : at;
  return text.startsWith(value, start) ? { start, end: start + value.length } : undefined;
}

/** Where the key of a value stands, in front of it. */
export function keyRange(
  yaml: YamlSource,
  { text, offsetOf }: TextLines,
  path: readonly PropertyKey[],
): TextRange | undefined {
  const key = String(path.at(-1));
  const { line, column } = yaml.place(path);
  if (line === undefined) return undefined;
  const value = offsetOf(line, column);
  for (
    let at = text.lastIndexOf(key, value);
    at !== -1 && at > value - MAX_AHEAD;
    at = text.lastIndexOf(key, at - 1)
  ) {
    const isWhole = /^["']?[ \t]*:/.test(text.slice(at + key.length, at + key.length + 80));
    if (isWhole && !/[\w.-]/.test(text.charAt(at - 1))) return { start: at, end: at + key.length };
    if (at === 0) break;
  }
  return undefined;
}

/** A key stands this far in front of its value at most: comments may be between. */
const MAX_AHEAD = 10_000;
