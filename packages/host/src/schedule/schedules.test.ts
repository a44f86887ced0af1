import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '@cuebook/engine';
import { openStore, type RegisterStore, registerRun, type Store } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import type { Host, StartCall } from '../contract.js';
import { refuse } from '../errors.js';
import { runOf } from '../run-of.js';
import { keepSchedules } from './keep-schedules.js';
import { openSchedules } from './schedules.js';

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'schedules-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

async function openStores(count: number): Promise<readonly Store[]> {
  files += 1;
  const file = join(folder, `${files}.db`);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const opened = await openStore({ file }, { clock: { now: () => START } });
      if (!opened.ok) throw new Error(opened.error.code);
      return opened.value;
    }),
  );
}

/** A server that dies at the steps that a plan names, before or after what it does there. */
function mortal(store: Store, plan: () => 'live' | 'before' | 'after') {
  const dying =
    <Args extends readonly unknown[], Answer>(act: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const fate = plan();
      if (fate === 'before') throw new Error('killed');
      const answer = await act(...args);
      if (fate === 'after') throw new Error('killed');
      return answer;
    };
  const { read, head, subscribe, findCommand } = store;
  const parts: RegisterStore = { read, head, subscribe, findCommand, append: dying(store.append) };
  return { parts, dying };
}

