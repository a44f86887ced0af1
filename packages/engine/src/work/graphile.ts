import { loadPart } from '@cuebook/journal';
import type { SharedOptions, WorkerUtils } from 'graphile-worker';
import type { Pool } from 'pg';
import type { WorkHost } from './queue.js';

/** The library, opened on a schema of a database. */
export interface OpenedGraphile {
  readonly pool: Pool;
  readonly shared: SharedOptions;
  readonly utils: WorkerUtils;
}

interface GraphilePlace {
  readonly connectionString: string;
  readonly schema: string;
  /** Jobs at a time. */
  readonly parallel: number;
}

/** Loads the libraries only when a queue is used: with SQLite nobody waits for them. */
export async function openGraphile(
  { connectionString, schema, parallel }: GraphilePlace,
  onProblem: WorkHost['onProblem'],
): Promise<OpenedGraphile> {
  const [{ default: pg }, { Logger, makeWorkerUtils }] = await loadPart(() =>
    Promise.all([import('pg'), import('graphile-worker')]),
  );
  const pool = new pg.Pool({ connectionString, max: Math.min(parallel, ASKING) + LISTENING });
  pool.on('error', onProblem);
  pool.on('connect', (client) => client.on('error', onProblem));
  const shared = { pgPool: pool, schema, logger: new Logger(() => () => {}) };
  try {
    // The library makes its schema when it is opened, and two that do so at the same time clash.
    const utils = await whileLocked(pool, () => makeWorkerUtils(shared));
    return { pool, shared, utils };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function whileLocked<Value>(pool: Pool, act: () => Promise<Value>): Promise<Value> {
  const client = await pool.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`);
    const value = await act();
    await client.query(`SELECT pg_advisory_unlock(${SCHEMA_LOCK})`);
    return value;
  } finally {
    client.release(true); // With the connection the lock goes, whatever happened.
  }
}

/**
 * A job has a connection only for the moments in which it is taken and written down as over. However many run at a time,
 * so many connections are enough for them, and a database that allows 100 serves several machines.
 */
const ASKING = 4;
/** Runners that listen, two at most, and those whose place they took, until these have let go. */
const LISTENING = 4;

/** `cuework` in bytes. */
const SCHEMA_LOCK = 0x63_75_65_77_6f_72_6bn;
