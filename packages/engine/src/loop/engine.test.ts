import type { RunId, Store } from '@cuebook/journal';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStand, finish, RUN, type Stand } from '../../test/bench-stand.js';
import { errand, errandMachine } from '../../test/errands.js';
import { type SqliteFolder, sqliteFolder } from '../../test/sqlite.js';
import type { EngineEvent, EventShape, Machine } from '../machine.js';
import { manualClock } from '../timer/manual-clock.js';
import { auditRun } from './audit.js';
import { createEngine, type Identified } from './engine.js';
import { describeEngineError } from './error.js';
import { findOpenWork } from './open-work.js';

let folder: SqliteFolder;
let store: Store;
let stand: Stand;
let clock: ReturnType<typeof manualClock>;

beforeEach(async () => {
  folder = sqliteFolder();
  clock = manualClock(1_000);
  store = await folder.open({ clock });
  stand = createStand({ clock, store });
});

afterEach(() => folder.remove());

const start = (id: string, ...names: string[]) => ({
  id,
  type: 'errand.start' as const,
  errands: names.map((name) => errand(name)),
});

describe('submit', () => {
  test('a command is written with its events, and answers', async () => {
    const engine = stand.boot();
    expect(await engine.submit(RUN, start('c1', 'a', 'b'))).toEqual({
      ok: true,
      value: { answer: 2, seq: 4, repeated: false },
    });
    expect((await store.read(RUN)).map(({ type }) => type)).toEqual([
      'errand.taken',
      'effect.intended',
      'errand.taken',
      'effect.intended',
    ]);
  });

  test('the same command again answers the same and writes nothing, also from another process', async () => {
    const first = await stand.boot().submit(RUN, start('c1', 'a'));
    const again = await stand.boot().submit(RUN, start('c1', 'a'));
    expect(again).toEqual({ ok: true, value: { ...(first.ok && first.value), repeated: true } });
    expect(await store.read(RUN)).toHaveLength(2);
  });

  test('a command that was done is answered again when it would be refused by now', async () => {
    const engine = stand.boot();
    await engine.start();
    await engine.submit(RUN, start('c1', 'a'));
    await engine.drain();
    const refused = await engine.submit(RUN, start('c2', 'a'));
    expect(refused).toMatchObject({ ok: false, error: { type: 'refused', code: 'E_ERRAND' } });
    expect(await engine.submit(RUN, start('c1', 'a'))).toMatchObject({ ok: true, value: { repeated: true } });
    await engine.stop();
  });

  test('one id for two commands is a conflict', async () => {
    const engine = stand.boot();
    await engine.submit(RUN, start('c1', 'a'));
    expect(await engine.submit(RUN, start('c1', 'b'))).toEqual({ ok: false, error: { type: 'conflict' } });
    expect(await store.read(RUN)).toHaveLength(2);
  });

  test('the order of keys does not make another command', async () => {
    const engine = stand.boot();
    await engine.submit(RUN, start('c1', 'a'));
    const { id, type, errands } = start('c1', 'a');
    const turned = errands.map((one) => Object.fromEntries(Object.entries(one).reverse()));
    const again = { errands: turned, type, id } as unknown as ReturnType<typeof start>;
    expect(await engine.submit(RUN, again)).toMatchObject({ ok: true, value: { repeated: true } });
  });

  test.each([
    ['an empty id', { id: '' }, 'id'],
    ['a long id', { id: 'x'.repeat(151) }, 'id'],
    ['half a character', { id: '\ud800' }, 'id'],
    ['an id of the engine', { id: 'engine:settle:1:x' }, 'reserved'],
    ['a settle of a caller', { type: 'effect.settle' }, 'reserved'],
    ['a fire of a caller', { type: 'timer.fire' }, 'reserved'],
  ])('%s is not taken', async (_, change, why) => {
    const command = { ...start('c1', 'a'), ...change } as ReturnType<typeof start>;
    const answer = await stand.boot().submit(RUN, command);
    expect(answer).toEqual({ ok: false, error: { type: 'command', why } });
    expect(await store.read(RUN)).toEqual([]);
  });

  test('many commands of two processes at once are all written, one behind the other', async () => {
    const engines = [stand.boot(), stand.boot()];
    const commands = Array.from({ length: 40 }, (_, n) =>
      engines[n % 2]?.submit(RUN, start(`c${n}`, `e${n}`)),
    );
    const answers = await Promise.all(commands);
    expect(answers.filter((answer) => answer?.ok)).toHaveLength(40);
    expect(new Set(answers.map((answer) => answer?.ok && answer.value.seq)).size).toBe(40);
    expect(await store.read(RUN)).toHaveLength(80);
  });

  test('a refusal counts on the newest state only', async () => {
    // With a store of its own, as another process has it: what one store wrote itself is known at once.
    const one = stand.boot();
    const two = createStand({ clock, store: await folder.open({ clock }) }).boot();
    const later = { id: 'c1', type: 'errand.start' as const, errands: [errand('a', { afterMs: 9 })] };
    await one.submit(RUN, start('c0', 'z'));
    await two.submit(RUN, later);
    expect(await one.submit(RUN, { id: 'c2', type: 'errand.drop', name: 'a' })).toMatchObject({ ok: true });
  });

  test('after a stop nothing is taken', async () => {
    const engine = stand.boot();
    await engine.stop();
    const answer = await engine.submit(RUN, start('c1', 'a'));
    expect(answer).toEqual({ ok: false, error: { type: 'stopped' } });
    expect(answer.ok || describeEngineError(answer.error).code).toBe('E_ENGINE_STOPPED');
  });
});

