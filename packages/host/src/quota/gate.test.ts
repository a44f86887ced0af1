import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type RunId, type Store } from '@cuebook/journal';
import { type JsonValue, ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { interleaved, STORE_STEPS } from '../../../../test/interleaved.js';
import { runs } from '../../../../test/runs.js';
import type { StartCall } from '../contract.js';
import { refuse } from '../errors.js';
import { usedOf } from './account.js';
import { createQuotaGate, type Tell } from './gate.js';
import { dayOf } from './limits.js';
import { openQuotas } from './quotas.js';
import { readSpending, restOf } from './spending.js';

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 0, 1, 12);
const LIMIT = 1_000;
const RUNS = [0, 1].map((number) => `run_${number}` as RunId);

/** What happens to a run: somebody begins it, tells it something, or asks for more; it spends, and then it is at rest. */
const acts = fc.array(
  fc.record({
    run: fc.constantFrom(...RUNS),
    act: fc.constantFrom('begin', 'say', 'raise', 'work', 'settle'),
    tokens: fc.integer({ min: 1, max: 900 }),
  }),
  { minLength: 3, maxLength: 10 },
);

it('in whatever order the steps of several processes come: who is at work has reserved the rest of its budget, and what is spent counts once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), acts, async (order, all) => {
      files += 1;
      const opened = await openStore({ file: join(folder, `${files}.db`) }, { clock: { now: () => NOW } });
      if (!opened.ok) throw new Error(opened.error.code);
      const store = opened.value;
      const slow = interleaved(order, store, [...STORE_STEPS, 'standing', 'projection', 'projections']);
      expect((await openQuotas(store, () => NOW).set('project', { tokensPerDay: LIMIT }, 'owner')).ok).toBe(
        true,
      );
      const world = worldOf(store);
      /** A process of the project. */
      const gateOf = (at: Store, now = NOW) =>
        createQuotaGate({
          ...{ store: at, quotas: openQuotas(at, () => NOW), now: () => now },
          payer: async () => 'ada',
          active: async () => new Set(),
          isDaily: async () => false,
          stop: async (run) => world.rest(run, 'stopped'),
        });
      let said = 0;
      const act = async ({ run, act, tokens }: (typeof all)[number]) => {
        const gate = gateOf(slow);
        const tell: Tell = (word) => order.scheduleFunction(() => world.tell(run, word))();
        said += 1;
        const saying = { id: `said ${said}`, by: 'ada' };
        if (act === 'settle') return gate.settle();
        if (act === 'work') return order.schedule(Promise.resolve()).then(() => world.work(run, tokens));
        if (act === 'begin')
          return gate.begin(
            run,
            { ...saying, id: run, target: 'agent:desk', budget: { tokens: 400 } },
            {
              tell,
              isStanding: false,
              begin: async (call) => {
                await order.schedule(Promise.resolve());
                await world.begin(run, call);
                return ok({ run, diagnostics: [] });
              },
            },
          );
        const word = act === 'say' ? { type: 'say' as const } : { type: 'raise' as const, to: { tokens } };
        return gate.tell(run, word as never, saying, tell);
      };
      await order.waitFor(
        Promise.all([...RUNS.map((run) => act({ run, act: 'begin', tokens: 1 })), ...all.map(act)]),
      );
      const quotas = openQuotas(store, () => NOW);
      for (const run of RUNS) {
        const { limit, spent } = await readSpending(store, run);
        if ((await world.status(run)) !== 'running') continue;
        const entry = (await quotas.read()).open.get(run);
        expect(entry, `${run} is at work and has reserved nothing`).toBeDefined();
        expect(entry?.tokens).toBeGreaterThanOrEqual(
          (restOf({ limit, spent })?.tokens ?? 0) - (spent.tokens - (entry?.base.tokens ?? 0)),
        );
      }
      for (const run of RUNS) if ((await world.status(run)) === 'running') await world.rest(run, 'completed');
      // By then whoever reserved for a run that did not move is dead.
      await gateOf(store, NOW + 11 * 60_000).settle();
      const state = await quotas.read();
      expect([...state.open.keys()]).toEqual([]);
      let total = 0;
      for (const run of RUNS) total += (await readSpending(store, run)).spent.tokens;
      expect(usedOf(state, '', dayOf(NOW)).spent.tokens).toBe(total);
      await store.close();
    }),
    runs(60, 2_000),
  );
});

