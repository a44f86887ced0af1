import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSseParser, type SseMessage } from '@cuebook/api';
import type { LiveEvent } from '@cuebook/host';
import { openStore, type RunId, type Store } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createEventStream, type EventStream, type EventStreamParts } from './event-stream.js';
import type { StreamLimits } from './subscriber.js';

const RUN = 'run_1' as RunId;
let folder: string;
let store: Store;
let streams: EventStream[];
let listeners: Set<(live: LiveEvent) => void>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stream-'));
  const opened = await openStore({ file: join(folder, 'journal.db') });
  if (!opened.ok) throw new Error(opened.error.code);
  store = opened.value;
  streams = [];
  listeners = new Set();
});
afterEach(async () => {
  for (const stream of streams) stream.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The real journal under a host that does nothing else. */
const host = (): EventStreamParts['host'] => ({
  head: async (run) => ok({ seq: (await store.head(run))?.seq ?? 0 }),
  events: (run, options) => store.subscribe({ run, ...options }),
  watch(_, listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
});
function open(limits: Partial<StreamLimits> = {}): EventStream {
  const stream = createEventStream({ host: host(), store, limits, onProblem: () => undefined });
  streams.push(stream);
  return stream;
}
let written = 0;
async function append(count: number, size = 10): Promise<void> {
  const seq = (await store.head(RUN))?.seq ?? 0;
  const events = Array.from({ length: count }, () => ({ type: 'node.said', data: 'x'.repeat(size) }));
  written += 1;
  const done = await store.append({
    run: RUN,
    command: `c${written}`,
    target: 'append',
    events,
    expectedSeq: seq,
  });
  if (!done.ok) throw new Error(done.error.code);
}
const say = (text: string) => {
  for (const listener of listeners)
    listener({ run: RUN, node: 'n', effect: 't', event: { type: 'text.delta', block: 0, text } });
};

/** Reads a stream until it has enough. */
async function follower(stream: EventStream, after = 0, stop = new AbortController()) {
  const opened = await stream.open(RUN, { after, signal: stop.signal });
  if (!opened.ok) throw new Error(opened.error.code);
  const reader = opened.value.getReader();
  const parser = createSseParser();
  const heard: SseMessage[] = [];
  return {
    heard,
    seqs: () => heard.filter(({ event }) => event === 'event').map(({ id }) => Number(id)),
    leave: () => reader.cancel(),
    /** False: the stream ended before. */
    async until(isEnough: () => boolean): Promise<boolean> {
      while (!isEnough()) {
        const { done, value } = await reader.read();
        if (done) return false;
        heard.push(...parser.take(Buffer.from(value).toString()));
      }
      return true;
    },
  };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a stream of events', () => {
  it('gives the past, says that it is told, and goes on with what happens', async () => {
    await append(3);
    const one = await follower(open());
    await one.until(() => one.heard.some(({ event }) => event === 'ready'));
    expect(one.heard.map(({ event, id }) => [event, id])).toEqual([
      ['event', '1'],
      ['event', '2'],
      ['event', '3'],
      ['ready', ''],
    ]);
    await append(2);
    await one.until(() => one.seqs().length === 5);
    expect(one.seqs()).toEqual(range(1, 5));
    expect(JSON.parse(one.heard.at(-1)?.data ?? '')).toMatchObject({
      id: 'run_1/5',
      run: RUN,
      seq: 5,
      type: 'node.said',
    });
  });

  it('gives every follower every event once and in order, wherever it begins and whenever events come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ events: fc.integer({ min: 1, max: 40 }), comes: fc.boolean(), back: fc.nat(100) }),
          { minLength: 1, maxLength: 8 },
        ),
        async (steps) => {
          const stream = open({ chunkBytes: 700 });
          const all: { readonly from: number; readonly follower: Awaited<ReturnType<typeof follower>> }[] =
            [];
          await append(1);
          for (const { events, comes, back } of steps) {
            const head = (await store.head(RUN))?.seq ?? 0;
            const from = Math.max(0, head - back);
            if (comes) all.push({ from, follower: await follower(stream, from) });
            await append(events);
          }
          const head = (await store.head(RUN))?.seq ?? 0;
          for (const { from, follower: each } of all) {
            await each.until(() => each.seqs().at(-1) === head);
            expect(each.seqs()).toEqual(range(from + 1, head));
            await each.leave();
          }
          expect(stream.size()).toBe(0);
        },
      ),
      runs(20, 500),
    );
  });

  it('writes each event once for all who follow, and holds the newest alone', async () => {
    await append(1);
    const stream = open();
    const [early] = await Promise.all([follower(stream), follower(stream)]);
    await append(2_500);
    await append(2_500);
    await early.until(() => early.seqs().length === 5_001);
    const late = await follower(stream);
    await late.until(() => late.seqs().length === 5_001);
    expect(late.seqs()).toEqual(range(1, 5_001));
    expect(late.heard.filter(({ event }) => event === 'event').map(({ data }) => data)).toEqual(
      early.heard.filter(({ event }) => event === 'event').map(({ data }) => data),
    );
  });

  it('gives live words without an id, and says how many a slow follower has missed', async () => {
    await append(1);
    const one = await follower(open({ liveBytes: 400 }));
    await one.until(() => one.heard.some(({ event }) => event === 'ready'));
    say('Hello.');
    await one.until(() => one.heard.at(-1)?.event === 'live');
    expect(one.heard.at(-1)).toMatchObject({ id: '', data: expect.stringContaining('"text":"Hello."') });
    // Nobody reads meanwhile: one chunk may be on its way, the bound holds the rest.
    for (let index = 0; index < 200; index++) say(`word ${index}`);
    await append(1);
    await one.until(() => one.seqs().length === 2);
    const missed = one.heard
      .filter(({ event }) => event === 'missed')
      .map(({ data }) => JSON.parse(data).count as number);
    const live = one.heard.filter(({ event }) => event === 'live').length - 1;
    expect(missed.reduce((sum, count) => sum + count, 0) + live).toBe(200);
    expect(live).toBeLessThan(10);
  });

  it('cuts a follower that takes nothing, which then loses nothing', async () => {
    await append(50, 1_000);
    const stream = open({ slowMs: 500, chunkBytes: 5_000 });
    const slow = await follower(stream);
    await slow.until(() => slow.seqs().length > 0);
    await expect.poll(() => stream.size()).toBe(0);
    await expect(slow.until(() => slow.seqs().length === 50)).rejects.toThrow('takes nothing');
    const again = await follower(open(), slow.seqs().at(-1));
    await again.until(() => again.heard.some(({ event }) => event === 'ready'));
    expect([...slow.seqs(), ...again.seqs()]).toEqual(range(1, 50));
  });

  it('says something now and then where nothing happens', async () => {
    await append(1);
    const opened = await open({ heartbeatMs: 5 }).open(RUN, {
      after: 1,
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.code);
    const reader = opened.value.getReader();
    await reader.read();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(': ok\n\n');
    await reader.cancel();
  });

  it('ends for the follower who goes, and for all when the server ends', async () => {
    await append(1);
    const stream = open();
    const stop = new AbortController();
    const [one, two] = [await follower(stream, 0, stop), await follower(stream)];
    await Promise.all(
      [one, two].map((each) => each.until(() => each.heard.some(({ event }) => event === 'ready'))),
    );
    stop.abort();
    expect(await one.until(() => false)).toBe(false);
    expect(stream.size()).toBe(1);
    stream.close();
    expect(await two.until(() => false)).toBe(false);
    expect(stream.size()).toBe(0);
    expect(listeners.size).toBe(0);
  });

  it('is refused from behind the end of the run', async () => {
    await append(2);
    expect(await open().open(RUN, { after: 3, signal: new AbortController().signal })).toMatchObject({
      ok: false,
      error: { status: 400, field: 'after' },
    });
  });
});
