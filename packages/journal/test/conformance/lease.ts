import { expect, it } from 'vitest';
import { openForTest, type Places, tickingClock } from '../places.js';
import { rawDatabase } from '../raw.js';
import { batch, codeOf, must, RUN } from '../write.js';

const LONG = 600_000;

export function leaseCases(places: Places): void {
  it('is held by one, and every taking has a greater token', async () => {
    const store = await openForTest(await places.fresh());
    const first = await store.acquireLease('work', 'me', LONG);
    expect(first).toMatchObject({ scope: 'work', owner: 'me', token: 1 });
    expect(await store.acquireLease('work', 'you', LONG)).toBeUndefined();
    expect(await store.acquireLease('other work', 'you', LONG)).toMatchObject({ token: 1 });
    expect(await store.acquireLease('work', 'me', LONG)).toMatchObject({ token: 2 });
    expect(await store.renewLease(first as never, LONG)).toBe(false);
  });

  it('is given back by its holder alone', async () => {
    const store = await openForTest(await places.fresh());
    const first = await store.acquireLease('work', 'me', LONG);
    await store.releaseLease({
      ...(first as never as { scope: string; owner: string; expiresAt: number }),
      token: 99,
    });
    expect(await store.acquireLease('work', 'you', LONG)).toBeUndefined();
    expect(await store.findLease('work')).toEqual(first);
    expect(await store.findLease('other work')).toBeUndefined();
    await store.releaseLease(first as never);
    expect(await store.findLease('work')).toBeUndefined();
    expect(await store.renewLease(first as never, LONG)).toBe(false);
    expect(await store.acquireLease('work', 'you', LONG)).toMatchObject({ token: 2 });
  });

  it('is taken over once it has expired, and renewed before', async () => {
    const clock = tickingClock();
    const store = await openForTest(await places.fresh(), { clock });
    // A lease that has expired when it is taken: no clock has to be waited for.
    const first = await store.acquireLease('work', 'me', -1000);
    expect(await store.acquireLease('work', 'you', LONG)).toMatchObject({ token: 2, owner: 'you' });
    expect(await store.renewLease(first as never, LONG)).toBe(false);
    const other = await store.acquireLease('other', 'me', LONG);
    expect(await store.renewLease(other as never, LONG)).toBe(true);
    expect(await store.acquireLease('other', 'you', LONG)).toBeUndefined();
  });

  it('fences a late writer: nothing is written with an old token', async () => {
    const store = await openForTest(await places.fresh());
    const first = await store.acquireLease('work', 'me', LONG);
    const fence = { scope: 'work', token: first?.token ?? 0 };
    expect(codeOf(await store.append(batch({ fence })))).toBe('ok');
    await store.acquireLease('work', 'me', LONG);
    const late = await store.append(batch({ fence, expectedSeq: 1 }));
    expect(late).toEqual({ ok: false, error: { code: 'E_JOURNAL_FENCED', ...fence } });
    const never = await store.append(batch({ fence: { scope: 'no such work', token: 1 }, expectedSeq: 1 }));
    expect(codeOf(never)).toBe('E_JOURNAL_FENCED');
    expect((await store.head(RUN))?.seq).toBe(1);
  });

  it('fences a writer whose lease has expired', async () => {
    const store = await openForTest(await places.fresh());
    const lease = await store.acquireLease('work', 'me', -1000);
    const late = await store.append(batch({ fence: { scope: 'work', token: lease?.token ?? 0 } }));
    expect(codeOf(late)).toBe('E_JOURNAL_FENCED');
    expect(await store.runs()).toEqual([]);
  });

  it('answers a repeated command also when its lease is gone', async () => {
    const store = await openForTest(await places.fresh());
    const lease = await store.acquireLease('work', 'me', LONG);
    const command = batch({ fence: { scope: 'work', token: lease?.token ?? 0 } });
    must(await store.append(command));
    await store.releaseLease(lease as never);
    expect(must(await store.append(command)).repeated).toBe(true);
  });

  it('goes with the run that its scope names, unless somebody holds it', async () => {
    const place = await places.fresh();
    const store = await openForTest(place);
    must(await store.append(batch()));
    const [mine, held] = [`work/lane/${RUN}/a`, `work/lane/${RUN}/b`];
    const others = [`work/lane/${RUN}x/a`, `work/lane/${RUN.toUpperCase()}/a`, 'work/all', RUN];
    for (const scope of [mine, ...others]) {
      await store.releaseLease((await store.acquireLease(scope, 'me', LONG)) as never);
    }
    await store.acquireLease(held, 'me', LONG);
    const raw = await rawDatabase(place);
    const scopes = async () =>
      (await raw.run('SELECT scope FROM cuebook_leases')).map(([scope]) => scope).sort();
    try {
      expect(await scopes()).toEqual([mine, held, ...others].sort());
      await store.removeRun(RUN);
      expect(await scopes()).toEqual([held, ...others].sort());
    } finally {
      await raw.close();
    }
    expect(await store.findLease(held)).toMatchObject({ owner: 'me' });
  });

  it('ends within its own length, also when the clock was set back, for who waits and for who looks once', async () => {
    const place = await places.fresh();
    const ticking = { at: 0 };
    const waiting = await openForTest(place, { clock: { now: () => 1e12, ticks: () => ticking.at } });
    await waiting.acquireLease('work', 'me', LONG);
    // As if it had been taken a year ahead of the clock, by a process of which nobody knows anything.
    const raw = await rawDatabase(place);
    const ahead = Date.now() + 1e12 + 365 * 86_400_000;
    await raw.run('UPDATE cuebook_leases SET expires_at = ?, holder = NULL', [ahead]);
    expect((await waiting.findLease('work'))?.expiresAt).toBeLessThan(ahead);
    expect(await waiting.acquireLease('work', 'you', LONG)).toBeUndefined();
    // Who looked once has left a mark: the lease now ends within its length.
    const [[end] = []] = await raw.run('SELECT expires_at FROM cuebook_leases');
    expect(Number(end)).toBeLessThan(ahead);
    await raw.run('UPDATE cuebook_leases SET expires_at = ?', [ahead]);
    await raw.close();
    ticking.at += LONG - 1;
    expect(await waiting.acquireLease('work', 'you', LONG)).toBeUndefined();
    ticking.at += 1;
    expect(await waiting.findLease('work')).toBeUndefined();
    expect(await waiting.acquireLease('work', 'you', LONG)).toMatchObject({ token: 2 });
  });

  it('is kept by who renews it, however often the clock is set back', async () => {
    const place = await places.fresh();
    const ticking = { at: 0 };
    const clock = { now: () => 1e12 - ticking.at * 1000, ticks: () => ticking.at };
    const store = await openForTest(place, { clock });
    const kept = await store.acquireLease('work', 'me', LONG);
    for (let third = 0; third < 12; third += 1) {
      ticking.at += LONG / 3;
      expect(await store.acquireLease('work', 'you', LONG)).toBeUndefined();
      expect(await store.renewLease(kept as never, LONG)).toBe(true);
    }
  });

  it('is free at once when its process has ended, and kept while it lives', async () => {
    const place = await places.fresh();
    const store = await openForTest(place);
    const first = await store.acquireLease('work', 'me', LONG);
    expect(first?.process).toEqual({ pid: process.pid, isHere: true });
    const raw = await rawDatabase(place);
    const [[mark] = []] = await raw.run('SELECT holder FROM cuebook_leases');
    const holder = JSON.parse(String(mark));
    const put = (changes: object) =>
      raw.run('UPDATE cuebook_leases SET holder = ?', [JSON.stringify({ ...holder, ...changes })]);
    await put({ host: 'elsewhere', pid: 2 ** 30 });
    expect(await store.acquireLease('work', 'you', LONG)).toBeUndefined();
    expect((await store.findLease('work'))?.process).toEqual({ pid: 2 ** 30, isHere: false });
    // Machines that share a database may have one name: of another start of a machine nobody can say.
    await put({ boot: 'another start', pid: 2 ** 30 });
    expect((await store.findLease('work')) === undefined).toBe(places.kind === 'sqlite');
    for (const ended of [{ pid: 2 ** 30 }, { start: '1' }]) {
      await put(ended);
      expect(await store.findLease('work')).toBeUndefined();
    }
    expect(await store.acquireLease('work', 'you', LONG)).toMatchObject({ token: 2 });
    await raw.close();
  });

  it('is won by one of many', async () => {
    const place = await places.fresh();
    const stores = await Promise.all([openForTest(place), openForTest(place)]);
    const tries = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]?.acquireLease('work', `owner ${index}`, LONG),
    );
    expect((await Promise.all(tries)).filter((lease) => lease !== undefined).length).toBe(1);
  });
}
