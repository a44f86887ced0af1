import { createHash } from 'node:crypto';
import type { RunId } from '@cuebook/journal';
import { composeRequest, createRedactor } from '@cuebook/prompt';
import { afterEach, expect } from 'vitest';
import { itInTurn as it, sampled } from '../../../test/runs.js';
import type { EvalStart } from '../src/eval/contract.js';
import { evalRuns } from '../src/eval/eval-kind.js';
import { findTake, readTakes } from '../src/eval/read-takes.js';
import { mortal } from './mortal.js';
import { hostStand, must, type Stand, until } from './stand.js';

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const SCRIPT = JSON.stringify({
  lanes: { '*': { odds: { seed: 7, base: 0, cases: 1, answers: { good: 'good {n}', bad: 'bad {n}' } } } },
});

/** Six cases under two variants, with one take each and two looks. */
function start(more: Partial<EvalStart> = {}): EvalStart {
  const requests = Array.from({ length: 12 }, (_, at) => {
    const blocks = [
      {
        name: 'rules',
        role: 'system' as const,
        pieces: [
          {
            text: at % 2 === 0 ? 'Be brief.' : 'Be long.',
            origin: { kind: 'file' as const, ref: 'texts/tone.md', line: 1, column: 1 },
            trust: 'author' as const,
            secrecy: 'public' as const,
            volatility: 'build' as const,
          },
        ],
      },
    ];
    const redactor = createRedactor({ roots: [], private: [], names: [] });
    const composed = composeRequest({ blocks, hash, redactor });
    if (!composed.ok) throw new Error('refused');
    return { blocks, tools: [], params: {}, hash: composed.value.prompt.hash };
  });
  const takes = requests.map((_, at) => {
    const lane = `${at % 2 === 0 ? 'base' : 'candidate'}/1/case ${Math.floor(at / 2)}`;
    return { lane, key: `key ${lane}`, request: at };
  });
  return { requests, takes, looks: [6, 12], jobs: 3, about: { note: 'x' }, files: {}, ...more };
}

let stand: Stand | undefined;
afterEach(async () => {
  await stand?.remove();
  stand = undefined;
});

const open = async (given = start()): Promise<Stand> => {
  stand = await hostStand({ kinds: () => [evalRuns({ prepare: async () => ({ ok: true, value: given }) })] });
  return stand;
};
const RUN = 'run_abc' as RunId;
const CALL = { id: 'start', by: 'ann', target: 'eval:abc', script: SCRIPT, budget: { turns: 100 } };
const texts = async ({ store }: Stand): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    [...(await readTakes(store, RUN))].map(([lane, { outcome }]) => [lane, outcome.text]).sort(),
  );

/** Looks whenever the run stands still, and ends it at the last look. */
async function finish(of: Stand, host: Awaited<ReturnType<Stand['open']>>): Promise<void> {
  for (let look = 1; look <= 2; look += 1) {
    const report = await until(host, RUN, ({ status }) => status !== 'running' && status !== 'new');
    if (report.status === 'done') return;
    expect(report.status).toBe('idle');
    const at = Number(report.detail.looks) + 1;
    const word =
      at === 2
        ? ({ type: 'finish', ok: true, summary: 'open: nothing' } as const)
        : ({ type: 'resume' } as const);
    must(await host.tell(RUN, word, { id: `look ${at}`, by: 'ann' }));
  }
  await until(host, RUN, ({ status }) => status === 'done');
  expect(of.problems).toEqual([]);
}

async function undisturbed(): Promise<Readonly<Record<string, string>>> {
  const of = await open();
  const host = await of.open();
  must(await host.begin(CALL));
  await finish(of, host);
  const told = await texts(of);
  await of.remove();
  stand = undefined;
  return told;
}

it('asks for every take once, stands still at each look, and keeps where each take is', async () => {
  const of = await open();
  const host = await of.open();
  must(await host.begin(CALL));
  const first = await until(host, RUN, ({ status }) => status === 'idle');
  expect(first.detail).toMatchObject({ takes: 12, done: 6, failed: 0, looks: 0, planned: 2 });
  expect((await readTakes(of.store, RUN)).size).toBe(6);
  await finish(of, host);
  const takes = await readTakes(of.store, RUN);
  expect([...takes.keys()].sort()).toEqual(
    start()
      .takes.map(({ lane }) => lane)
      .sort(),
  );
  expect(await findTake(of.store, 'key base/1/case 0')).toEqual({ run: RUN, lane: 'base/1/case 0' });
  expect(await findTake(of.store, 'key base/9/case 0')).toBeUndefined();
  // The same comparison again is the same run, and asks for nothing.
  must(await host.begin(CALL));
  expect(must(await host.report(RUN))).toMatchObject({ status: 'done', turns: 12 });
  expect(await host.tell(RUN, { type: 'resume' }, { id: 'more', by: 'ann' })).toMatchObject({ ok: false });
});

it('a take that is on record elsewhere is passed over', async () => {
  const plan = start();
  const takes = plan.takes.map((take, at) =>
    at < 4 ? { ...take, from: { run: 'run_old', lane: take.lane } } : take,
  );
  const of = await open({ ...plan, takes });
  const host = await of.open();
  must(await host.begin(CALL));
  await finish(of, host);
  expect((await readTakes(of.store, RUN)).size).toBe(8);
});

