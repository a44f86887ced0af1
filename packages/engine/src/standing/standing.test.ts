import type { RunId } from '@cuebook/journal';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { RUN } from '../../test/bench-stand.js';
import { type SqliteFolder, sqliteFolder } from '../../test/sqlite.js';
import { createEngine } from '../loop/engine.js';
import type { Machine } from '../machine.js';
import { findWorker } from '../work/at-work.js';
import { listStandings, type Standing, type StandingWait, standingChange } from './standing.js';

let folder: SqliteFolder;
beforeEach(() => {
  folder = sqliteFolder();
});
afterEach(() => folder.remove());

type Count = { readonly type: 'count' };
type Counted = { readonly type: 'counted'; readonly data: null };

/** It waits at every third count, and is no run before the first. */
const counter: Machine<number, Count, Counted> = {
  kind: 'counter',
  initial: 0,
  decide: () => ({ ok: true, events: [{ type: 'counted', data: null }] }),
  project: (count, { type }) => (type === 'counted' ? count + 1 : count),
  stand: (count) =>
    count === 0
      ? undefined
      : {
          kind: 'thread',
          target: 'agent:counter',
          status: count % 3 === 0 ? 'waiting' : 'running',
          ...(count % 3 === 0 ? { wait: { for: 'input', message: `What comes after ${count}?` } } : {}),
        },
};

test('how a run stands is listed over all runs, and written when it changes', async () => {
  const store = await folder.open();
  const engine = createEngine({ store, machine: counter, drivers: {} });
  const count = (id: string) => engine.submit(RUN, { id, type: 'count' });
  const changes = async () =>
    (await store.commits(RUN)).map(({ projections }) => projections.map(({ name }) => name));
  expect((await listStandings(store)).size).toBe(0);
  await count('a');
  await count('b');
  expect([...(await listStandings(store))]).toEqual([
    [RUN, { kind: 'thread', target: 'agent:counter', status: 'running' }],
  ]);
  await count('c');
  expect((await listStandings(store)).get(RUN)).toMatchObject({
    status: 'waiting',
    wait: { for: 'input', message: 'What comes after 3?' },
  });
  expect(await changes()).toEqual([['standings'], [], ['standings']]);
  await engine.stop();
});

const text = fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' });
const wait: fc.Arbitrary<StandingWait> = fc.oneof(
  fc.constant({ for: 'approval' } as const),
  fc.record({ for: fc.constantFrom('input', 'loop', 'budget'), message: text }),
  fc.record({
    for: fc.constant('outcome' as const),
    calls: fc.array(fc.record({ effect: fc.string({ maxLength: 30 }), tool: text, input: text }), {
      maxLength: 40,
      size: 'max',
    }),
  }),
);

test('a row is small whatever the run is about, and says the same of the same standing', () => {
  fc.assert(
    fc.property(text, wait, (target, waits) => {
      const standing: Standing = { kind: 'workflow', target, status: 'waiting', wait: waits };
      const change = standingChange('run_1' as RunId, undefined, standing);
      expect(JSON.stringify(change?.value ?? null).length).toBeLessThan(200_000);
      const { target: told, wait: kept } = (change?.value ?? {}) as unknown as Standing;
      expect(told.length).toBeLessThanOrEqual(300);
      if (kept?.for === 'outcome') {
        expect(kept.calls.length).toBeLessThanOrEqual(20);
        for (const { tool, input } of kept.calls)
          expect(Math.max(tool.length, input.length)).toBeLessThanOrEqual(500);
      } else if (kept !== undefined && 'message' in kept)
        expect(kept.message.length).toBeLessThanOrEqual(500);
      expect(standingChange('run_1' as RunId, standing, standing)).toBeUndefined();
      expect(standingChange('run_1' as RunId, standing, undefined)?.value).toBeNull();
    }),
    // Looking for a smaller text than one that is too long takes longer than it helps.
    { ...runs(100, 2_000), endOnFailure: true },
  );
});

test('a run is at work while a process has its open work, and not when it was left', async () => {
  const store = await folder.open();
  const left: Machine<null, Count, Counted> = {
    kind: 'left',
    initial: null,
    decide: (_, __, { newId }) => ({
      ok: true,
      events: [
        {
          type: 'effect.intended',
          data: { id: newId('eff'), kind: 'never', lane: 'a', input: null, onCrash: 'repeat' },
        },
      ],
    }),
    project: () => null,
  };
  const never = { perform: () => new Promise<never>(() => undefined) };
  const engine = createEngine({ store, machine: left, drivers: { never }, limits: { graceMs: 1 } });
  expect(await findWorker(store, RUN)).toBeUndefined();
  await engine.submit(RUN, { id: 'a', type: 'count' });
  expect(await findWorker(store, RUN)).toBeUndefined();
  await engine.start();
  expect(await findWorker(store, RUN)).toMatch(/^.+ until \d{4}-/);
  await engine.stop({ running: 'abort' });
  expect(await findWorker(store, RUN)).toBeUndefined();
});
