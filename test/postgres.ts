import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { part } from './part.js';
import { type Databases, databasesAt, withClient } from './shared-postgres.js';

/** A PostgreSQL server with a cluster of its own, thrown away at the end. */
export interface Postgres extends Databases {
  /** Ends the server as a crash would, and starts it again on the same data. */
  crash(): Promise<void>;
  /** Starts a server that follows this one, and has every write before it is acknowledged here. */
  follow(): Promise<Follower>;
  stop(): Promise<void>;
}

/** A server that has all that another one has, as it is written. */
export interface Follower extends Databases {
  /** Ends the server that it follows as a crash would, and takes its place. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** False for speed, where no test looks at what survives a crash. */
  readonly fsync?: boolean;
  /** How many may connect at once. 100 by default. */
  readonly connections?: number;
}

/**
 * Starts a cluster in a temporary folder, reachable on a port of 127.0.0.1 that was free. The part `postgres`
 * must be there: ask `describePart('postgres', …)` first. As root the server runs as another user, because it
 * refuses to run as root.
 */
export async function startPostgres({
  fsync = true,
  connections = 100,
}: PostgresOptions = {}): Promise<Postgres> {
  const programs = dirname(realProgram(part('postgres').path));
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-postgres-'));
  const user = serverUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const as = { cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' }, ...user };
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await promisify(execFile)(join(programs, 'initdb'), init, as);

  const port = await freePort();
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<ChildProcess> => startAt({ data, port });
  const startAt = async (at: Pick<ServerOptions, 'data' | 'port'>): Promise<ChildProcess> => {
    const server = spawn(join(programs, 'postgres'), serverArguments({ ...at, folder, fsync, connections }), {
      ...as,
      stdio: 'ignore',
    });
    // A test process that ends without `stop` takes the server along.
    const kill = (): void => void server.kill('SIGQUIT');
    process.once('exit', kill);
    server.once('exit', () => process.off('exit', kill));
    await untilReady(url('postgres').replace(`:${port}/`, `:${at.port}/`), server);
    return server;
  };
  let server = await start();

  return {
    ...databasesAt(url('postgres')),
    async crash() {
      // SIGQUIT is the immediate shutdown: no checkpoint, recovery from the write-ahead log at the next start.
      await end(server, 'SIGQUIT');
      server = await start();
    },
    async follow() {
      const [copy, own] = [join(folder, 'copy'), await freePort()];
      const from = `postgres://postgres@127.0.0.1:${port}/?application_name=follower`;
      const backup = ['-D', copy, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
      await promisify(execFile)(join(programs, 'pg_basebackup'), backup, as);
      const follower = await startAt({ data: copy, port: own });
      for (const sql of [
        "ALTER SYSTEM SET synchronous_standby_names = 'follower'",
        'SELECT pg_reload_conf()',
      ])
        await withClient(url('postgres'), (client) => client.query(sql));
      await until(url('postgres'), "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
      const ownUrl = url('postgres').replace(`:${port}/`, `:${own}/`);
      return {
        ...databasesAt(ownUrl),
        async promote() {
          await end(server, 'SIGQUIT');
          await withClient(ownUrl, (client) => client.query('SELECT pg_promote()'));
          // It waits for no follower of its own.
          await withClient(ownUrl, (client) =>
            client.query("ALTER SYSTEM SET synchronous_standby_names = ''"),
          );
          await withClient(ownUrl, (client) => client.query('SELECT pg_reload_conf()'));
        },
        stop: () => end(follower, 'SIGQUIT'),
      };
    },
    async stop() {
      await end(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ServerOptions {
  readonly data: string;
  readonly folder: string;
  readonly port: number;
  readonly fsync: boolean;
  readonly connections: number;
}

function serverArguments({ data, folder, port, fsync, connections }: ServerOptions): readonly string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    port: String(port),
    fsync: fsync ? 'on' : 'off',
    max_connections: String(connections),
    shared_buffers: '16MB',
    autovacuum: 'on',
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Debian links the server onto the path; the programs beside it are found from where it really is. */
function realProgram(path: string): string {
  return execFileSync('readlink', ['-f', path], { encoding: 'utf8' }).trim();
}

function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = lookUp('-u', name);
    const gid = lookUp('-g', name);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as');
}

function lookUp(flag: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(
      execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return undefined; // No such user: the next name decides.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Asks until the server answers; a server that ended instead is an error. */
async function untilReady(url: string, server: ChildProcess): Promise<void> {
  let last: unknown;
  for (let tries = 0; tries < 12_000; tries += 1) {
    if (server.exitCode !== null) throw new Error(`postgres ended with code ${server.exitCode}`);
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      return;
    } catch (thrown) {
      last = thrown;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('postgres did not answer', { cause: last });
}

/** Asks until a query answers a row. */
async function until(url: string, sql: string): Promise<void> {
  while ((await withClient(url, (client) => client.query(sql))).rows.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
