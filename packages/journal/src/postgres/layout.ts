import { randomBytes } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { setLayout } from '../schema/migrate.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { postgresTables } from './driver.js';
import type { SchemaName } from './schema.js';

/**
 * What a store in a database has otherwise than its layout makes it: a key or a column that is not there, a function
 * that does something else; and what no store has: triggers, rules, rows that some people do not see. The layout is made
 * anew beside the store in a transaction that is taken back. Whoever may not make it is told what no store has alone.
 */
export async function postgresLayoutProblems(
  driver: SqlDriver,
  schema: SchemaName,
  version: number,
): Promise<readonly string[]> {
  const found = await declarations(driver);
  const strange = (await driver.rows(SELECT_STRANGE)).map(([name]) => `${String(name)} is none of a journal`);
  if (guard('verify.postgres-strange', strange.length > 0)) return strange;
  const made = await declared(driver, schema, version).catch(() => new Map<string, string>());
  return [...made].flatMap(([name, is]) => {
    const theirs = found.get(name);
    if (!guard('verify.postgres-layout', theirs !== is)) return [];
    return `${name} is ${theirs === undefined ? 'not there' : 'not as it was declared'}`;
  });
}

async function declared(
  driver: SqlDriver,
  schema: SchemaName,
  version: number,
): Promise<ReadonlyMap<string, string>> {
  const beside = `cuebook_look_${randomBytes(8).toString('hex')}`;
  return driver.write(async (session) => {
    await session.rows(`CREATE SCHEMA "${beside}"`);
    await session.rows(`SET LOCAL search_path = "${beside}"`);
    await setLayout(session, postgresTables(schema), version);
    return { keep: false, value: await declarations(session) };
  });
}

const declarations = async (session: SqlSession): Promise<ReadonlyMap<string, string>> =>
  new Map((await session.rows(SELECT_DECLARED)).map(([name, is]) => [`the ${String(name)}`, String(is)]));

/** Of the schema that the session looks into. The name of the schema itself stands nowhere in it. */
const SELECT_DECLARED = `
  WITH ours AS (
    SELECT oid, relname, relkind, relpersistence FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname LIKE 'cuebook\\_%'
  )
  SELECT 'table ' || relname, relkind::text || ' ' || relpersistence::text FROM ours WHERE relkind <> 'i'
  UNION ALL
  SELECT 'column ' || relname || '.' || attname, format_type(atttypid, atttypmod) || ' ' || attnotnull::text
  FROM ours JOIN pg_attribute ON attrelid = ours.oid WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT 'index ' || relname, replace(pg_get_indexdef(oid), quote_ident(current_schema()) || '.', '')
  FROM ours WHERE relkind = 'i'
  UNION ALL
  SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(oid) || ')', prosrc || ' ' || provolatile::text
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'cuebook\\_%'
  ORDER BY 1`;

const SELECT_STRANGE = `
  WITH ours AS (
    SELECT oid, relname, relrowsecurity FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname LIKE 'cuebook\\_%'
  )
  SELECT 'the trigger ' || tgname FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT 'the rule ' || rulename FROM ours JOIN pg_rewrite ON ev_class = ours.oid
  UNION ALL
  SELECT 'the row security of ' || relname FROM ours WHERE relrowsecurity
  ORDER BY 1`;
