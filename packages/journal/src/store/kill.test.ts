import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { compilePackage } from '../../../../test/compile.js';
import { describePart } from '../../../../test/part.js';
import { type Postgres, startPostgres } from '../../../../test/postgres.js';
import { itInTurn as it, SEED, sampled, share } from '../../../../test/runs.js';
import { POINTS, SIDES } from '../../test/conformance/fault.js';
import { expectWhole, LANES, live, type Ordeal } from '../../test/kill.js';
import { ownerOf } from '../../test/owner.js';
import { type Places, postgresPlaces, scratchFolder, sqlitePlaces } from '../../test/places.js';

let built: ReturnType<typeof compilePackage>;
beforeAll(() => {
  built = compilePackage('journal');
});
afterAll(() => built.remove());

describe('sqlite', () => {
  killCases(sqlitePlaces);
  crowdCases(sqlitePlaces);
});

describePart('postgres', 'postgres', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  killCases(postgresPlaces(() => server));
  crowdCases(postgresPlaces(() => server));

  it('every acknowledged write is there after the server itself crashed', async () => {
    const ordeal = await newOrdeal(postgresPlaces(() => server));
    await live(ordeal, { killAfter: 40 });
    await server.crash();
    await expectWhole(ordeal);
  });
});

function killCases(places: Places): void {
  it('kill -9 at every fault point, both ways, with work in flight', async () => {
    const ordeal = await newOrdeal(places);
    const hits: string[] = [];
    const deaths = sampled(
      POINTS.flatMap((point) => SIDES.map((side) => ({ point, side }))),
      2,
    );
    for (const { point, side } of deaths) {
      // Lanes come by in turn, some later than others: at the twentieth hit each has been there several times and has
      // work under way.
      expect(await live(ordeal, { die: { point, side, hit: 20 } })).toBe('SIGKILL');
      await expectWhole(ordeal);
      hits.push(`${point} ${side} 1`);
    }
    expect(Math.min(...ordeal.acknowledged)).toBeGreaterThan(deaths.length / 2);
    console.log(
      `${places.kind}: kills by fault point: ${hits.join(', ')}; ${LANES} writes in flight at each`,
    );
  });

  it('kill -9 at any moment, while writes share commits', async () => {
    const ordeal = await newOrdeal(places);
    const kills = share(1, 250);
    let random = SEED;
    for (let kill = 0; kill < kills; kill += 1) {
      random = (random * 48_271) % 2_147_483_647;
      expect(await live(ordeal, { killAfter: 1 + (random % 60) })).toBe('SIGKILL');
      if (kill % 10 === 9 || kill === kills - 1) await expectWhole(ordeal);
    }
    console.log(
      `${places.kind}: ${kills} random kills, ${ordeal.acknowledged.join(' + ')} writes acknowledged`,
    );
  });
}

function crowdCases(places: Places): void {
  it('processes that write to one store at the same time do not harm each other', async () => {
    const ordeal = await newOrdeal(places);
    const lives = [0, 1, 2, 3].map((lane) => live(ordeal, { count: 30, lanes: [lane, lane + 1] }));
    expect(await Promise.all(lives)).toEqual([null, null, null, null]);
    expect(ordeal.acknowledged).toEqual([30, 30, 30, 30]);
    await expectWhole(ordeal);
  });
}

/** A home with its key: of several writers none has to make it. */
async function newHome(): Promise<string> {
  const home = join(scratchFolder(), 'owner');
  const { keep, project } = await ownerOf(home);
  await keep(project);
  return home;
}

async function newOrdeal(places: Places): Promise<Ordeal> {
  return {
    url: built.url,
    place: await places.fresh(),
    home: await newHome(),
    acknowledged: Array.from({ length: LANES }, () => 0),
  };
}
