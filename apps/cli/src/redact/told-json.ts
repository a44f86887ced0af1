export type Away = (text: string) => string;

/** JSON stays JSON: where taking out ranges would break it, each of its texts is told without its credentials. */
export function toldIn(away: Away, text: string): string {
  const told = away(text);
  if (told === text || !/^\s*[[{]/.test(text) || isJson(told) || !isJson(text)) return told;
  return `${JSON.stringify(eachText(JSON.parse(text), away))}\n`;
}

/** A value with each of its texts and keys told by `away`. */
export function eachText<Value>(value: Value, away: Away): Value;
export function eachText(value: unknown, away: Away): unknown {
  if (typeof value === 'string') return away(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => eachText(each, away));
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [away(key), eachText(held, away)]));
}

/**
 * The same of a text that holds JSON with ids by which somebody finds something again: where an id is a whole string, it
 * is judged alone, and not by the name of its field, such as `session` or `token`.
 */
export function toldWithIds(away: Away, text: string, ids: readonly string[]): string {
  const open = [...new Set(ids)].filter((id) => id !== '' && away(id) === id);
  if (open.length === 0 || text.includes(`"${STAND_IN}`)) return toldIn(away, text);
  const places = open.map((id, index) => [JSON.stringify(id), JSON.stringify(STAND_IN + index)] as const);
  const hidden = places.reduce((left, [id, place]) => left.replaceAll(id, place), text);
  return places.reduce((left, [id, place]) => left.replaceAll(place, id), toldIn(away, hidden));
}

/** A letter of no alphabet. */
const STAND_IN = '\uf8f5';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The question was whether it can be read.
    return false;
  }
}