it('a spent budget stops it, and a larger one goes on', async () => {
  const of = await open();
  const host = await of.open();
  must(await host.begin({ ...CALL, budget: { turns: 4 } }));
  const spent = await until(host, RUN, ({ status }) => status === 'waiting');
  expect(spent).toMatchObject({ reason: 'budget', turns: 4 });
  must(await host.tell(RUN, { type: 'raise', to: { turns: 50 } }, { id: 'more', by: 'ann' }));
  await finish(of, host);
  expect((await readTakes(of.store, RUN)).size).toBe(12);
});

it('a take that is stopped before its answer is no take: it is asked for again, with as many at a time as before', async () => {
  const slow = { text: 'Never heard.', delayMs: 600_000 };
  const steps = [slow, slow, slow, ...Array.from({ length: 12 }, (_, at) => ({ text: `Answer ${at}.` }))];
  const of = await open();
  const host = await of.open();
  const live: string[] = [];
  const begun = new Promise<void>((resolve) =>
    host.watch(RUN, ({ effect, event }) => {
      if (event.type === 'turn.start') live.push(effect);
      if (live.length === 3) resolve();
    }),
  );
  must(await host.begin({ ...CALL, script: JSON.stringify({ lanes: { '*': steps } }) }));
  await begun;
  must(await host.tell(RUN, { type: 'stop' }, { id: 'stop', by: 'ann' }));
  const stopped = await until(host, RUN, ({ status }) => status !== 'running');
  expect(stopped).toMatchObject({ status: 'stopped', turns: 0 });
  expect((await readTakes(of.store, RUN)).size).toBe(0);
  must(await host.tell(RUN, { type: 'resume' }, { id: 'on', by: 'ann' }));
  await finish(of, host);
  expect(must(await host.report(RUN))).toMatchObject({ status: 'done', turns: 12, detail: { failed: 0 } });
  const said = [...(await readTakes(of.store, RUN)).values()].map(({ outcome }) => outcome.text);
  expect(said.toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => `Answer ${at}.`).toSorted());
});

const POINTS = ['intended', 'begun', 'performed', 'settled'] as const;
const DEATHS = POINTS.flatMap((point) => [1, 2, 5, 9, 12].map((hit) => ({ point, hit })));

it('28: dies at any moment and goes on: no take has two outcomes, and the answers are those of an undisturbed run', async () => {
  const wanted = await undisturbed();
  expect(new Set(Object.values(wanted)).size).toBeGreaterThan(1);
  for (const death of sampled(DEATHS, 3)) {
    const of = await open();
    const dying = mortal(of.store, death as never);
    const first = await of.open({ store: dying.store, fault: dying.fault, isMortal: true });
    const lived = first.begin(CALL).then(async () => finish(of, first));
    await Promise.race([dying.dead, lived.catch(() => undefined)]);
    const second = await of.open();
    if ((await of.store.head(RUN)) === undefined) must(await second.begin(CALL));
    await finish(of, second);
    expect(await texts(of), JSON.stringify(death)).toEqual(wanted);
    const events = await of.store.read(RUN, { limit: 10_000 });
    const settled = events
      .filter(({ type }) => type === 'effect.settled')
      .map(({ data }) => (data as { id: string }).id);
    expect(new Set(settled).size, JSON.stringify(death)).toBe(settled.length);
    expect(settled.length).toBe(12);
    await of.remove();
    stand = undefined;
  }
});

it('a process that stands still for longer than its lease, and is not replaced, loses no take', async () => {
  const of = await open();
  let turn = 0;
  const host = await of.open({
    leaseMs: 200,
    overhear: (session) => ({
      ...session,
      turn(input) {
        turn += 1;
        // The receipt of this turn is written when the lease has run out already.
        if (turn % 3 === 2) standStill(500);
        return session.turn(input);
      },
    }),
  });
  must(await host.begin(CALL));
  await finish(of, host);
  const takes = [...(await readTakes(of.store, RUN)).values()];
  expect(takes.map(({ outcome }) => outcome.end)).toEqual(
    takes.map(() => ({ reason: 'done', stop: 'stop' })),
  );
  expect(takes).toHaveLength(12);
});

/** The whole process, with its timers, as on a machine that has no time for it. */
const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

it('a take that is more than one turn is made by whoever begins the run, and its outcome is on record', async () => {
  const made: string[] = [];
  stand = await hostStand({
    kinds: () => [
      evalRuns({
        prepare: async () => ({ ok: true, value: { ...start(), requests: [] } }),
        perform: async ({ lane }) => {
          made.push(lane);
          return { ok: true, output: { text: lane, calls: [], end: { reason: 'done' }, final: true } };
        },
      }),
    ],
  });
  const host = await stand.open();
  must(await host.begin(CALL));
  await finish(stand, host);
  expect(made).toEqual(start().takes.map(({ lane }) => lane));
  expect(await texts(stand)).toEqual(Object.fromEntries(made.map((lane) => [lane, lane]).sort()));
});
