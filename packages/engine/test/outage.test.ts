import type { RunId, Store, StoredEvent } from '@cuebook/journal';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { share, itInTurn as test } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { type SlowLine, slowLine } from '../../../test/slow-line.js';
import type { Driver } from '../src/effect/driver.js';
import { createEngine, type Engine } from '../src/loop/engine.js';
import { inProcess } from '../src/work/in-process.js';
import { postgresWork } from '../src/work/postgres.js';
import type { WorkFactory } from '../src/work/queue.js';
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

/** A process of several: its line to the database, its store, its engine, and what it reported. */
interface Worker {
  readonly line: SlowLine;
  readonly store: Store;
  readonly engine: Engine<ErrandState, ErrandCommand>;
  readonly problems: unknown[];
}

/** The world of all workers: how often each errand was done, and who may end one. */
function openedWorld() {
  const done = new Map<string, number>();
  const open = new Map<string, () => void>();
  let isOpen = true;
  const driver: Driver = {
    async perform(effect) {
      const { name } = errandOf(effect);
      if (!isOpen) await new Promise<void>((resolve) => open.set(name, resolve));
      done.set(name, (done.get(name) ?? 0) + 1);
      return { ok: true, output: name };
    },
  };
  return {
    done,
    driver,
    /** Errands that are under way and wait. */
    underWay: () => open.size,
    close: () => {
      isOpen = false;
    },
    letEnd: () => {
      isOpen = true;
      for (const end of open.values()) end();
      open.clear();
    },
  };
}

