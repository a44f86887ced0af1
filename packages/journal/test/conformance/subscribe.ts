import { expect, it } from 'vitest';
import type { RunId } from '../../src/contract.js';
import { openForTest, type Places } from '../places.js';
import { batch, eventsOf, must, OTHER, RUN, take } from '../write.js';

export function subscribeCases(places: Places): void {
  it('gives past events and then live ones, without gap and duplicate', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch({ events: eventsOf(300) })));
    const taking = take(store.subscribe({ run: RUN, after: 10 }), 490);
    for (let seq = 300; seq < 500; seq += 2) {
      must(await store.append(batch({ expectedSeq: seq, events: eventsOf(2) })));
    }
    const seqs = (await taking).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 490 }, (_, index) => 11 + index));
  });

  it('hears of what other connections to the store commit', async () => {
    const place = await places.fresh();
    // A poll that never comes for Postgres: only the notification can wake it.
    const reader = await openForTest(
      place,
      places.kind === 'postgres' ? { pollMs: 1_000_000 } : { pollMs: 5 },
    );
    const writer = await openForTest(place);
    const taking = take(reader.subscribe({}), 6);
    for (const run of [RUN, OTHER, 'run_three' as RunId])
      must(await writer.append(batch({ run, events: eventsOf(2) })));
    expect((await taking).map(({ run, seq }) => `${run} ${seq}`)).toEqual([
      'run_one 1',
      'run_one 2',
      'run_two 1',
      'run_two 2',
      'run_three 1',
      'run_three 2',
    ]);
  });

  it('never passes a position that comes later, with many writers', async () => {
    const place = await places.fresh();
    const reader = await openForTest(place, { pollMs: 5 });
    const writers = await Promise.all([openForTest(place), openForTest(place), openForTest(place)]);
    const taking = take(reader.subscribe({}), 120);
    await Promise.all(
      writers.map(async (writer, index) => {
        const run = `run_w${index}` as RunId;
        for (let seq = 0; seq < 40; seq += 1) must(await writer.append(batch({ run, expectedSeq: seq })));
      }),
    );
    const events = await taking;
    expect(new Set(events.map(({ run, seq }) => `${run} ${seq}`)).size).toBe(120);
    const positions = events.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((one, other) => one - other));
    expect(await reader.readAll()).toEqual(events);
  });

  it('ends with its signal, and with the store', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch()));
    const stop = new AbortController();
    const seen: number[] = [];
    const first = (async () => {
      for await (const { seq } of store.subscribe({ run: RUN, signal: stop.signal })) {
        seen.push(seq);
        stop.abort();
      }
    })();
    const second = (async () => {
      for await (const { seq } of store.subscribe({ run: RUN, after: 1 })) seen.push(seq);
    })();
    await first;
    await store.close();
    await second;
    expect(seen).toEqual([1]);
  });
}
