import { guard } from '../guard.js';
import { isOneLine } from './lines.js';

/** What an empty list prints as; the same words as a value are quoted. */
export const NO_ITEMS = '(none)';

/**
 * A value on one line. Plain values stand as they are; a value that could be misread (line breaks, outer
 * white space, a leading quote, nothing at all) stands as a JSON string, so reading it back is exact.
 */
export function printScalar(value: string): string {
  const ambiguous = !isPlain(value);
  return guard('shell.value.quote', ambiguous) ? quote(value) : value;
}

/** The inverse of `printScalar`; undefined when the text is neither plain nor a JSON string. */
export function parseScalar(text: string): string | undefined {
  if (!text.startsWith('"')) return isPlain(text) ? text : undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: string): boolean {
  if (value === '' || value === NO_ITEMS || value.startsWith('"')) return false;
  return isOneLine(value) && value === value.trim() && value.isWellFormed();
}

const quote = (value: string): string =>
  JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