/** Runs as an engine keeps them: each change is one write. */
function worldOf(store: Store) {
  const write = async (
    run: RunId,
    decide: (now: Awaited<ReturnType<typeof look>>) => {
      readonly events: readonly object[];
      readonly status?: string;
    },
  ): Promise<void> => {
    for (;;) {
      const now = await look(run);
      const { events, status } = decide(now);
      if (events.length === 0) return;
      const value = status === undefined ? [] : [{ name: 'standings', key: run, value: standing(status) }];
      const done = await store.append({
        ...{ run, command: `c${now.seq}`, target: run, expectedSeq: now.seq, projections: value },
        events: events as never,
      });
      if (done.ok) return;
      if (done.error.code !== 'E_JOURNAL_MOVED') throw new Error(done.error.code);
    }
  };
  const standing = (status: string): JsonValue => ({ kind: 'thread', target: 'agent:desk', status });
  const status = async (run: RunId) =>
    ((await store.projection('standings', run)) as { readonly status?: string } | undefined)?.status;
  const look = async (run: RunId) => ({
    seq: (await store.head(run))?.seq ?? 0,
    status: await status(run),
    ...(await readSpending(store, run)),
  });
  const limitEvent = (limit: object) => ({
    type: 'budget.raised',
    data: { scope: 'run', limit, by: 'ada' },
  });
  return {
    status,
    begin: (run: RunId, { budget }: StartCall) =>
      write(run, ({ seq }) => {
        if (seq > 0) return { events: [] };
        const tokens = Math.min(budget?.tokens ?? 2_000, budget?.most?.tokens ?? Number.POSITIVE_INFINITY);
        const limit = { turns: 50, tokens, usd: null };
        return {
          events: [{ type: 'budget.opened', data: { scope: 'run', parent: null, limit } }],
          status: 'running',
        };
      }),
    async tell(run: RunId, word: { readonly type: string; readonly to?: object }) {
      let isRefused = false;
      await write(run, ({ seq, limit }) => {
        isRefused = false;
        isRefused = seq === 0 || limit === undefined;
        if (limit === undefined) return { events: [] };
        if (word.type === 'stop') return { events: [{ type: 'stopped', data: null }], status: 'stopped' };
        const { tokens, most } = (word.to ?? {}) as { tokens?: number; most?: { tokens?: number } };
        const next = Math.min(tokens ?? limit.tokens, most?.tokens ?? Number.POSITIVE_INFINITY);
        if (word.type === 'raise' && most !== undefined)
          return { events: [limitEvent({ ...limit, tokens: next })] };
        isRefused = word.type === 'raise' && next <= limit.tokens;
        if (isRefused) return { events: [] };
        if (word.type === 'raise') return { events: [limitEvent({ ...limit, tokens: next })] };
        return { events: [{ type: 'said', data: null }], status: 'running' };
      });
      return isRefused ? refuse('conflict', 'E_BUDGET_RAISE', 'It is no more than it has.') : ok(null);
    },
    /** Spends, never more than the budget has left, and is at rest then. */
    work: (run: RunId, wanted: number) =>
      write(run, ({ seq, status, limit, spent }) => {
        if (status !== 'running') return { events: [] };
        const tokens = Math.min(wanted, Math.max(0, (limit?.tokens ?? 0) - spent.tokens));
        return {
          events: [
            { type: 'budget.held', data: { hold: `h${seq}`, scope: 'run', tokens: 0, usd: 0 } },
            { type: 'budget.spent', data: { hold: `h${seq}`, tokens, usd: 0 } },
          ],
          status: 'completed',
        };
      }),
    rest: (run: RunId, to: string) =>
      write(run, ({ status }) =>
        status === 'running' ? { events: [{ type: 'rested', data: null }], status: to } : { events: [] },
      ),
  };
}
