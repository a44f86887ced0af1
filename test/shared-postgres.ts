import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { placeOfServer } from './suite/place-of-server.js';

/** A real PostgreSQL server. */
export interface Databases {
  /** The database `postgres` of the cluster. Databases are made with `createDatabase`. */
  readonly url: string;
  /** A new, empty database; answers its address. */
  createDatabase(): Promise<string>;
}

/**
 * The server of the whole run, for all who bring their own databases: the first who asks starts it, and it ends with
 * the run. The part `postgres` must be there. Whoever crashes or stops a server starts one of its own, with `startPostgres`.
 */
export async function sharedPostgres(): Promise<Databases> {
  return databasesAt((await placeOfServer<{ readonly url: string }>('postgres')).url);
}

/** Databases of the server whose database `postgres` has this address. */
export const databasesAt = (url: string): Databases => ({
  url,
  async createDatabase() {
    const name = `test_${randomBytes(8).toString('hex')}`;
    await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
    return url.replace(/\/postgres$/, `/${name}`);
  },
});

/** Connects, and disconnects whatever comes of it. */
export async function withClient<Value>(
  url: string,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
