import { JournalFailure } from '../error.js';
import type { SqlRow } from '../store/port/driver.js';

// The database ends the whole process when it is asked for a text whose bytes are no UTF-8, and a damaged file may
// hold such bytes in any column, whatever the column was declared as. So texts leave it as bytes, and the last
// column of a row says by its bits which cells are texts.

/** A query that answers the rows of another with their texts as bytes, and one more column. */
export function withTextsAsBytes(sql: string): string {
  const names = Array.from({ length: countColumns(sql) }, (_, index) => `c${index}`);
  const cells = names.map(
    (name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`,
  );
  const texts = names.map((name, index) => `((typeof(${name}) = 'text') << ${index})`);
  return `WITH found(${names.join(', ')}) AS (${sql}) SELECT ${cells.join(', ')}, ${texts.join(' | ')} FROM found`;
}

/**
 * How many columns a query answers. Read from its words, which are the store's own: asked itself, the database tells
 * how the columns were declared as well, and ends the process where that is no UTF-8.
 */
function countColumns(sql: string): number {
  let plain = sql;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()]*\)/g, '');
  }
  const [columns = ''] = plain.split(/\sFROM\s/, 1);
  return columns.split(',').length;
}

/** A row of such a query as the other would have answered it. */
export function readTexts(row: readonly unknown[]): SqlRow {
  const cells = row.slice(0, -1);
  let texts = Number(row[cells.length]);
  for (let index = 0; texts > 0; index += 1, texts >>>= 1) {
    if (texts & 1) cells[index] = toText(cells[index] as Uint8Array);
  }
  return cells as SqlRow;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: 'the database file' });
  }
}
