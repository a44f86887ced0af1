import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { finish, LEASE_MS, RUN, type Stand, turnOver } from '../../test/bench-stand.js';
import { type Errand, errand } from '../../test/errands.js';
import { type SqliteFolder, sqliteFolder, sqliteStand } from '../../test/sqlite.js';
import type { Driver } from '../effect/driver.js';
import type { Outcome } from '../machine.js';
import { takeLease } from './keep-lease.js';

let folder: SqliteFolder;
let stand: Stand;
beforeEach(async () => {
  folder = sqliteFolder();
  stand = await sqliteStand(folder);
});
afterEach(() => folder.remove());

const go = (...errands: Errand[]) => ({ id: 'go', type: 'errand.start' as const, errands });
const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await turnOver();
};

describe('one process holds the work', () => {
  test('a second one refuses to start if it was told to', async () => {
    const [one, two] = [stand.boot(), stand.boot({ whenHeld: 'refuse' })];
    await one.start();
    expect(await two.start()).toMatchObject({ ok: false, error: { type: 'held' } });
    await one.stop();
    const three = stand.boot({ whenHeld: 'refuse' });
    expect(await three.start()).toMatchObject({ ok: true, value: { state: 'working' } });
    await three.stop();
  });

  test('a second one is told who holds it', async () => {
    const one = stand.boot();
    const two = stand.boot({ whenHeld: 'refuse' });
    await one.start();
    expect(await two.start()).toEqual({ ok: false, error: { type: 'held', holder: 'process 1' } });
    await one.stop();
  });

  test('a second one waits, and steps in when the first has stopped', async () => {
    const [one, two] = [stand.boot(), stand.boot()];
    await one.start();
    expect(await two.start()).toMatchObject({ ok: true, value: { state: 'waiting' } });
    await two.submit(RUN, go(errand('a')));
    await settle();
    expect(stand.world.done.size).toBe(0);
    await one.stop();
    stand.clock.advance(LEASE_MS / 3);
    await settle();
    await two.drain();
    expect(stand.world.done.get('a')).toBe(1);
    await two.stop();
  });

  test('what another process writes is found and done', async () => {
    const [one, two] = [stand.boot(), stand.boot()];
    await one.start();
    await two.submit(RUN, go(errand('a')));
    stand.clock.advance(1_000);
    await settle();
    await one.drain();
    expect(stand.world.done.get('a')).toBe(1);
    await one.stop();
  });

  test('what was written before the start is done', async () => {
    const engine = stand.boot();
    await engine.submit(RUN, go(errand('a')));
    await engine.drain();
    expect(stand.world.done.size).toBe(0);
    await engine.start();
    await engine.drain();
    expect(stand.world.done.get('a')).toBe(1);
    await engine.stop();
  });
});

describe('a process that lost the work', () => {
  test('is told so, and its late outcome is refused and harmless', async () => {
    const late = slowDriver();
    const one = stand.boot({ drivers: { errand: late.driver } });
    await one.start();
    await one.submit(RUN, go(errand('a', { onCrash: 'ask-world' })));
    while (!late.context) await turnOver();
    // The first process is paused: it renews nothing. Another one takes over and settles the effect.
    const owner = 'the second';
    outlive(stand);
    const lease = await takeLease(stand.store, {
      scope: 'engine/work/errands',
      owner,
      ttlMs: LEASE_MS,
      clock: stand.clock,
    });
    expect(lease?.lease.owner).toBe(owner);
    late.end({ ok: true, output: 'too late' });
    await settle();
    await one.drain();
    const log = await stand.store.read(RUN);
    expect(log.filter(({ type }) => type === 'effect.settled')).toEqual([]);
    expect(stand.problems.map(String)).toContain('Error: not written: fenced');
    await lease?.release();
    await one.stop();
  });

  test('whose lease ran out and was taken by nobody goes on', async () => {
    const late = slowDriver();
    const one = stand.boot({ drivers: { errand: late.driver } });
    await one.start();
    await one.submit(RUN, go(errand('a')));
    while (!late.context) await turnOver();
    outlive(stand);
    late.end({ ok: true, output: 'in time' });
    const state = await finish(stand, one);
    expect(state.done).toEqual({ a: { ok: true, output: 'in time' } });
    await one.stop();
  });
});

describe('a lease', () => {
  const take = (ttlMs = 900) =>
    takeLease(stand.store, { scope: 's', owner: 'me', ttlMs, clock: stand.clock });

  test('is renewed for as long as it is kept', async () => {
    const kept = await take();
    for (let step = 0; step < 10; step++) {
      stand.clock.advance(300);
      await settle();
    }
    expect(kept?.lost.aborted).toBe(false);
    expect(await stand.store.acquireLease('s', 'you', 900)).toBeUndefined();
    await kept?.release();
    expect(await stand.store.acquireLease('s', 'you', 900)).toMatchObject({ token: 2 });
  });

  test('is lost when somebody else has it', async () => {
    const kept = await take();
    const { token = 0 } = kept?.lease ?? {};
    await stand.store.releaseLease({ scope: 's', owner: 'me', token, expiresAt: 0 });
    await stand.store.acquireLease('s', 'you', 9_000);
    stand.clock.advance(300);
    await settle();
    expect(kept?.lost.aborted).toBe(true);
    expect(await kept?.stands()).toBe(false);
  });

  test('is lost when the store has not answered for as long as it lives', async () => {
    const store = { ...stand.store, renewLease: () => Promise.reject(new Error('no connection')) };
    const kept = await takeLease(store, { scope: 's', owner: 'me', ttlMs: 900, clock: stand.clock });
    stand.clock.advance(899);
    await settle();
    expect(kept?.lost.aborted).toBe(false);
    stand.clock.advance(1);
    expect(kept?.lost.aborted).toBe(true);
  });
});

/** The time goes on past every lease, and no timer of the process is told: it was paused. */
function outlive({ clock }: Stand): void {
  const now = clock.now.bind(clock);
  Object.assign(clock, { now: () => now() + LEASE_MS * 2 });
}

/** A driver whose one effect ends when the test says so. */
function slowDriver() {
  let end: (outcome: Outcome) => void = () => undefined;
  const held: { context?: unknown; driver: Driver; end: (outcome: Outcome) => void } = {
    end: (outcome) => end(outcome),
    driver: {
      perform: (_, context) => {
        held.context = context;
        return new Promise((resolve) => {
          end = resolve;
        });
      },
    },
  };
  return held;
}
