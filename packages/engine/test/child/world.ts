import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fence } from '@cuebook/journal';
import pg from 'pg';
import type { Driver } from '../../src/effect/driver.js';
import type { Outcome } from '../../src/machine.js';
import { errandOf } from '../errands.js';
import type { ChildTask } from './task.js';

/** A world that outlives every process, with what was done to it, once per line or row. */
export interface OuterWorld {
  /** Does it, in one step that is done or not done, whatever becomes of the process. */
  act(name: string, idempotent: boolean, fence: Fence): Promise<void>;
  /** Whether it was done; who has a lower fence cannot do it any more. */
  seen(name: string, fence: Fence): Promise<boolean>;
  /** How often each was done. */
  read(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

export function openWorld(place: ChildTask['world']): OuterWorld {
  return 'file' in place ? fileWorld(place.file) : tableWorld(place.databaseUrl);
}

/** Errands take a moment before and after they are done, so that several are under way at any time. */
export function errandDriver(world: OuterWorld, slowMs = 0): Driver {
  return {
    async perform(effect, { fence, attempt }) {
      const { name, onCrash } = errandOf(effect);
      await wait(name === SLOW && attempt === 1 ? MOMENT_MS + slowMs : MOMENT_MS);
      await world.act(name, onCrash === 'repeat', fence);
      await wait(MOMENT_MS);
      return outcomeOf(name);
    },
    async observe(effect, { fence }) {
      const { name } = errandOf(effect);
      return (await world.seen(name, fence))
        ? { state: 'done', outcome: outcomeOf(name) }
        : { state: 'not-done' };
    },
  };
}

const MOMENT_MS = 15;

/** An errand that takes `slowMs` more at its first try: a process that is killed has work in flight. */
export const SLOW = 'slow';

export const outcomeOf = (name: string): Outcome => ({ ok: true, output: `${name} is done` });

function fileWorld(file: string): OuterWorld {
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
  return {
    async act(name, idempotent) {
      if (!idempotent || !lines().includes(name)) appendFileSync(file, `${name}\n`);
    },
    seen: async (name) => lines().includes(name),
    async read() {
      const counts = new Map<string, number>();
      for (const name of lines()) counts.set(name, (counts.get(name) ?? 0) + 1);
      return counts;
    },
    async close() {},
  };
}

export const WORLD_TABLES = `CREATE TABLE world (key text UNIQUE, name text);
  CREATE TABLE fences (scope text PRIMARY KEY, token bigint)`;

/** A database: each step is one statement, and it remembers the greatest token of each scope. */
function tableWorld(connectionString: string): OuterWorld {
  const pool = new pg.Pool({ connectionString, max: 4 });
  pool.on('error', () => undefined); // The server of a test may go away first.
  const shown = `WITH shown AS (INSERT INTO fences VALUES ($1, $2) ON CONFLICT (scope)
    DO UPDATE SET token = excluded.token WHERE fences.token <= excluded.token RETURNING 1)`;
  return {
    async act(name, idempotent, { scope, token }) {
      const key = idempotent ? name : null;
      const insert = `${shown} INSERT INTO world SELECT $3, $4 FROM shown ON CONFLICT (key) DO NOTHING`;
      await pool.query(insert, [scope, token, key, name]);
    },
    async seen(name, { scope, token }) {
      await pool.query(`${shown} SELECT 1`, [scope, token]);
      const { rows } = await pool.query('SELECT 1 FROM world WHERE name = $1', [name]);
      return rows.length > 0;
    },
    async read() {
      const { rows } = await pool.query('SELECT name, count(*)::int AS n FROM world GROUP BY name');
      return new Map(rows.map(({ name, n }) => [name, n]));
    },
    close: () => pool.end(),
  };
}
