import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEASE_MS, RUN, type Stand, turnOver } from '../../test/bench-stand.js';
import { errand } from '../../test/errands.js';
import { type SqliteFolder, sqliteFolder, sqliteStand } from '../../test/sqlite.js';
import { systemClock } from './clock.js';
import { manualClock } from './manual-clock.js';

describe('a timer', () => {
  let folder: SqliteFolder;
  let stand: Stand;
  beforeEach(async () => {
    folder = sqliteFolder();
    stand = await sqliteStand(folder);
  });
  afterEach(() => folder.remove());

  const later = (name: string, afterMs: number) => ({
    id: `start ${name}`,
    type: 'errand.start' as const,
    errands: [errand(name, { afterMs })],
  });
  const countFired = async () =>
    (await stand.store.read(RUN)).filter(({ type }) => type === 'timer.fired').length;

  test('fires at its time, not before', async () => {
    const engine = stand.boot();
    await engine.start();
    await engine.submit(RUN, later('a', 500));
    stand.clock.advance(499);
    await engine.drain();
    expect(await countFired()).toBe(0);
    stand.clock.advance(1);
    await engine.drain();
    expect(await countFired()).toBe(1);
    expect(stand.world.done.get('a')).toBe(1);
    await engine.stop();
  });

  test('that came due while nobody worked fires once, whoever starts', async () => {
    const first = stand.boot();
    await first.start();
    await first.submit(RUN, later('a', 500));
    await first.stop();
    stand.clock.advance(10_000);
    for (let restart = 0; restart < 3; restart++) {
      const engine = stand.boot();
      await engine.start();
      await engine.drain();
      await engine.stop();
    }
    expect(await countFired()).toBe(1);
    expect(stand.world.tries.get('a')).toBe(1);
  });

  test('fires once when two processes think that it is theirs', async () => {
    const [one, two] = [stand.boot(), stand.boot()];
    await one.start();
    await one.submit(RUN, later('a', LEASE_MS * 10));
    expect(await two.start()).toMatchObject({ ok: true, value: { state: 'waiting' } });
    // In one leap both the first one's lease runs out and the timer comes due.
    stand.clock.advance(LEASE_MS * 12);
    for (let turn = 0; turn < 20; turn++) await turnOver();
    stand.clock.advance(LEASE_MS);
    await one.drain();
    await two.drain();
    expect(await countFired()).toBe(1);
    await one.stop();
    await two.stop();
  });

  test('that was cleared does not fire', async () => {
    const engine = stand.boot();
    await engine.start();
    await engine.submit(RUN, later('a', 500));
    await engine.submit(RUN, { id: 'drop', type: 'errand.drop', name: 'a' });
    stand.clock.advance(1_000);
    await engine.drain();
    expect(await countFired()).toBe(0);
    expect(stand.world.done.size).toBe(0);
    await engine.stop();
  });
});

describe('the manual clock', () => {
  test('wakes in order of time, also who is added on the way', () => {
    const clock = manualClock();
    const woken: string[] = [];
    clock.at(20, () => woken.push(`b at ${clock.now()}`));
    clock.at(10, () => {
      woken.push(`a at ${clock.now()}`);
      clock.at(15, () => woken.push(`c at ${clock.now()}`));
    });
    clock.at(31, () => woken.push('too late'));
    const cancel = clock.at(12, () => woken.push('cancelled'));
    cancel();
    clock.advance(30);
    expect(woken).toEqual(['a at 10', 'c at 15', 'b at 20']);
    expect([clock.now(), clock.next()]).toEqual([30, 31]);
  });
});

describe('the system clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('waits for longer than setTimeout can', () => {
    const woken: number[] = [];
    const at = systemClock.now() + 2 ** 33;
    systemClock.at(at, () => woken.push(systemClock.now()));
    vi.advanceTimersByTime(2 ** 33 - 1);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(woken).toEqual([at]);
  });

  test('a moment that is past comes at once, and what is cancelled never', () => {
    const woken: string[] = [];
    systemClock.at(0, () => woken.push('past'));
    const cancel = systemClock.at(systemClock.now() + 2 ** 33, () => woken.push('cancelled'));
    vi.advanceTimersByTime(2 ** 32);
    cancel();
    vi.advanceTimersByTime(2 ** 33);
    expect(woken).toEqual(['past']);
  });
});