describe('decisions', () => {
  type Say = { readonly type: 'say'; readonly events: readonly EventShape[] };
  const echo: Machine<null, Say, EventShape> = {
    kind: 'echo',
    initial: null,
    decide: (_, command) => ({ ok: true, events: command.type === 'say' ? (command as Say).events : [] }),
    project: (state) => state,
  };
  const say = (id: string, ...events: EngineEvent[]): Identified<Say> => ({ id, type: 'say', events });
  const intent = (id: string): EngineEvent => ({
    type: 'effect.intended',
    data: { id, kind: 'none', lane: 'l', input: null, onCrash: 'repeat' },
  });
  const settled: EngineEvent = {
    type: 'effect.settled',
    data: { id: 'a', outcome: { ok: true, output: null }, by: 'driver' },
  };

  test.each([
    ['an outcome', settled],
    ['a mark', { type: 'effect.begun', data: { id: 'a', attempt: 1, owner: 'x' } }],
    ['a question', { type: 'effect.asked', data: { id: 'a' } }],
    ['an answer', { type: 'effect.reopened', data: { id: 'a' } }],
    ['a fired timer', { type: 'timer.fired', data: { id: 'a' } }],
  ] satisfies [string, EngineEvent][])('a machine cannot write %s', async (_, event) => {
    const engine = createEngine({ store, machine: echo, drivers: {}, clock: stand.clock });
    expect(await engine.submit(RUN, say('c1', event))).toEqual({
      ok: false,
      error: { type: 'decision', why: 'forged' },
    });
  });

  test('a machine cannot intend an effect under the id of an open one', async () => {
    const engine = createEngine({ store, machine: echo, drivers: {}, clock: stand.clock });
    const twice = { ok: false, error: { type: 'decision', why: 'twice' } };
    expect(await engine.submit(RUN, say('c1', intent('a'), intent('a')))).toEqual(twice);
    expect(await engine.submit(RUN, say('c2', intent('a')))).toMatchObject({ ok: true });
    expect(await engine.submit(RUN, say('c3', intent('a')))).toEqual(twice);
  });

  test('an id that is used again after its outcome is another effect', async () => {
    const engine = createEngine({ store, machine: echo, drivers: {}, clock: stand.clock });
    await engine.start();
    for (const id of ['c1', 'c2']) {
      await engine.submit(RUN, say(id, intent('a')));
      await engine.drain();
    }
    const outcomes = (await store.read(RUN)).filter(({ type }) => type === 'effect.settled');
    expect(outcomes.map(({ data }) => data)).toMatchObject([
      { outcome: { ok: false, error: { code: 'E_EFFECT_DRIVER' } }, by: 'engine' },
      { outcome: { ok: false, error: { code: 'E_EFFECT_DRIVER' } }, by: 'engine' },
    ]);
    await engine.stop();
  });

  test('ids follow from the run, the command and a counter', async () => {
    const ids = async (run: string, id: string) => {
      await stand.boot().submit(run as RunId, start(id, 'a', 'b'));
      return (await store.read(run as RunId))
        .filter(({ type }) => type === 'effect.intended')
        .map(({ data }) => data);
    };
    const effectIds = async (run: string, id: string) =>
      ((await ids(run, id)) as unknown as { id: string }[]).map((one) => one.id);
    const [one, two] = await effectIds('run_2', 'c1');
    expect(one).toMatch(/^eff_[0-9a-f]{24}$/);
    expect(new Set([one, two, ...(await effectIds('run_3', 'c1'))]).size).toBe(4);
  });
});

