import { eachText } from '@cuebook/prompt';

export type Away = (text: string) => string;

/** JSON stays JSON: where taking out ranges would break it, each of its texts is told without its credentials. */
export function toldIn(away: Away, text: string): string {
  const told = away(text);
  if (told === text || !/^\s*[[{]/.test(text) || isJson(told) || !isJson(text)) return told;
  return `${JSON.stringify(eachText(JSON.parse(text), away))}\n`;
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