describePart('postgres', 'workers on a database that is slow or away', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  const startWorker = async (
    databaseUrl: string,
    given: {
      readonly name: string;
      readonly driver: Driver;
      readonly roundTripMs?: number;
      readonly leaseMs?: number;
      readonly work?: typeof shared;
    },
  ): Promise<Worker> => {
    const { name, driver, roundTripMs = 0, leaseMs = 5_000, work = shared } = given;
    const line = await slowLine(databaseUrl);
    const store = await requireStore({ databaseUrl: line.url }, { busyMs: 10_000 });
    const problems: unknown[] = [];
    const engine = createEngine({
      store,
      machine: errandMachine,
      drivers: { errand: driver },
      owner: name,
      work: work(line.url, leaseMs),
      onProblem: (error) => problems.push(error),
    });
    onTestFinished(async () => {
      line.delay(0);
      line.fix();
      await engine.stop({ running: 'abort' });
      await store.close();
      await line.close();
    });
    const started = await engine.start();
    if (!started.ok) throw new Error('the work is held');
    line.delay(roundTripMs);
    return { line, store, engine, problems };
  };

  // Nobody can tell whether such an errand was done: a false doubt would be asked about.
  const errandsOf = (run: string, count: number): readonly Errand[] =>
    Array.from({ length: count }, (_, lane) => {
      const name = (step: number) => `${run}, lane ${lane}, step ${step}`;
      const common = { lane: `lane ${lane}`, onCrash: 'ask-person' as const };
      return errand(name(1), { ...common, next: [errand(name(2), common)] });
    });

  test.each([50, 200])(
    'with round trips of %i ms every run ends, no effect is begun twice, and nothing is in doubt',
    async (roundTripMs) => {
      const databaseUrl = await server.createDatabase();
      const world = openedWorld();
      const [one] = await Promise.all(
        ['one', 'two'].map((name) => startWorker(databaseUrl, { name, driver: world.driver, roundTripMs })),
      );
      const near = await requireStore({ databaseUrl });
      onTestFinished(() => near.close());
      const runIds = Array.from({ length: share(2, 10) }, (_, n) => `run_${n}` as RunId);
      const all = runIds.flatMap((run) => allOf(errandsOf(run, 2)));
      const following = untilSettled(near, all.length);
      await Promise.all(
        runIds.map((run) =>
          one?.engine.submit(run, { id: 'go', type: 'errand.start', errands: errandsOf(run, 2) }),
        ),
      );
      expectOnce(await following, all);
      expect([...world.done].filter(([, count]) => count !== 1)).toEqual([]);
    },
  );

  test('after an outage that is longer than a turn, with every slot busy, all goes on and is done once', async () => {
    const databaseUrl = await server.createDatabase();
    const world = openedWorld();
    const given = { driver: world.driver, leaseMs: 1_500 };
    const workers = await Promise.all(
      ['one', 'two'].map((name) => startWorker(databaseUrl, { ...given, name })),
    );
    const near = await requireStore({ databaseUrl });
    onTestFinished(() => near.close());
    const [first] = workers;
    for (let round = 0; round < share(1, 5); round += 1) {
      const run = `run_round${round}` as RunId;
      const errands = errandsOf(run, 2 * PLACES);
      const all = allOf(errands);
      world.close();
      const following = untilSettled(near, all.length, run);
      await first?.engine.submit(run, { id: 'go', type: 'errand.start', errands });
      await until(() => world.underWay() === 2 * PLACES);
      for (const { line, problems } of workers) {
        problems.length = 0;
        line.sever();
      }
      // Each failed look of a sweep is one of these; in so many a lease has long run out.
      await until(() => workers.every(({ problems }) => problems.length >= 12));
      world.letEnd();
      await until(() => world.done.size >= 2 * PLACES * (round + 1));
      await until(() => workers.every(({ problems }) => problems.length >= 20));
      for (const { line } of workers) line.fix();
      expectOnce(await following, all);
      expect([...world.done].filter(([, count]) => count !== 1)).toEqual([]);
      world.done.clear();
    }
    // All slots are there: as many lanes as there are places are under way at once.
    world.close();
    const last = 'run_last' as RunId;
    await first?.engine.submit(last, {
      id: 'go',
      type: 'errand.start',
      errands: errandsOf(last, 2 * PLACES),
    });
    await until(() => world.underWay() === 2 * PLACES);
    world.letEnd();
  });

  test('a process that does all work alone goes on after an outage, although another one waits for its place', async () => {
    const databaseUrl = await server.createDatabase();
    const world = openedWorld();
    const work = (_: string, leaseMs: number) => inProcess({ leaseMs, parallel: PLACES });
    const given = { driver: world.driver, leaseMs: 1_000, work };
    const first = await startWorker(databaseUrl, { ...given, name: 'one' });
    const second = await startWorker(databaseUrl, { ...given, name: 'two' });
    const near = await requireStore({ databaseUrl });
    onTestFinished(() => near.close());
    const run = 'run_alone' as RunId;
    const errands = errandsOf(run, PLACES);
    const all = allOf(errands);
    world.close();
    const following = untilSettled(near, all.length, run);
    await first.engine.submit(run, { id: 'go', type: 'errand.start', errands });
    await until(() => world.underWay() === PLACES);
    for (const { line } of [first, second]) line.sever();
    await until(() => second.problems.length >= 3);
    world.letEnd();
    await until(() => second.problems.length >= 4);
    for (const { line } of [first, second]) line.fix();
    expectOnce(await following, all);
  });

  test('connections that are cut again and again lose nothing, and nothing is begun twice', async () => {
    const databaseUrl = await server.createDatabase();
    const world = openedWorld();
    const workers = await Promise.all(
      ['one', 'two'].map((name) => startWorker(databaseUrl, { name, driver: world.driver, roundTripMs: 10 })),
    );
    const near = await requireStore({ databaseUrl });
    onTestFinished(() => near.close());
    const run = 'run_cut' as RunId;
    const errands = errandsOf(run, share(6, 40));
    const all = allOf(errands);
    let events = 0;
    const following = untilSettled(near, all.length, run, () => {
      events += 1;
      // At a write of the one or of the other, in whatever state the rest is.
      if (events % 3 === 0) workers[(events / 3) % 2]?.line.cut();
    });
    const submit = () => workers[0]?.engine.submit(run, { id: 'go', type: 'errand.start', errands });
    while ((await submit())?.ok !== true);
    expectOnce(await following, all);
    expect([...world.done].filter(([, count]) => count !== 1)).toEqual([]);
  });
});

const PLACES = 2;

const shared = (connectionString: string, leaseMs: number): WorkFactory =>
  postgresWork({ connectionString, parallel: PLACES, leaseMs });

/** Follows the journal until so many effects are settled. */
async function untilSettled(
  store: Store,
  total: number,
  run?: RunId,
  onEvent: (event: StoredEvent) => void = () => undefined,
): Promise<readonly StoredEvent[]> {
  const seen: StoredEvent[] = [];
  let settled = 0;
  for await (const event of store.subscribe(run === undefined ? {} : { run })) {
    seen.push(event);
    onEvent(event);
    if (event.type === 'effect.asked') throw new Error(`in doubt: ${JSON.stringify(event.data)}`);
    if (event.type === 'effect.settled') settled += 1;
    if (settled === total) break;
  }
  return seen;
}

function expectOnce(events: readonly StoredEvent[], all: readonly Errand[]): void {
  const begun = new Map<string, number>();
  for (const { run, type, data } of events) {
    const key = `${run} ${(data as { readonly id?: string } | null)?.id}`;
    if (type === 'effect.begun') begun.set(key, (begun.get(key) ?? 0) + 1);
  }
  expect([...begun].filter(([, count]) => count !== 1)).toEqual([]);
  expect(begun.size).toBe(all.length);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
