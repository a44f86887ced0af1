import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalFailure, type RunId, type Store, type StoredEvent } from '@cuebook/journal';
import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { describePart } from '../../../test/part.js';
import { type Postgres, startPostgres } from '../../../test/postgres.js';
import { SEED, sampled, share, itInTurn as test } from '../../../test/runs.js';
import { auditRun } from '../src/loop/audit.js';
import { createEngine, type Engine } from '../src/loop/engine.js';
import { postgresWork } from '../src/work/postgres.js';
import { type Child, startChild } from './child/run.js';
import { type OuterWorld, openWorld, outcomeOf, WORLD_TABLES } from './child/world.js';
import {
  allOf,
  type Errand,
  type ErrandCommand,
  type ErrandState,
  errand,
  errandMachine,
  errandOf,
} from './errands.js';
import { requireStore } from './sqlite.js';

const LEASE_MS = 6_000;
const RUNS = share(2, 4);

describePart('postgres', 'worker processes on Postgres', () => {
  let postgres: Postgres;
  let child: ChildProgram;
  beforeAll(async () => {
    [postgres, child] = await Promise.all([
      startPostgres({ fsync: false }),
      buildProgram(new URL('./child/program.ts', import.meta.url)),
    ]);
  });
  afterAll(async () => {
    child.remove();
    await postgres.stop();
  });

  test('the server crashes and comes back in the middle of the work: all is done once', async () => {
    const strike = () => postgres.crash();
    const databaseUrl = await postgres.createDatabase();
    // The world is elsewhere: an act that the crash cuts off would have an outcome, and it would be a failure.
    const folder = mkdtempSync(join(tmpdir(), 'world-'));
    const world = { file: join(folder, 'done') };
    const given = { databaseUrl, program: child.program, count: 2, round: 0 };
    console.log(await oneDies({ ...given, signal: strike, world }));
    rmSync(folder, { recursive: true });
  });

  const DEATHS = [
    [2, 'SIGKILL'],
    [3, 'SIGKILL'],
    [3, 'SIGSTOP'],
  ] as const;
  test.each(sampled(DEATHS, 1))(
    '%i workers, one of them ended by %s with work in flight: all is done once',
    async (count, signal) => {
      for (let round = 0; round < share(1, 40); round++) {
        const report = await oneDies({
          databaseUrl: await postgres.createDatabase(),
          program: child.program,
          count,
          signal,
          round,
        });
        console.log(report);
      }
    },
  );
});

interface Case {
  readonly databaseUrl: string;
  readonly program: string;
  readonly count: number;
  /** What happens to a worker, or to the server of all. */
  readonly signal: 'SIGKILL' | 'SIGSTOP' | (() => Promise<void>);
  readonly round: number;
  /** Left out: the database. */
  readonly world?: { readonly file: string };
}

/** Several runs, each of several lanes with effects behind each other. */
const errandsOf = (run: number): readonly Errand[] =>
  (['repeat', 'ask-world', 'ask-person'] as const).flatMap((onCrash) =>
    [1, 2].map((n) => {
      const lane = `${onCrash} ${n}`;
      const name = (step: number) => `run ${run}, ${lane}, step ${step}`;
      return errand(name(1), {
        lane,
        onCrash,
        next: [2, 3, 4].map((step) => errand(name(step), { lane, onCrash, afterMs: step === 3 ? 20 : 0 })),
      });
    }),
  );

async function oneDies({
  databaseUrl,
  program,
  count,
  signal,
  round,
  world: elsewhere,
}: Case): Promise<string> {
  await prepareWorld(databaseUrl);
  const place = { databaseUrl };
  const store = await requireStore(place);
  const workers = Array.from({ length: count }, (_, n) =>
    startChild(program, {
      place,
      world: elsewhere ?? place,
      owner: `worker ${n}`,
      mode: 'shared',
      leaseMs: LEASE_MS,
      errands: [],
    }),
  );
  const world = openWorld(elsewhere ?? place);
  const engine = createEngine({
    store,
    machine: errandMachine,
    drivers: {},
    keepState: true,
    work: postgresWork({ connectionString: databaseUrl }),
  });
  const runIds = Array.from({ length: RUNS }, (_, n) => `run_${n}` as RunId);
  const all = runIds.flatMap((_, n) => allOf(errandsOf(n)));
  const victim = (SEED + round) % count;
  const killAt = 2 + ((SEED + round * 17 + count * 5) % (all.length / 2));
  try {
    await Promise.all(workers.map(({ started }) => started));
    for (const [n, run] of runIds.entries()) {
      await engine.submit(run, { id: 'go', type: 'errand.start', errands: errandsOf(n) });
    }
    const told = await watch(store, {
      total: all.length,
      owner: `worker ${victim}`,
      isTime: (settled) => settled >= killAt,
      strike: async () => {
        if (typeof signal !== 'function')
          return endInFlight(store, workers[victim] as Child, signal, `worker ${victim}`);
        await signal();
        return true;
      },
      onAsked: (run, id) => answerFor(engine, world, run, id),
    });
    const heads = await Promise.all(runIds.map((run) => store.head(run)));
    if (signal === 'SIGSTOP') workers[victim]?.process.kill('SIGCONT');
    const ends = await end(workers);
    expect(ends.filter((how) => how !== 0)).toEqual(signal === 'SIGKILL' ? ['SIGKILL'] : []);

    const counts = await world.read();
    expect([...counts].filter(([, n]) => n !== 1)).toEqual([]);
    expect(counts.size).toBe(all.length);
    for (const run of runIds) expect(await auditRun(store, errandMachine, run)).toEqual([]);
    expect(await Promise.all(runIds.map((run) => store.head(run)))).toEqual(heads);
    if (typeof signal === 'function')
      return `${count} workers, the server crashed after ${killAt} of ${all.length} effects`;
    expect(told.takeovers.length).toBeGreaterThan(0);
    const times = told.takeovers.map((ms) => `${ms} ms`).join(', ');
    return `${count} workers, ${signal} of one after ${killAt} of ${all.length} effects, ${told.takeovers.length} in flight: taken over after ${times} (lease ${LEASE_MS} ms)`;
  } finally {
    for (const { process } of workers) process.kill('SIGKILL');
    await engine.stop();
    await world.close();
    await store.close();
  }
}

