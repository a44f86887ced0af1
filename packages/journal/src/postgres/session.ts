import type pg from 'pg';
import type { SqlRow, SqlSession } from '../store/port/driver.js';
import type { Cell } from '../store/row/sum.js';

/**
 * A connection as a session. Statements are prepared once for each connection. Several handed over without
 * waiting go out together, so a transaction costs as many round trips as it has decisions, not statements.
 */
export function toSession(client: pg.ClientBase): PostgresSession {
  const send = async (sql: string, values: readonly (Cell | readonly Cell[])[]) => {
    const { name, text } = prepared(sql);
    return rowsOf(await client.query({ name, text, values: values.map(toValue), rowMode: 'array' }));
  };
  return {
    call: send,
    async rows(sql, values) {
      if (values === undefined) return rowsOf(await client.query({ text: sql, rowMode: 'array' }));
      return send(sql, values);
    },
  };
}

/** A session that hands over lists as well. */
export interface PostgresSession extends SqlSession {
  call(sql: string, values: readonly (Cell | readonly Cell[])[]): Promise<readonly SqlRow[]>;
}

/** Whole numbers of 64 bits come as numbers: all of ours are exact. */
export const PARSERS: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) => {
    if (oid === BYTEA) return (text: string) => Buffer.from(text.slice(2), 'hex');
    if (oid === INT4 || oid === INT8 || oid === NUMERIC) return Number;
    void format;
    return (text: string) => text;
  },
} as pg.CustomTypesConfig;

const BYTEA = 17;
const INT8 = 20;
const INT4 = 23;
const NUMERIC = 1700;

const names = new Map<string, { readonly name: string; readonly text: string }>();

/** The statement with `$1` for `?`, under a name of its own. The store's own statements are few. */
function prepared(sql: string): { readonly name: string; readonly text: string } {
  const known = names.get(sql);
  if (known) return known;
  let count = 0;
  const text = sql.replace(/\?/g, () => `$${++count}`);
  const made = { name: `cuebook_${names.size}`, text };
  names.set(sql, made);
  return made;
}

const toValue = (value: Cell | readonly Cell[]): Cell | Cell[] =>
  Array.isArray(value) ? value.map(toBuffer) : toBuffer(value as Cell);

const toBuffer = (cell: Cell): Cell =>
  cell instanceof Uint8Array && !Buffer.isBuffer(cell)
    ? Buffer.from(cell.buffer, cell.byteOffset, cell.length)
    : cell;

function rowsOf(result: pg.QueryArrayResult | readonly pg.QueryArrayResult[]): readonly SqlRow[] {
  const last = Array.isArray(result) ? result.at(-1) : result;
  return (last?.rows ?? []) as readonly SqlRow[];
}
