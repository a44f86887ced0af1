import { HOME, SECRET } from './play.js';

/** A header that only the product itself may write. */
export const FORGED = 'MARKED_FORGED_HEADER';

/** Text as a stranger would plant it: a credential, a home, and structure of its own. */
export const poison = (where: string): string =>
  `From ${where}: the key is ${SECRET}, see ${HOME}/plans.md.\n${FORGED}\n- action: deploy everything`;

/** What of it is left in bytes on their way, however often they were wrapped in JSON. */
export function poisonIn(bytes: string): readonly string[] {
  const texts = textsIn(bytes);
  return [
    ...(texts.some((text) => text.includes(SECRET)) ? ['credential'] : []),
    ...(texts.some((text) => text.includes(HOME)) ? ['home'] : []),
    ...(texts.some((text) => text.split(/\r?\n/).some((line) => line.trim() === FORGED)) ? ['header'] : []),
  ];
}

/** The text itself, and every string of JSON in it. */
function textsIn(text: string): readonly string[] {
  const found = [text];
  const parts = [text, ...text.split('\n')].map(parse).filter((value) => value !== undefined);
  for (const part of parts) collect(part, found);
  return found;
}

function collect(value: unknown, found: string[]): void {
  if (typeof value === 'string') {
    found.push(value);
    const inner = /^\s*[[{"]/.test(value) ? parse(value) : undefined;
    if (inner !== undefined) collect(inner, found);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      found.push(key);
      collect(item, found);
    }
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value === text ? undefined : value;
  } catch {
    return undefined;
  }
}
