import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { runs } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { blobName, createModel, type Model } from '../../test/model.js';
import { postgresPlaces, sqlitePlaces } from '../../test/places.js';
import { must, problemsOf } from '../../test/write.js';
import type { RunId, Store } from '../contract.js';
import { openStore } from './open.js';

// Random sequences of operations give the same answers on SQLite, on Postgres and on maps in memory.

const RUNS = ['run_a', 'run_b', 'run_c'] as const;
const TEXTS = ['one', 'two '.repeat(40), 'three'] as const;
const of = <const Items extends readonly [unknown, ...unknown[]]>(items: Items) =>
  fc.constantFrom(...items) as fc.Arbitrary<Items[number]>;

const append = fc.record({
  op: fc.constant('append' as const),
  run: of(RUNS),
  command: of(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8']),
  target: fc.oneof({ weight: 5, arbitrary: fc.constant('t') }, { weight: 1, arbitrary: fc.constant('u') }),
  /** Added to the seq that the run has: mostly right. */
  offset: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
  ),
  events: fc.array(fc.record({ type: of(['x.done', 'y.done']), data: fc.jsonValue({ maxDepth: 2 }) }), {
    maxLength: 3,
  }),
  projections: fc.array(
    fc.record({
      name: of(['view', 'list']),
      key: of(['k', 'l']),
      value: fc.option(fc.nat(9), { nil: null }),
    }),
    { maxLength: 3 },
  ),
  blobs: fc.subarray([...TEXTS]),
  keeps: fc.subarray([...TEXTS], { maxLength: 1 }),
  answer: fc.jsonValue({ maxDepth: 1 }),
  fence: fc.option(fc.record({ scope: of(['s', 't']), token: fc.integer({ min: 1, max: 3 }) }), {
    nil: undefined,
    freq: 5,
  }),
});
const operation = fc.oneof(
  { weight: 8, arbitrary: append },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete' as const), text: of(TEXTS) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('remove' as const), run: of(RUNS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('acquire' as const),
      scope: of(['s', 't']),
      owner: of(['me', 'you']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('release' as const),
      scope: of(['s', 't']),
      token: fc.integer({ min: 1, max: 3 }),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

describePart('postgres', 'the drivers and the model', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('give the same answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 30 }), async (operations) => {
        const places = [await sqlitePlaces.fresh(), await postgresPlaces(() => server).fresh()];
        const stores = await Promise.all(
          places.map(async (place) =>
            must(await openStore(place, { clock: { now: () => 1_700_000_000_000 } })),
          ),
        );
        try {
          const model = createModel();
          for (const step of operations) {
            const said = answerOf(model, step);
            for (const store of stores)
              expect([store.kind, await ask(store, step)]).toEqual([store.kind, said]);
          }
          await expectSame(stores, model);
        } finally {
          for (const store of stores) await store.close();
        }
      }),
      runs(10, 400),
    );
  });
});

const LONG = 600_000;

/** The batch of an append, on the seq that the model has before it. */
function batchOf(step: Extract<Operation, { op: 'append' }>, seq: number) {
  const { op, offset, blobs, keeps, fence, run, ...rest } = step;
  return {
    ...rest,
    run: run as RunId,
    expectedSeq: Math.max(0, seq + offset),
    blobs: blobs.map((text) => Buffer.from(text)),
    keeps: keeps.map(blobName),
    ...(fence ? { fence } : {}),
  } as Parameters<Store['append']>[0];
}

/** The seq of a run before the step under way; the model has it after. */
const seqs = new WeakMap<Operation, number>();

function answerOf(model: Model, step: Operation): unknown {
  switch (step.op) {
    case 'append':
      seqs.set(step, model.read(step.run).length);
      return model.append(batchOf(step, seqs.get(step) ?? 0));
    case 'delete':
      return model.deleteBlob(blobName(step.text));
    case 'remove':
      return model.removeRun(step.run);
    case 'acquire':
      return model.acquire(step.scope, step.owner);
    case 'release':
      return model.release(step.scope, step.token);
  }
}

async function ask(store: Store, step: Operation): Promise<unknown> {
  switch (step.op) {
    case 'append': {
      const result = await store.append(batchOf(step, seqs.get(step) ?? 0));
      if (!result.ok) return result.error.code;
      const { firstSeq, lastSeq, answer, repeated } = result.value;
      return [firstSeq, lastSeq, answer, repeated];
    }
    case 'delete':
      return store.deleteBlob(blobName(step.text));
    case 'remove':
      return store.removeRun(step.run as RunId);
    case 'acquire':
      return (await store.acquireLease(step.scope, step.owner, LONG))?.token;
    case 'release':
      return store.releaseLease({ scope: step.scope, token: step.token, owner: '', expiresAt: 0 });
  }
}

async function expectSame(stores: readonly Store[], model: Model): Promise<void> {
  const everything: unknown[] = [];
  for (const store of stores) {
    expect(await problemsOf(store)).toEqual([]);
    for (const run of RUNS) {
      const events = await store.read(run as RunId);
      expect(
        events.map(({ seq, type, data, command }) => JSON.parse(JSON.stringify([seq, type, data, command]))),
      ).toEqual(model.read(run).map((text) => JSON.parse(text)));
    }
    for (const name of ['view', 'list']) {
      const found = [...(await store.projections(name))].map((entry) => JSON.stringify(entry)).sort();
      expect(found).toEqual(model.projections(name));
    }
    for (const text of TEXTS) {
      const found = await store.getBlob(blobName(text));
      const content = found instanceof Uint8Array ? Buffer.from(found).toString() : (found ?? 'never');
      expect(content).toBe(model.blob(blobName(text)));
    }
    // Hashes, positions and times as well: the two databases hold the very same journal.
    everything.push([await store.readAll({ limit: 10_000 }), await store.runs(), await store.removedRuns()]);
  }
  expect(everything[0]).toEqual(everything[1]);
}
