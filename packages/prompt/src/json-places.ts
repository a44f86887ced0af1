import { advancePlace, type Place } from './origin.js';
import { type JsonNode, jsonTokens } from './wire/json-tokens.js';

/** Answers where a value of a JSON text stands: the place of its key or, in a list, of its beginning. */
export function jsonPlaces(
  ref: string,
  text: string,
): (path: readonly (string | number)[]) => Place | undefined {
  const starts = new Map<string, number>();
  for (const { kind, node, start } of jsonTokens(text) ?? []) {
    if (kind === 'mark' && !node.isItem) continue;
    const key = JSON.stringify(jsonPath(node));
    if (!starts.has(key)) starts.set(key, start);
  }
  return (path) => {
    const start = starts.get(JSON.stringify(path.map(String)));
    return start === undefined ? undefined : advancePlace({ ref, line: 1, column: 1 }, text.slice(0, start));
  };
}

/** The keys and indices that lead to a node. */
export function jsonPath(node: JsonNode): readonly string[] {
  const path: string[] = [];
  for (let each = node; each.parent !== undefined; each = each.parent) path.unshift(each.key);
  return path;
}
