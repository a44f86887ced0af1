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

  it('is won by one of many', async () => {
    const place = await places.fresh();
    const stores = await Promise.all([openForTest(place), openForTest(place)]);
    const tries = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]?.acquireLease('work', `owner ${index}`, LONG),
    );
    expect((await Promise.all(tries)).filter((lease) => lease !== undefined).length).toBe(1);
  });
}
