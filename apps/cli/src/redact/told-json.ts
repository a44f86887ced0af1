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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The question was whether it can be read.
    return false;
  }
}