describe('schedules', () => {
  it('each time is one run, with many servers whose clocks differ and that are killed at any step', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          missed: fc.constantFrom('skip' as const, 'last' as const, 'all' as const),
          every: fc.integer({ min: 1, max: 4 }),
          fates: fc.infiniteStream(
            fc.oneof(
              { weight: 5, arbitrary: fc.constant('live' as const) },
              fc.constantFrom('before' as const, 'after' as const),
            ),
          ),
          looks: fc.array(
            fc.record({
              minutes: fc.integer({ min: 0, max: 5 }),
              skew: fc.integer({ min: -40, max: 40 }),
              together: fc.boolean(),
            }),
            { minLength: 1, maxLength: 12 },
          ),
        }),
        async ({ missed, every, fates, looks }) => {
          const stores = await openStores(2);
          try {
            const [one, two] = stores as [Store, Store];
            const calls: StartCall[] = [];
            const plan = () => fates.next().value;
            const servers = [one, two].map((store) => {
              const { parts, dying } = mortal(store, plan);
              const begin = dying(async (call: StartCall) => {
                calls.push(call);
                return ok({ run: runOf(call.id), diagnostics: [] });
              }) as Host['begin'];
              return () =>
                openSchedules(parts)
                  .tick(begin, now())
                  .catch(() => undefined);
            });
            let now = () => START;
            const calm = openSchedules(one, () => START);
            const call = { target: 'agent:desk', input: 'Go.' };
            const added = await calm.add({ cron: `*/${every} * * * *`, zone: 'UTC', missed, call }, 'ada');
            if (!added.ok) throw new Error(added.error.code);
            let at = START;
            for (const { minutes, skew, together } of looks) {
              at += minutes * MINUTE;
              now = () => at + skew * 1_000;
              const looking = servers.map((server) => (together ? server() : undefined));
              await Promise.all(looking);
              if (!together) for (const server of servers) await server();
            }
            // At last one that lives does what is left.
            const begun = await calm.tick(async (each) => {
              calls.push(each);
              return ok({ run: runOf(each.id), diagnostics: [] });
            }, at + 41_000);
            expect(begun.isLeft).toBe(false);
            const log = (await one.readAll({ limit: 10_000 })).map(({ type, data }) => ({
              type,
              ...(data as { time: number; until: number }),
            }));
            const of = (type: string) => log.filter((event) => event.type === type);
            // Decided once for each time, in order, and what is left out is no time that is begun.
            const due = of('schedule.due').map(({ time }) => time);
            expect(new Set(due).size).toBe(due.length);
            let border = START;
            for (const { type, time, until } of log)
              if (type === 'schedule.due' || type === 'schedule.skipped') {
                expect(time ?? until).toBeGreaterThan(border);
                border = time ?? until;
              }
            // One run for each time that was decided, and no other.
            const started = new Set(calls.map(({ id }) => id));
            expect([...started].sort()).toEqual(
              due.map((time) => `${added.value.id} ${new Date(time).toISOString()}`).sort(),
            );
            expect(
              of('schedule.begun')
                .map(({ time }) => time)
                .sort(),
            ).toEqual([...due].sort());
            expect(
              calls.every(({ by, target }) => by === `schedule:${added.value.id}` && target === 'agent:desk'),
            ).toBe(true);
            if (missed === 'all') {
              const all = Array.from({ length: 100 }, (_, index) => START + (index + 1) * every * MINUTE);
              expect(due).toEqual(all.filter((time) => time <= border));
            }
          } finally {
            await Promise.all(stores.map((store) => store.close()));
          }
        },
      ),
      runs(60, 1_000),
    );
  });

  it('its runs get a credential in its words, which is in no record and in no list, and goes with the last that has it', async () => {
    const [store] = (await openStores(1)) as [Store];
    const schedules = openSchedules(store, () => START);
    const times = { cron: '* * * * *', zone: 'UTC', missed: 'skip' } as const;
    const entries = async () => (await store.vault?.entries(registerRun('schedules')))?.length;
    await fc.assert(
      fc.asyncProperty(anyToken, fc.boolean(), async (token, isMarked) => {
        const words = `Use ${token} now. ${isMarked ? `[removed:credential:${'0'.repeat(32)}]` : ''}`;
        const call = { target: 'agent:desk', input: words, inputs: { a: token } } as unknown as StartCall;
        const ids: string[] = [];
        for (const by of ['ada', `bo ${token}`]) {
          const added = await schedules.add({ ...times, call }, by);
          if (!added.ok) throw new Error(added.error.code);
          ids.push(added.value.id);
          expect(JSON.stringify(added)).not.toContain(token);
        }
        const calls: StartCall[] = [];
        await schedules.tick(async (each) => {
          calls.push(each);
          return ok({ run: runOf(each.id), diagnostics: [] });
        }, START + MINUTE);
        expect(calls.map(({ input }) => input)).toEqual(Array(2).fill(words.replace(/:0{32}\]/, ']')));
        expect(
          JSON.stringify([await schedules.list(), await store.readAll({ limit: 10_000 })]),
        ).not.toContain(token);
        const before = (await entries()) ?? 0;
        expect(before).toBeGreaterThan(0);
        await schedules.remove(ids[0] ?? '', 'ada');
        expect(await entries()).toBe(before);
        await schedules.remove(ids[1] ?? '', 'ada');
        expect(await entries()).toBe(0);
      }),
      runs(8, 200),
    );
    await store.close();
  });

  it('one that cannot be begun now stays due, and one that never can is noted with its code', async () => {
    const [store] = (await openStores(1)) as [Store];
    const schedules = openSchedules(store, () => START);
    const times = { cron: '* * * * *', zone: 'UTC', missed: 'skip' } as const;
    const added = await schedules.add({ ...times, call: { target: 'agent:x' } }, 'ada');
    const id = added.ok ? added.value.id : '';
    const away = await schedules.tick(
      async () => refuse('unavailable', 'E_RUN_BUSY', 'Later.'),
      START + MINUTE,
    );
    expect(away).toEqual({ isLeft: true, next: START + 2 * MINUTE });
    expect((await schedules.list())[0]).toMatchObject({ open: [START + MINUTE] });
    await schedules.tick(async () => refuse('invalid', 'E_RUN_TARGET', 'No.'), START + MINUTE);
    expect((await schedules.list())[0]).toMatchObject({
      open: [],
      last: { time: START + MINUTE, code: 'E_RUN_TARGET' },
    });
    expect((await schedules.pause(id, 'bo')).ok).toBe(true);
    const never: Host['begin'] = async () => {
      throw new Error('begun');
    };
    expect(await schedules.tick(never, START + 5 * MINUTE)).toEqual({ isLeft: false });
    expect((await schedules.remove(id, 'bo')).ok).toBe(true);
    expect(await schedules.resume(id, 'bo')).toMatchObject({
      ok: false,
      error: { code: 'E_SCHEDULE_UNKNOWN' },
    });
    await store.close();
  });

  it('is begun by the clock while a process is up, also one that was added elsewhere meanwhile', async () => {
    const [here, there] = (await openStores(2)) as [Store, Store];
    const clock = manualClock(START);
    const begun: string[] = [];
    let heard = (): void => undefined;
    const keeper = keepSchedules(openSchedules(here, clock.now), {
      clock,
      onProblem: (error) => begun.push(String(error)),
      begin: async (call) => {
        begun.push(call.target);
        heard();
        return ok({ run: runOf(call.id), diagnostics: [] });
      },
    });
    const times = { cron: '*/5 * * * *', zone: 'UTC', missed: 'skip' } as const;
    await openSchedules(there, clock.now).add({ ...times, call: { target: 'agent:one' } }, 'ada');
    const first = new Promise<void>((resolve) => {
      heard = resolve;
    });
    // Each look sets the next one: the clock goes on when there is one.
    for (let at = 0; at < 5 * MINUTE; at += 30_000) {
      await expect.poll(() => clock.next()).toBe(START + at + 30_000);
      clock.advance(30_000);
    }
    await first;
    expect(begun).toEqual(['agent:one']);
    await keeper.stop();
    await Promise.all([here.close(), there.close()]);
  });
});
