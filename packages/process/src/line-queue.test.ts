import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLines } from './line-queue.js';

/** A source of `total` chunks of ten lines that counts how many were taken from it. */
function source(total: number) {
  const taken = { chunks: 0 };
  const stream = new Readable({
    highWaterMark: 64,
    read() {
      this.push(taken.chunks < total ? Buffer.from(`line ${taken.chunks}\n`.repeat(10)) : null);
      taken.chunks += 1;
    },
  });
  return { stream, taken };
}

const quiet = { maxLineBytes: 1000, onChunk: () => {}, onLong: () => {} };

/** Everything that can happen without a reader has happened after a few turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('lines of a stream', () => {
  it('wait for a reader that does not read, and lose nothing', async () => {
    const { stream, taken } = source(500);
    const queue = readLines(stream, quiet);
    await settle();
    expect(taken.chunks).toBeLessThan(50);
    let count = 0;
    for await (const line of queue.lines) {
      expect(line).toBe(`line ${Math.floor(count / 10)}`);
      count += 1;
    }
    expect(count).toBe(5000);
  });

  it('end when told, with what had arrived', async () => {
    const stream = new Readable({ read: () => {} });
    stream.push('one\ntwo');
    const queue = readLines(stream, quiet);
    await settle();
    queue.finish();
    const lines: string[] = [];
    for await (const line of queue.lines) lines.push(line);
    expect(lines).toEqual(['one', 'two']);
    expect(stream.destroyed).toBe(true);
  });
});
