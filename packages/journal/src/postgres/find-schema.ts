import { fail, ok } from '@cuebook/prompt';
import { type Claim, judgeClaim, toClaim } from '../owner/claim.js';
import type { StoreOwner } from '../owner/project.js';
import type { JournalResult } from '../result.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { PROJECT_SCHEMAS, type SchemaName, schemaOf } from './schema.js';

/**
 * Where the tables of a project may lie in a database, the first one that takes the project counts:
 * - the schema of its id;
 * - for a home that lost its id, a schema that its own key signed for;
 * - the schema of the database itself, where stores lie that were made before projects had their own.
 *
 * `isJoining`: a project that is nowhere is not made.
 */
export async function findSchemas(
  session: SqlSession,
  owner: StoreOwner,
  { isJoining }: { readonly isJoining: boolean },
): Promise<JournalResult<readonly SchemaName[]>> {
  const own = schemaOf(owner.project.id);
  const rows = await session.rows(SELECT_SCHEMAS, [PROJECT_SCHEMAS.length, PROJECT_SCHEMAS]);
  const schemas = rows.map(([name]) => String(name));
  if (schemas.includes(own)) return ok([own]);
  if (owner.isNew) {
    for (const schema of schemas) {
      const claim = await claimIn(session, schema);
      if (claim !== undefined && judgeClaim(claim, owner)?.ok) return ok([schema]);
    }
  }
  if (await isStore(session, undefined)) {
    const claim = await claimIn(session, undefined);
    const judged = judgeClaim(claim, owner);
    if (judged?.ok) return ok([undefined]);
    if (judged === undefined && !isJoining) return ok([undefined, own]);
  }
  return isJoining ? fail({ code: 'E_JOURNAL_PROJECT_KEY', reason: 'missing' }) : ok([own]);
}

/** The schema of a project that is only looked at. */
export async function schemaToLookAt(session: SqlSession, project: string | undefined): Promise<SchemaName> {
  const own = project === undefined ? undefined : schemaOf(project);
  return own !== undefined && (await isStore(session, own)) ? own : undefined;
}

/** Makes a schema where there is none. Whoever may not make any can use one that was made for them. */
export async function makeSchema(driver: SqlDriver, schema: string): Promise<void> {
  if ((await driver.rows(SELECT_SCHEMA, [schema])).length > 0) return;
  await driver.write(async (session) => {
    await session.rows(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    return { keep: true, value: undefined };
  });
}

async function isStore(session: SqlSession, schema: SchemaName): Promise<boolean> {
  return (await session.rows(SELECT_TABLE, [schema ?? null, 'cuebook_meta'])).length > 0;
}

async function claimIn(session: SqlSession, schema: SchemaName): Promise<Claim | undefined> {
  const isOwned = (await session.rows(SELECT_TABLE, [schema ?? null, 'cuebook_owner'])).length > 0;
  if (!isOwned) return undefined;
  const table = schema === undefined ? 'cuebook_owner' : `"${schema}".cuebook_owner`;
  return toClaim(await session.rows(`SELECT project, name, signed_by, signature FROM ${table} LIMIT 1`));
}

const SELECT_SCHEMAS = `SELECT nspname FROM pg_namespace WHERE left(nspname, ?::int) = ?
  AND has_schema_privilege(nspname, 'USAGE') ORDER BY nspname`;
const SELECT_SCHEMA = 'SELECT 1 FROM pg_namespace WHERE nspname = ?';
const SELECT_TABLE =
  'SELECT 1 FROM pg_tables WHERE schemaname = coalesce(?::text, current_schema()) AND tablename = ?';
