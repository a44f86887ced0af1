import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { JournalResult } from '../result.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { ALIGN_NUMBERS, NUMBERS_SINCE, SCHEMA_VERSION, STEPS, type Types } from './steps.js';

/** How a database names its types and lists its tables. */
export interface Tables {
  readonly types: Types;
  /** Answers a row for each table of ours, and of anybody else's where the whole place must be ours. */
  readonly list: string;
}

/** What is left to do where rows of a layout were copied into its tables. */
export async function alignNumbers(session: SqlSession, { types }: Tables, version: number): Promise<void> {
  if (types.server === undefined || version < NUMBERS_SINCE) return;
  await session.rows(ALIGN_NUMBERS);
}

/**
 * Brings a store to the newest layout, in one transaction. A store of a newer version is refused and left as it
 * is. Of several processes that open one store at the same time one does the work.
 */
export async function migrate(driver: SqlDriver, tables: Tables): Promise<JournalResult<number>> {
  const before = await findVersion(driver, tables);
  if (!before.ok || before.value === SCHEMA_VERSION) return before;
  return driver.write<JournalResult<number>>(async (session) => {
    const found = await findVersion(session, tables);
    if (!found.ok || found.value === SCHEMA_VERSION) return { keep: false, value: found };
    await takeSteps(session, tables, found.value, SCHEMA_VERSION);
    return { keep: true, value: ok(SCHEMA_VERSION) };
  });
}

/** Makes the tables of a layout where there are none. */
export const setLayout = (session: SqlSession, tables: Tables, version: number): Promise<void> =>
  takeSteps(session, tables, 0, version);

/** The layout of a store that is one. */
export async function readVersion(session: SqlSession): Promise<number> {
  const [row] = await session.rows("SELECT value FROM cuebook_meta WHERE name = 'schema'");
  return Number(row?.[0] ?? 0);
}

async function takeSteps(session: SqlSession, { types }: Tables, from: number, to: number): Promise<void> {
  for (const step of STEPS.slice(from, to)) {
    for (const statement of step(types)) await session.rows(statement);
  }
  await session.rows(SET_VERSION, [to]);
}

const SET_VERSION = `INSERT INTO cuebook_meta (name, value) VALUES ('schema', ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** 0 for a place with nothing in it. */
async function findVersion(session: SqlSession, { list }: Tables): Promise<JournalResult<number>> {
  const names = (await session.rows(list)).map(([name]) => String(name));
  if (names.length === 0) return ok(0);
  if (guard('schema.foreign', !names.includes('cuebook_meta'))) {
    return fail({ code: 'E_JOURNAL_FOREIGN', what: 'there are tables of something else' });
  }
  const found = await readVersion(session);
  if (guard('schema.newer', found > SCHEMA_VERSION)) {
    return fail({ code: 'E_JOURNAL_SCHEMA_NEWER', found, known: SCHEMA_VERSION });
  }
  return ok(found);
}
