import { guard } from '@cuebook/guard';
import pg from 'pg';
import { JournalFailure } from '../error.js';
import { explainPostgres } from './explain.js';

/**
 * Refuses an address behind which connections are shared: a pool in transaction or statement mode gives a connection to
 * somebody else between two transactions. What we set on it (the schema of a project, limits, notifications) would
 * then count for others, and what they set for us. Nothing is set before this was looked at. A database that does not
 * answer is told by the first statement.
 */
export async function refusePool(settings: pg.ClientConfig): Promise<void> {
  const address = settings.connectionString ?? '';
  if (known.has(address)) return;
  const [first, second] = [new pg.Client(settings), new pg.Client(settings)];
  for (const each of [first, second]) each.on('error', () => undefined);
  try {
    await first.connect();
    // Who is asked directly is the process that answered the greeting.
    if ((first as Greeted).processID !== (await processOf(first))) {
      await second.connect();
      if (guard('postgres.pool', await isShared(first, second)))
        throw new JournalFailure({ code: 'E_JOURNAL_POOL' });
    }
    known.add(address);
  } catch (thrown) {
    if (thrown instanceof JournalFailure) throw thrown;
    // A password that is asked for and missing the driver refuses by itself, and a pool would keep the connection open.
    const error = explainPostgres(thrown);
    if ('system' in error && error.system === 'password') throw new JournalFailure(error);
  } finally {
    for (const each of [first, second]) await each.end().catch(() => undefined);
  }
}

/** Addresses that need no further look. */
const known = new Set<string>();

/** What `pg` keeps of the greeting and does not declare. */
type Greeted = pg.Client & { readonly processID?: number | null };

/** Whether two that are connected at the same time are served by one process, or one of them by several. */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const [own, others] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < LOOKS; round += 1) {
    own.add(await processOf(first));
    others.add(await processOf(second));
  }
  return own.size > 1 || others.size > 1 || [...own].some((each) => others.has(each));
}

const LOOKS = 4;

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return (rows[0] as { readonly pid: number }).pid;
}
