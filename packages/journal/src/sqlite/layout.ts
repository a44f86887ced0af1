import { guard } from '@cuebook/guard';
import { setLayout } from '../schema/migrate.js';
import type { SqlSession } from '../store/port/driver.js';
import { connect } from './connection.js';
import { SQLITE_TABLES } from './driver.js';

/**
 * What a file has otherwise than its layout makes it. A damaged declaration can be readable and mean something else:
 * a key that is none any more, a column that may be empty. A trigger or a view changes what is written or read.
 */
export async function layoutProblems(session: SqlSession, version: number): Promise<readonly string[]> {
  const found = new Map(await declarations(session));
  const made = await declared(version);
  const ours = new Set(made.map(([name]) => name));
  const strange = [...found.keys()].filter(
    (name) => guard('verify.layout', /^the (?:trigger|view) /.test(name)) && !ours.has(name),
  );
  const different = made.flatMap(([name, sql]) => {
    const theirs = found.get(name);
    if (theirs === undefined) return [`${name} is not there`];
    return theirs === sql ? [] : [`${name} is not as it was declared`];
  });
  return [...different, ...strange.map((name) => `${name} is none of a journal`)];
}

type Declaration = readonly [name: string, sql: string];

const known = new Map<number, Promise<readonly Declaration[]>>();

/** What a layout declares where it is made anew. */
function declared(version: number): Promise<readonly Declaration[]> {
  const made = known.get(version) ?? layOut(version);
  known.set(version, made);
  return made;
}

async function layOut(version: number): Promise<readonly Declaration[]> {
  const connection = connect(':memory:');
  try {
    await setLayout(connection, SQLITE_TABLES, version);
    return await declarations(connection);
  } finally {
    connection.close();
  }
}

async function declarations(session: SqlSession): Promise<readonly Declaration[]> {
  const rows = await session.rows(
    "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name",
  );
  return rows.map(([name, sql]) => [`the ${String(name)}`, String(sql)]);
}
