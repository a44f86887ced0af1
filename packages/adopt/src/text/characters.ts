import { guard } from '@cuebook/guard';
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

/** A place of a text that not every reader of YAML takes in the same way. */
export interface YamlOddity {
  readonly start: number;
  readonly message: string;
}

/** The first such place: a carriage return alone, a second byte order mark, or a control character. */
export function yamlOddity(text: string): YamlOddity | undefined {
  const start = text.search(ODD_IN_YAML);
  if (!guard('adopt.yaml-odd', start >= 0)) return undefined;
  const message =
    text[start] === '\r'
      ? 'A carriage return stands here without a line feed: some readers of YAML end a line there, others do not. Save the file with usual line ends'
      : `The character ${codePoint(text.charCodeAt(start))} may not stand here in YAML: some readers refuse the file, others do not. Write it as an escape, or remove it`;
  return { start, message };
}

const ODD_IN_YAML = /\r(?!\n)|^\ufeff|[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ud800-\ufffd]/;
const codePoint = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

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
