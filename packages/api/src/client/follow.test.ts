import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { type Followed, type FollowOptions, follow } from './follow.js';

const event = (seq: number) => ({
  id: `run_1/${seq}`,
  run: 'run_1',
  seq,
  at: 0,
  type: 'node.told',
  data: null,
  command: 'c',
  hash: 'sha256:0',
});
const line = (seq: number) => `id: ${seq}\nevent: event\ndata: ${JSON.stringify(event(seq))}\n\n`;

/** Each connection gets the next answer; the last one stays for all that come after. */
function served(answers: readonly ((after: number) => Response | Promise<Response>)[]) {
  const cursors: number[] = [];
  const fetch = (async (url: string) => {
    const after = Number(new URL(url).searchParams.get('after'));
    cursors.push(after);
    const answer = answers[Math.min(cursors.length, answers.length) - 1];
    return answer === undefined ? Promise.reject(new TypeError()) : answer(after);
  }) as typeof globalThis.fetch;
  const heard = async (
    until: (all: readonly Followed[]) => boolean,
    options: Partial<FollowOptions> = {},
  ) => {
    const all: Followed[] = [];
    const stop = new AbortController();
    const following = { run: 'run_1', delayMs: () => 0, signal: stop.signal, ...options };
    for await (const each of follow({ url: 'http://127.0.0.1:1', fetch }, following)) {
      all.push(each);
      if (until(all)) stop.abort();
    }
    return all;
  };
  return { cursors, heard };
}

const seqs = (all: readonly Followed[]) =>
  all.flatMap((each) => (each.type === 'event' ? [each.event.seq] : []));
const hasAll = (count: number) => (all: readonly Followed[]) => seqs(all).length >= count;

describe('follow', () => {
  it('goes on from the last event when the connection breaks', async () => {
    const { cursors, heard } = served([
      () => new Response(line(1) + line(2).slice(0, 20)),
      () => Promise.reject(new TypeError('gone')),
      (after) => new Response(line(after + 1) + line(after + 2)),
    ]);
    const all = await heard(hasAll(3));
    expect(seqs(all)).toEqual([1, 2, 3]);
    expect(cursors).toEqual([0, 1, 1]);
    expect(all.filter(({ type }) => type === 'lost')).toHaveLength(2);
  });

  it('hands out each event once and in order, whatever the connections do', async () => {
    const connection = fc.record({
      from: fc.integer({ min: -3, max: 3 }),
      count: fc.nat(6),
      cut: fc.nat(30),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(connection, { maxLength: 12 }), async (connections) => {
        const total = 20;
        const some = connections.map(({ from, count, cut }) => (after: number) => {
          const first = Math.max(1, after + 1 + from);
          const text = Array.from({ length: count }, (_, index) => line(first + index)).join('');
          return new Response(text.slice(0, Math.max(0, text.length - cut)));
        });
        const rest = (after: number) =>
          new Response(Array.from({ length: total - after }, (_, index) => line(after + 1 + index)).join(''));
        const { heard } = served([...some, rest]);
        const all = seqs(await heard((each) => (seqs(each).at(-1) ?? 0) >= total));
        expect(all).toEqual(Array.from({ length: all.length }, (_, index) => index + 1));
        expect(all.length).toBeGreaterThanOrEqual(total);
      }),
      runs(60, 3_000),
    );
  });

  it.each([401, 404, 400])('ends with the words of a server that says %i', async (status) => {
    const error = { code: 'E_X', message: 'No.' };
    const { cursors, heard } = served([() => new Response(JSON.stringify({ error }), { status })]);
    expect(await heard(() => false)).toEqual([{ type: 'failed', error: { ...error, status } }]);
    expect(cursors).toHaveLength(1);
  });

  it('tries again where the server is only busy', async () => {
    const { heard } = served([() => new Response('{}', { status: 503 }), () => new Response(line(1))]);
    expect(seqs(await heard(hasAll(1)))).toEqual([1]);
  });

  it('takes a connection without a byte for lost', async () => {
    const silent = () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array()) }));
    const aborting = served([silent, () => new Response(line(1))]);
    expect(seqs(await aborting.heard(hasAll(1), { silenceMs: 20 }))).toEqual([1]);
  });

  it('passes live words, readiness and what was missed on, and over what it does not know', async () => {
    const live = { run: 'run_1', node: 'n', turn: 't', event: { type: 'text.delta', block: 0, text: 'Hi' } };
    const text = [
      `event: live\ndata: ${JSON.stringify(live)}`,
      'event: live\ndata: {"event":{"type":"from.later"}}',
      'event: something\ndata: 1',
      'event: ready\ndata: {"seq":4}',
      'event: missed\ndata: {"count":2}',
    ].join('\n\n');
    const { heard } = served([() => new Response(`${text}\n\n`)]);
    const all = await heard((each) => each.some(({ type }) => type === 'lost'));
    expect(all.slice(0, 3)).toEqual([
      { type: 'live', live },
      { type: 'ready', seq: 4 },
      { type: 'missed', count: 2 },
    ]);
  });
});
