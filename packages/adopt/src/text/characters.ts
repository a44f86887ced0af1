import { findInvisible } from '@cuebook/prompt';
import type { Reporter } from '../diagnostic.js';
import type { MappedText } from './mapped.js';

/** Where a text holds half of a character (a lone surrogate), which no file of UTF-8 can hold; -1 when it does not. */
export const findHalf = (text: string): number => text.search(/\p{Surrogate}/u);

/** The path to a text with half of a character inside of plain data. */
export function pathToHalf(value: unknown): readonly PropertyKey[] | undefined {
  if (typeof value === 'string') return findHalf(value) < 0 ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = findHalf(key) < 0 ? pathToHalf(inner) : [];
    if (path !== undefined) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return undefined;
}

export const HALF = 'The text holds half of a character (a lone surrogate), which is not Unicode';

/** Says once for a text that characters which nobody sees are made visible when the sheet is rendered. */
export function sayInvisible(source: MappedText, report: Reporter): void {
  const [first, ...more] = findInvisible(source.text);
  if (first === undefined) return;
  const place = source.at(first.start);
  const isTold = report.found.some(
    ({ code, line, column }) => code === 'W_IMPORT_DIALECT' && line === place.line && column === place.column,
  );
  const others = more.length === 0 ? '' : `, and ${more.length} more after it`;
  if (!isTold)
    report.info(
      'W_IMPORT_DIALECT',
      place,
      `A character that nobody sees is sent as ${first.text}${others}: remove it from the sheet if nobody meant it`,
    );
}
