export type Away = (text: string) => string;

/** JSON stays JSON: where taking out ranges would break it, each of its texts is told without its credentials. */
export function toldIn(away: Away, text: string): string {
  const told = away(text);
  if (told === text || !/^\s*[[{]/.test(text) || isJson(told) || !isJson(text)) return told;
  return `${JSON.stringify(JSON.parse(text), (_key, value) => {
    if (typeof value === 'string') return away(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [away(key), held]));
  })}\n`;
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
