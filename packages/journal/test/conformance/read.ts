import { expect, it } from 'vitest';
import { openForTest, type Places } from '../places.js';
import { batch, eventsOf, must, OTHER, RUN } from '../write.js';

export function readCases(places: Places): void {
  it('pages through a run and through everything, in order', async () => {
    const store = await openForTest(await places.fresh());
    for (const [index, size] of [1, 3, 0, 200, 2, 1].entries()) {
      for (const run of [RUN, OTHER]) {
        const expectedSeq = (await store.head(run))?.seq ?? 0;
        must(
          await store.append(batch({ run, command: `cmd_${index}`, expectedSeq, events: eventsOf(size) })),
        );
      }
    }
    const all = await store.readAll({ limit: 10_000 });
    expect(all.length).toBe(414);
    const positions = all.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((one, other) => one - other));
    expect(new Set(positions).size).toBe(414);
    for (const limit of [1, 7, 64, 100]) {
      const paged = [];
      for (let after = 0; ; after = paged.at(-1)?.position ?? 0) {
        const page = await store.readAll({ after, limit });
        expect(page.length).toBeLessThanOrEqual(limit);
        paged.push(...page);
        if (page.length === 0) break;
        if (limit === 1 && paged.length > 20) break;
      }
      expect(paged).toEqual(all.slice(0, paged.length));
    }
    const mine = all.filter(({ run }) => run === RUN);
    expect(await store.read(RUN, { limit: 10_000 })).toEqual(mine);
    expect(await store.read(RUN, { after: 100, limit: 5 })).toEqual(mine.slice(100, 105));
    expect(await store.read(RUN, { after: 207 })).toEqual([]);
    expect((await store.commits(RUN)).flatMap(({ events }) => events)).toEqual(mine);
  });

  it('chains every event to all before it', async () => {
    const hashes = async (second: string) => {
      const store = await openForTest(await places.fresh());
      must(
        await store.append(batch({ command: 'cmd_a', events: eventsOf(2), blobs: [Buffer.from('blob')] })),
      );
      must(
        await store.append(batch({ command: 'cmd_b', target: second, expectedSeq: 2, events: eventsOf(2) })),
      );
      return (await store.read(RUN)).map(({ hash }) => hash);
    };
    const [one, same, other] = [await hashes('x'), await hashes('x'), await hashes('y')];
    expect(one).toEqual(same);
    expect(new Set(one).size).toBe(4);
    expect(other.slice(0, 2)).toEqual(one.slice(0, 2));
    expect(other[2]).not.toBe(one[2]);
    expect(other[3]).not.toBe(one[3]);
  });

  it('knows nothing of what is not there', async () => {
    const store = await openForTest(await places.fresh());
    expect(await store.head(RUN)).toBeUndefined();
    expect(await store.read(RUN)).toEqual([]);
    expect(await store.readAll()).toEqual([]);
    expect(await store.runs()).toEqual([]);
    expect(await store.getBlob(`sha256:${'0'.repeat(64)}`)).toBeUndefined();
    expect(await store.getBlob('no hash')).toBeUndefined();
    expect(await store.projection('view', 'a')).toBeUndefined();
  });

  it('lists runs as they began', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch({ run: OTHER })));
    must(await store.append(batch({ run: RUN })));
    must(await store.append(batch({ run: OTHER, expectedSeq: 1 })));
    const runs = await store.runs();
    expect(runs.map(({ run, seq }) => [run, seq])).toEqual([
      [OTHER, 2],
      [RUN, 1],
    ]);
    expect(runs[0]?.lastAt).toBeGreaterThan(runs[0]?.startedAt ?? Number.POSITIVE_INFINITY);
  });

  it('is there again after it was closed', async () => {
    const place = await places.fresh();
    const first = await openForTest(place);
    must(await first.append(batch({ events: eventsOf(3) })));
    const before = await first.read(RUN);
    await first.close();
    const second = await openForTest(place);
    expect(await second.read(RUN)).toEqual(before);
  });
}
