import { openStore, type Store, type StorePlace } from '@cuebook/journal';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { sqlitePlaces } from '../../journal/test/places.js';
import { openQuotas, type Quotas } from '../src/index.js';
import { fillRegister } from './fill-register.js';
import { must } from './stand.js';

const NOTHING = { tokens: 0, usd: 0 };
const begin = (quotas: Quotas, run: string, tokens: number) =>
  quotas.reserve({
    ...{ run, person: 'ada', base: NOTHING, seq: 0, begins: true },
    ...{ asked: { tokens }, rest: NOTHING },
  });
const settle = async (quotas: Quotas, run: string, tokens: number) => {
  const entry = (await quotas.read()).open.get(run);
  if (entry !== undefined) must(await quotas.settle(entry, { tokens, usd: 0 }));
};
const open = async (place: StorePlace): Promise<Store> => {
  const store = must(await openStore(place));
  onTestFinished(() => store.close());
  return store;
};

describe('the register of limits', () => {
  it('stays small however much is spent, counts all of it, and keeps who set the limits', async () => {
    const store = await open(await sqlitePlaces.fresh());
    const quotas = openQuotas(store);
    const spends = share(150, 20_000);
    // In a short run a volume ends all the same.
    await fillRegister(store, share(900, 0));
    must(await quotas.set('project', { tokensPerDay: 1_000_000 }, 'ada'));
    must(await quotas.set('person:bo', { runsPerDay: 3 }, 'ada'));
    must(await quotas.remove('person:bo', 'cy'));
    let most = 0;
    for (let spend = 0; spend < spends; spend += 1) {
      must(await begin(quotas, `run_${spend}`, 7));
      await settle(quotas, `run_${spend}`, 2);
      if (spend % 50 === 49) most = Math.max(most, await store.size());
    }
    const state = await openQuotas(store).read();
    const spent = [...state.spent].map(([, sum]) => sum);
    for (const sum of spent) expect(sum).toEqual({ tokens: 2 * spends, usd: 0, runs: spends });
    expect(state.open.size).toBe(0);
    expect(state.acts.map(({ by, subject, limits }) => [by, subject, limits])).toEqual([
      ['ada', 'project', { tokensPerDay: 1_000_000 }],
      ['ada', 'person:bo', { runsPerDay: 3 }],
      ['cy', 'person:bo', undefined],
    ]);
    // Two volumes of a thousand events with some room, and a tombstone for each that is gone.
    expect(most).toBeLessThan(700_000 + (spends / 500) * 600);
  });
});

const racing = (name: string, fresh: () => Promise<StorePlace>): void =>
  it(`${name}: two processes that reserve at once never have more than the limits, across the end of a volume`, async () => {
    const place = await fresh();
    const stores = [await open(place), await open(place)];
    const [one, two] = stores.map((store) => openQuotas(store)) as [Quotas, Quotas];
    must(await one.set('project', { runsAtOnce: 3, tokensPerDay: 10_000 }, 'owner'));
    let count = 0;
    let spent = 0;
    for (let round = 0; round < share(6, 40); round += 1) {
      // A volume ends in every round, at another of its steps.
      await fillRegister(stores[0] as Store, 1_000 - (round % 8));
      const asked = await Promise.all(
        Array.from({ length: 6 }, async (_, at) => {
          count += 1;
          const run = `run_${count}`;
          const tokens = 10 + at;
          return { run, tokens, granted: await begin(at % 2 === 0 ? one : two, run, tokens) };
        }),
      );
      const begun = asked.filter(({ granted }) => granted.ok);
      expect(begun).toHaveLength(3);
      for (const { granted } of asked) if (!granted.ok) expect(granted.error.code).toBe('E_QUOTA_REACHED');
      for (const quotas of [one, two, openQuotas(stores[1] as Store)]) {
        const reserved = [...(await quotas.read()).open.values()].map(({ tokens }) => tokens);
        expect(reserved.sort()).toEqual(begun.map(({ tokens }) => tokens).sort());
      }
      // Both settle everything: each counts once.
      await Promise.all(
        begun.flatMap(({ run, tokens }) => [settle(one, run, tokens), settle(two, run, tokens)]),
      );
      spent += begun.reduce((sum, { tokens }) => sum + tokens, 0);
      const [use] = (await two.uses()).filter(({ limit }) => limit === 'tokensPerDay');
      expect(use).toMatchObject({ spent, reserved: 0 });
    }
  });

describe('on SQLite', () => racing('a file', () => sqlitePlaces.fresh()));
describePart('postgres', 'on PostgreSQL', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  racing('a database', async () => ({ databaseUrl: await server.createDatabase() }));
});
