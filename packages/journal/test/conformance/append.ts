import { expect, it } from 'vitest';
import type { Append } from '../../src/contract.js';
import { openForTest, type Places } from '../places.js';
import { batch, codeOf, eventsOf, must, OTHER, photograph, problemsOf, RUN } from '../write.js';

export function appendCases(places: Places): void {
  it('writes events, answer, projections and blobs at once', async () => {
    const store = await openForTest(await places.fresh());
    const content = Buffer.from('some content');
    const written = await store.append(
      batch({
        command: 'cmd_first',
        events: eventsOf(2),
        answer: { told: ['so'] },
        projections: [{ name: 'view', key: 'a', value: { count: 2 } }],
        blobs: [content],
      }),
    );
    const { hash } = (await store.head(RUN)) ?? {};
    expect(must(written)).toEqual({
      firstSeq: 1,
      lastSeq: 2,
      answer: { told: ['so'] },
      repeated: false,
      hash,
    });
    const events = await store.read(RUN);
    expect(events.map(({ seq, type, data, command }) => ({ seq, type, data, command }))).toEqual([
      { seq: 1, type: 'thing.done', data: { number: 1 }, command: 'cmd_first' },
      { seq: 2, type: 'thing.done', data: { number: 2 }, command: 'cmd_first' },
    ]);
    expect(await store.head(RUN)).toEqual({ seq: 2, hash: events[1]?.hash });
    expect(await store.projection('view', 'a')).toEqual({ count: 2 });
    const [commit] = await store.commits(RUN);
    expect(Buffer.from((await store.getBlob(commit?.blobs[0] ?? '')) as Uint8Array)).toEqual(content);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('answers the same command again with what it answered first, and writes nothing', async () => {
    const store = await openForTest(await places.fresh());
    const command = batch({
      events: eventsOf(3),
      answer: 'first',
      projections: [{ name: 'view', key: 'a', value: 1 }],
    });
    must(await store.append(command));
    const before = await photograph(store, [RUN]);
    const again = { ...command, answer: 'second', events: eventsOf(1), expectedSeq: 7 };
    expect(must(await store.append(again))).toMatchObject({
      firstSeq: 1,
      lastSeq: 3,
      answer: 'first',
      repeated: true,
    });
    expect(await photograph(store, [RUN])).toEqual(before);
    expect(await store.findCommand(RUN, command.command)).toMatchObject({
      firstSeq: 1,
      lastSeq: 3,
      answer: 'first',
      repeated: true,
    });
    expect(await store.findCommand(OTHER, command.command)).toBeUndefined();
    expect(await store.findCommand(RUN, 'cmd_never')).toBeUndefined();
  });

  it('refuses the same command for another target', async () => {
    const store = await openForTest(await places.fresh());
    const command = batch();
    must(await store.append(command));
    const clash = await store.append({ ...command, target: 'another', expectedSeq: 1 });
    expect(clash).toEqual({
      ok: false,
      error: { code: 'E_JOURNAL_CONFLICT', run: RUN, command: command.command },
    });
    expect((await store.head(RUN))?.seq).toBe(1);
  });

  it('keeps the command ids of runs apart', async () => {
    const store = await openForTest(await places.fresh());
    const command = batch();
    must(await store.append(command));
    expect(must(await store.append({ ...command, run: OTHER, target: 'another' })).repeated).toBe(false);
  });

  it('refuses a decision that was made on an older state', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch({ events: eventsOf(2) })));
    for (const expectedSeq of [0, 1, 3]) {
      expect(await store.append(batch({ expectedSeq }))).toEqual({
        ok: false,
        error: { code: 'E_JOURNAL_MOVED', run: RUN, expected: expectedSeq, found: 2 },
      });
    }
    expect((await store.read(RUN)).length).toBe(2);
  });

  it('keeps a command without events: an answer and no seq', async () => {
    const store = await openForTest(await places.fresh());
    must(await store.append(batch()));
    const head = await store.head(RUN);
    const asked = batch({ events: [], expectedSeq: 1, answer: 'no' });
    expect(must(await store.append(asked))).toMatchObject({
      firstSeq: 2,
      lastSeq: 1,
      answer: 'no',
      repeated: false,
    });
    expect(must(await store.append(asked))).toMatchObject({ answer: 'no', repeated: true });
    must(await store.append(batch({ expectedSeq: 1 })));
    expect((await store.read(RUN)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect((await store.head(RUN))?.hash).not.toBe(head?.hash);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('gives racing appenders of one run seqs without a gap, and one winner each', async () => {
    const place = await places.fresh();
    const stores = await Promise.all([openForTest(place), openForTest(place), openForTest(place)]);
    let refused = 0;
    const work = async (index: number): Promise<void> => {
      const store = stores[index % stores.length] ?? stores[0];
      for (let done = 0; done < 8; ) {
        const expectedSeq = (await store?.head(RUN))?.seq ?? 0;
        const result = await store?.append(
          batch({ command: `cmd_${index}_${done}`, expectedSeq, events: eventsOf(2) }),
        );
        if (result?.ok) done += 1;
        else if (result?.error.code === 'E_JOURNAL_MOVED') refused += 1;
        else throw new Error(JSON.stringify(result));
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(work));
    const [store] = stores;
    const events = (await store?.read(RUN, { limit: 1000 })) ?? [];
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 96 }, (_, index) => index + 1));
    expect(new Set(events.map(({ command }) => command)).size).toBe(48);
    expect(refused).toBeGreaterThan(0);
    expect(await problemsOf(store as never)).toEqual([]);
  });

  it('writes each of many appends that wait together, and refuses only those that do not fit', async () => {
    const store = await openForTest(await places.fresh());
    const good = Array.from({ length: 40 }, (_, index) => batch({ run: `run_g${index}` as Append['run'] }));
    const bad = [
      batch({ run: OTHER, expectedSeq: 5 }),
      batch({ run: OTHER, keeps: [`sha256:${'0'.repeat(64)}`] }),
    ];
    const all = [...good.slice(0, 20), ...bad, ...good.slice(20)];
    const codes = (await Promise.all(all.map((one) => store.append(one)))).map(codeOf);
    expect(codes.filter((code) => code === 'ok').length).toBe(40);
    expect(codes.slice(20, 22)).toEqual(['E_JOURNAL_MOVED', 'E_JOURNAL_BLOB_MISSING']);
    expect((await store.runs()).length).toBe(40);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('changes and removes projections, also those of other runs', async () => {
    const store = await openForTest(await places.fresh());
    const change = (run: Append['run'], expectedSeq: number, value: number | null, key = 'a') =>
      store.append(batch({ run, expectedSeq, projections: [{ name: 'view', key, value }] })).then(must);
    await change(RUN, 0, 1);
    await change(RUN, 1, 2, 'b');
    await change(OTHER, 0, 3);
    expect([...(await store.projections('view'))]).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    await change(OTHER, 1, null);
    await change(RUN, 2, null, 'b');
    expect([...(await store.projections('view'))]).toEqual([]);
    expect(await store.projection('view', 'a')).toBeUndefined();
    await change(RUN, 3, 4);
    await change(RUN, 4, 5, 'b');
    expect(await store.projection('view', 'a')).toBe(4);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('stores values exactly, whatever characters they have', async () => {
    const store = await openForTest(await places.fresh());
    const data = {
      'a\u0000b': 'c\u0000\n\r\u2028\u{1f600}',
      nested: [[], {}, -0, 1e21, 0.1, null, true, ''],
    };
    const names = { command: 'cmd \u{1f600} "quoted"\nnext', target: 'ü\n' };
    must(await store.append(batch({ ...names, events: [{ type: 'thing.done', data }], answer: data })));
    const [event] = await store.read(RUN);
    expect(event?.data).toEqual({ ...data, nested: [[], {}, 0, 1e21, 0.1, null, true, ''] });
    expect(event?.command).toBe(names.command);
    expect(await store.findCommand(RUN, names.command)).toMatchObject({ firstSeq: 1 });
    expect(await problemsOf(store)).toEqual([]);
  });
}
