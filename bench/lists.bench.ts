import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type RunId, type Store, type StorePlace } from '@cuebook/journal';
import pg from 'pg';

// What lists cost among many runs that are over, against few: a page of runs, what is active, opening one run. Each by
// the clock, the best of many rounds. On Postgres where CUEBOOK_DATABASE_URL names a server whose user may make databases.

const BAR = 1.5;
const FEW = 1_000;
const MANY = Number(process.env.BENCH_RUNS ?? 100_000);
const ROUNDS = 60;
/** Appends that are under way at a time while a store is filled. */
const AT_ONCE = 64;

const folder = mkdtempSync(join(tmpdir(), 'cuebook-bench-'));
let failed = false;
try {
  await compare('sqlite', async (count) => ({ file: join(folder, String(count), 'journal.db') }));
  const { CUEBOOK_DATABASE_URL: url } = process.env;
  if (url) await compare('postgres', (count) => newDatabase(url, `bench_lists_${process.pid}_${count}`));
  else console.log('\npostgres: not measured, CUEBOOK_DATABASE_URL names no server');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = failed ? 1 : 0;

async function compare(name: string, place: (count: number) => Promise<StorePlace>): Promise<void> {
  const few = await filled(await place(FEW), FEW);
  const many = await filled(await place(MANY), MANY);
  console.log(`\n${name}: ${MANY} runs that are over against ${FEW}`);
  const asked: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
    ['a page of 50 runs', (store) => store.recentRuns({ limit: 50 })],
    ['what is active', (store) => store.projections('standings', { active: true })],
    ['opening one run', (store) => open(store)],
  ];
  for (const [what, ask] of asked) {
    const times = await bestOf([() => ask(few), () => ask(many)]);
    const ratio = (times[1] ?? 0) / (times[0] ?? 1);
    console.log(
      `  ${what.padEnd(20)} ${times.map((ms) => `${ms.toFixed(2)} ms`).join(', ')}: ${ratio.toFixed(2)}x, bar ${BAR}x`,
    );
    failed ||= ratio > BAR;
  }
  await few.close();
  await many.close();
}

async function open(store: Store): Promise<void> {
  const run = `run_${FEW >> 1}` as RunId;
  await store.head(run);
  await store.read(run);
  await store.projection('standings', run);
}

/** Each in turn, so that a busy machine disturbs all alike. */
async function bestOf(asks: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const best = asks.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, ask] of asks.entries()) {
      const before = performance.now();
      await ask();
      best[index] = Math.min(best[index] ?? 0, performance.now() - before);
    }
  }
  return best;
}

/** Runs of three events each that are over, and ten that wait. */
async function filled(place: StorePlace, count: number): Promise<Store> {
  const opened = await openStore(place);
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const store = opened.value;
  for (let from = 0; from < count; from += AT_ONCE) {
    const page = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index);
    await Promise.all(page.map((number) => begin(store, number, number % Math.floor(count / 10) === 0)));
  }
  return store;
}

async function begin(store: Store, number: number, isWaiting: boolean): Promise<void> {
  const run = `run_${number}` as RunId;
  const value = { kind: 'thread', target: 'agent:bench', status: isWaiting ? 'waiting' : 'completed' };
  const written = await store.append({
    run,
    command: 'go',
    target: 'go',
    expectedSeq: 0,
    events: ['thread.started', 'turn.recorded', 'turn.ended'].map((type) => ({ type, data: { number } })),
    projections: [{ name: 'standings', key: run, value, isAtRest: !isWaiting }],
  });
  if (!written.ok) throw new Error(JSON.stringify(written.error));
}

async function newDatabase(url: string, name: string): Promise<StorePlace> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return { databaseUrl: new URL(`/${name}`, url).href };
}