describe('read models', () => {
  test('are looked at again when somebody writes to the run between its log and them', async () => {
    const engine = stand.boot({ keepState: true });
    await engine.submit(RUN, start('c1', 'a'));
    let isWritten = false;
    const busy: typeof store = {
      ...store,
      projection: async (name, key) => {
        if (!isWritten) {
          isWritten = true;
          await engine.start();
          await finish(stand, engine);
        }
        return store.projection(name, key);
      },
    };
    expect(await auditRun(busy, errandMachine, RUN)).toEqual([]);
    expect(isWritten).toBe(true);
    const changed: typeof store = {
      ...store,
      projection: async () => ({ not: 'what the log gives' }),
    };
    expect(await auditRun(changed, errandMachine, RUN)).toHaveLength(2);
    await engine.stop();
  });

  test('what is open is found without reading logs, and is gone when nothing is', async () => {
    const engine = stand.boot({ keepState: true });
    await engine.submit(RUN, start('c1', 'a'));
    const [work] = await findOpenWork(store, 'errands');
    expect(work).toMatchObject({ run: RUN, lanes: [{ lane: 'a', asked: false }], timers: [] });
    expect(await findOpenWork(store, 'others')).toEqual([]);
    expect(await auditRun(store, errandMachine, RUN)).toEqual([]);
    await engine.start();
    await finish(stand, engine);
    expect(await findOpenWork(store, 'errands')).toEqual([]);
    expect(await auditRun(store, errandMachine, RUN)).toEqual([]);
    await engine.stop();
  });

  test('a state that is kept at rest is there when nothing is open, and only then', async () => {
    const engine = stand.boot({ keepState: 'at-rest' });
    const kept = () => store.projection('engine.state', RUN);
    await engine.submit(RUN, start('c1', 'a'));
    expect(await kept()).toBeUndefined();
    await engine.start();
    await finish(stand, engine);
    expect(await kept()).toEqual((await engine.read(RUN)).state);
    await engine.stop();
    const later = stand.boot({ keepState: 'at-rest' });
    await later.submit(RUN, start('c2', 'b'));
    expect(await kept()).toBeUndefined();
    expect(await auditRun(store, errandMachine, RUN)).toEqual([]);
  });

  test('an audit finds a read model that is not what the log says', async () => {
    const engine = stand.boot({ keepState: true });
    await engine.submit(RUN, start('c1', 'a'));
    const other = { name: 'engine.state', key: RUN, value: { waiting: {}, open: {}, done: {} } };
    const gone = { name: 'engine.open', key: RUN, value: null };
    await store.append({
      run: RUN,
      command: 'x',
      target: 'x',
      events: [],
      expectedSeq: 2,
      projections: [other, gone],
    });
    expect(await auditRun(store, errandMachine, RUN)).toEqual([
      { run: RUN, model: 'open work' },
      { run: RUN, model: 'state' },
    ]);
  });
});
