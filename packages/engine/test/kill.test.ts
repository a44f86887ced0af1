import { join } from 'node:path';
import type { Store, StorePlace } from '@cuebook/journal';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { describePart } from '../../../test/part.js';
import { SEED, sampled, share, itInTurn as test } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { sideBySide } from '../../../test/side-by-side.js';
import { auditRun } from '../src/loop/audit.js';
import { createEngine } from '../src/loop/engine.js';
import { inProcess } from '../src/work/in-process.js';
import { RUN } from './bench-stand.js';
import { startChild } from './child/run.js';
import { describeKill, type KillPoint } from './child/task.js';
import { errandDriver, openWorld, outcomeOf, SLOW } from './child/world.js';
import { allOf, type Errand, errand, errandMachine, errandOf } from './errands.js';
import { requireStore, sqliteFolder } from './sqlite.js';

/** The lease of a process that was killed is over: nobody waits for its end, and no busy machine makes it end early. */
const LEASE_MS = 10 * 60_000;

let child: ChildProgram;
beforeAll(async () => {
  child = await buildProgram(new URL('./child/program.ts', import.meta.url));
});
afterAll(() => child.remove());

describe('kill -9 of a process on SQLite', () => {
  test('at every point, both ways: nothing is lost and nothing is done twice', async () => {
    const hits = await killEverywhere(async () => {
      const folder = sqliteFolder();
      return { place: { file: folder.file }, folder: join(folder.file, '..'), remove: folder.remove };
    });
    console.log(report('SQLite', hits));
  });
});

describePart('postgres', 'kill -9 of a process on Postgres', () => {
  let postgres: Databases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  test('at every point, both ways: nothing is lost and nothing is done twice', async () => {
    const hits = await killEverywhere(async () => {
      const folder = sqliteFolder();
      const databaseUrl = await postgres.createDatabase();
      return { place: { databaseUrl }, folder: join(folder.file, '..'), remove: folder.remove };
    });
    console.log(report('Postgres', hits));
  });
});

/** Errands of every policy, in lanes that run side by side, one behind a timer, and one that takes long. */
const ERRANDS: readonly Errand[] = (['ask-world', 'repeat', 'ask-person'] as const).flatMap(
  (onCrash, index) => [
    ...(index === 0 ? [errand(SLOW, { onCrash })] : []),
    errand(`${onCrash} 1`, {
      lane: onCrash,
      onCrash,
      next: [errand(`${onCrash} 3`, { lane: 'last', onCrash })],
    }),
    errand(`${onCrash} 2`, { lane: onCrash, onCrash, afterMs: 5 }),
  ],
);

type Point = {
  [Part in KillPoint['part']]: Omit<Extract<KillPoint, { part: Part }>, 'hit'>;
}[KillPoint['part']];

const POINTS: readonly Point[] = [
  ...(['blob', 'append', 'project', 'receipt', 'commit'] as const).flatMap((point) => [
    { part: 'store' as const, point, when: 'before' as const },
    { part: 'store' as const, point, when: 'after' as const },
  ]),
  ...(['intended', 'begun', 'performed', 'settled'] as const).map((point) => ({
    part: 'engine' as const,
    point,
  })),
];

/** From which hit on something is in flight, whatever the order of timers and lanes. */
const FIRST = { store: 6, intended: 5, begun: 2, performed: 2, settled: 2 } as const;

interface Hit {
  readonly point: string;
  readonly inFlight: number;
}

interface Place {
  readonly place: StorePlace;
  readonly folder: string;
  remove(): Promise<void>;
}

/** Each point at a hit that differs from point to point and from seed to seed. */
async function killEverywhere(makePlace: () => Promise<Place>): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  for (let round = 0; round < share(1, 18); round++) {
    await sideBySide(sampled([...POINTS.entries()], 5), 3, async ([index, point]) => {
      const nth = (of: number) => (SEED + index * 7 + round) % of;
      const hit =
        FIRST[point.part === 'store' ? 'store' : point.point] + nth(point.part === 'store' ? 10 : 3);
      const kill = { ...point, hit } as KillPoint;
      hits.push(await killOnce(await makePlace(), kill));
    });
  }
  return hits;
}

async function killOnce({ place, folder, remove }: Place, kill: KillPoint): Promise<Hit> {
  const world = { file: join(folder, 'world') };
  const task = {
    place,
    world,
    owner: 'first',
    mode: 'alone',
    leaseMs: LEASE_MS,
    errands: ERRANDS,
    kill,
  } as const;
  const first = startChild(child.program, task);
  expect([describeKill(kill), await first.ended, first.errors()]).toEqual([
    describeKill(kill),
    'SIGKILL',
    '',
  ]);
  const store = await requireStore(place);
  try {
    const inFlight = await countInFlight(store);
    expect(inFlight).toBeGreaterThan(0);
    await recoverAndFinish(store, world);
    const counts = await openWorld(world).read();
    const expected = allOf(ERRANDS).map(({ name }) => [name, 1]);
    expect([describeKill(kill), ...[...counts].sort()]).toEqual([describeKill(kill), ...expected.sort()]);
    expect(await auditRun(store, errandMachine, RUN)).toEqual([]);
    return { point: describeKill(kill), inFlight };
  } finally {
    await store.close();
    await remove();
  }
}

/** Effects that somebody had begun and nobody has settled. */
async function countInFlight(store: Store): Promise<number> {
  const log = await store.read(RUN);
  const idsOf = (type: string) =>
    log.filter((event) => event.type === type).map(({ data }) => (data as { id: string }).id);
  const settled = new Set(idsOf('effect.settled'));
  return new Set(idsOf('effect.begun').filter((id) => !settled.has(id))).size;
}

/** Another process: takes over, recovers, and answers for the person who looks at the world. */
async function recoverAndFinish(store: Store, place: { file: string }): Promise<void> {
  const world = openWorld(place);
  const engine = createEngine({
    store,
    machine: errandMachine,
    drivers: { errand: errandDriver(world) },
    owner: 'second',
    keepState: true,
    work: inProcess({ leaseMs: LEASE_MS, sweepMs: 250 }),
  });
  const end = new AbortController();
  const events = store.subscribe({ run: RUN, signal: end.signal });
  await engine.start();
  await engine.submit(RUN, { id: 'go', type: 'errand.start', errands: ERRANDS });
  const done = new Set<string>();
  const total = allOf(ERRANDS).length;
  for await (const { type, data } of events) {
    const { id } = (data ?? {}) as { id: string };
    if (type === 'effect.settled') done.add(id);
    if (type === 'effect.asked') await answerFor(id);
    if (done.size === total) break;
  }
  end.abort();
  await engine.drain();
  await engine.stop();

  async function answerFor(id: string): Promise<void> {
    const open = (await engine.read(RUN)).ledger.effects.get(id);
    if (!open?.asked) return;
    const { name } = errandOf(open.intent);
    const outcome = (await world.read()).has(name) ? outcomeOf(name) : 'not-done';
    await engine.submit(RUN, {
      id: `person:${id}:${open.attempts}`,
      type: 'effect.resolve',
      effect: id,
      outcome,
    });
  }
}

function report(driver: string, hits: readonly Hit[]): string {
  const lines = [...new Set(hits.map(({ point }) => point))].map((point) => {
    const list = hits.filter((hit) => hit.point === point);
    return `  ${point}: ${list.length} kills, ${countOf(list)} effects in flight`;
  });
  return [`kill -9 on ${driver}: ${hits.length} kills`, ...lines].join('\n');
}

const countOf = (hits: readonly Hit[]) => hits.reduce((sum, { inFlight }) => sum + inFlight, 0);
