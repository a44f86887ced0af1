import { guard } from '@cuebook/guard';
import { breakOffsets, joinTokens } from './chat-token.js';
import { withMarks } from './escape.js';
import { structureOf } from './lex.js';
import { isOneLine } from './lines.js';

/** What an empty list prints as; the same words as a value are quoted. */
export const NO_ITEMS = '(none)';

/** A value stands behind its key, an item on a line of its own behind a dash. */
export type ScalarForm = 'value' | 'item';

/**
 * A value on one line, chat-template tokens broken. Plain values stand as they are; a value that could be misread
 * (line breaks, outer white space, a leading quote, nothing at all, an item that reads as a field) stands as a JSON
 * string, so reading it back is exact.
 */
export function printScalar(value: string, form: ScalarForm): string {
  const broken = breakTokens(value);
  return mustQuote(broken, form) ? `"${encodeQuoted(broken)}"` : broken;
}

/** The inverse of `printScalar`; undefined for what it does not write. */
export function parseScalar(text: string, form: ScalarForm): string | undefined {
  const value = joinTokens(text.startsWith('"') ? (decodeQuoted(text) ?? '') : text);
  return printScalar(value, form) === text ? value : undefined;
}

/** Whether a value, its tokens broken, has to stand in quotes. */
export function mustQuote(value: string, form: ScalarForm): boolean {
  const ambiguous =
    value === '' ||
    value === NO_ITEMS ||
    value.startsWith('"') ||
    !isOneLine(value) ||
    value !== value.trim() ||
    !value.isWellFormed();
  if (guard('shell.value.quote', ambiguous)) return true;
  return form === 'item' && guard('shell.item.field', structureOf(`- ${value}`) !== undefined);
}

/** A text as it stands between quotes. */
export const encodeQuoted = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What a JSON string stands for. */
export function decodeQuoted(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function breakTokens(value: string): string {
  const offsets = breakOffsets(value);
  return offsets.length === 0
    ? value
    : withMarks(
        value,
        offsets.map((at) => ({ at, text: ' ' })),
      );
}