interface Watching {
  readonly total: number;
  readonly owner: string;
  isTime(settled: number): boolean;
  /** False when nothing was in flight any more: then nothing has happened. */
  strike(): Promise<boolean>;
  onAsked(run: RunId, id: string): Promise<void>;
}

/** Follows the journal until all is settled; strikes when the owner has work in flight. Answers the takeover times. */
async function watch(store: Store, given: Watching): Promise<{ readonly takeovers: readonly number[] }> {
  const stop = new AbortController();
  const mine = new Set<string>();
  const takeovers: number[] = [];
  let settled = 0;
  let struckAt: number | undefined;
  for await (const { type, data, run, at } of followed(store, stop.signal)) {
    const { id, owner } = (data ?? {}) as { id: string; owner?: string };
    const key = `${run} ${id}`;
    const isVictim = owner?.startsWith(`${given.owner}#`);
    if (type === 'effect.begun' && isVictim) mine.add(key);
    const isTaken = type === 'effect.asked' || (type === 'effect.begun' && !isVictim);
    const isByOther = type === 'effect.settled' && (data as { by: string }).by === 'world';
    if (struckAt !== undefined && mine.has(key) && (isTaken || isByOther)) takeovers.push(at - struckAt);
    if (isTaken || type === 'effect.settled') mine.delete(key);
    if (type === 'effect.asked') await given.onAsked(run, id);
    if (type === 'effect.settled') settled += 1;
    if (struckAt === undefined && given.isTime(settled) && mine.size > 0) {
      const now = Date.now();
      if (await given.strike()) struckAt = now;
    }
    if (settled === given.total) break;
  }
  stop.abort();
  return { takeovers };
}

/**
 * Ends a worker with work in flight. What the journal told of it may be over by now, so the worker is stopped first and
 * the journal asked again; one that has nothing in flight goes on.
 */
async function endInFlight(
  store: Store,
  { process: worker }: Child,
  signal: 'SIGKILL' | 'SIGSTOP',
  owner: string,
): Promise<boolean> {
  worker.kill('SIGSTOP');
  while (!isStopped(worker.pid ?? 0)) await new Promise((resolve) => setImmediate(resolve));
  if (await hasOpen(store, owner)) {
    if (signal === 'SIGKILL') worker.kill(signal);
    return true;
  }
  worker.kill('SIGCONT');
  return false;
}

/** By the system's list of processes; where there is none, the signal has to do. */
function isStopped(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return !existsSync(file) || /\) T /.test(readFileSync(file, 'utf8'));
}

/** Whether the worker has begun what nobody has settled. */
async function hasOpen(store: Store, owner: string): Promise<boolean> {
  const open = new Set<string>();
  for (const { type, data, run } of await store.readAll({ limit: 10_000 })) {
    const { id, owner: by } = (data ?? {}) as { id: string; owner?: string };
    if (type === 'effect.begun' && by?.startsWith(`${owner}#`)) open.add(`${run} ${id}`);
    else if (type === 'effect.settled' || type === 'effect.begun') open.delete(`${run} ${id}`);
  }
  return open.size > 0;
}

/** All events, also across a crash of the server. */
async function* followed(store: Store, signal: AbortSignal): AsyncIterable<StoredEvent> {
  let after = 0;
  while (!signal.aborted) {
    try {
      for await (const event of store.subscribe({ after, signal })) {
        after = event.position;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
    }
  }
}

type ErrandEngine = Engine<ErrandState, ErrandCommand>;

/** A person goes and looks. */
async function answerFor(engine: ErrandEngine, world: OuterWorld, run: RunId, id: string): Promise<void> {
  const open = (await engine.read(run)).ledger.effects.get(id);
  if (!open?.asked) return;
  const { name } = errandOf(open.intent);
  const outcome = (await world.read()).has(name) ? outcomeOf(name) : 'not-done';
  await engine.submit(run, {
    id: `person:${id}:${open.attempts}`,
    type: 'effect.resolve',
    effect: id,
    outcome,
  });
}

async function end(workers: readonly Child[]): Promise<readonly (string | number | null)[]> {
  for (const { process } of workers) if (process.connected) process.send('end');
  return Promise.all(workers.map(({ ended }) => ended));
}

async function prepareWorld(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(WORLD_TABLES);
  await client.end();
}
