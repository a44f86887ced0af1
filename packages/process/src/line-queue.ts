import type { Readable } from 'node:stream';
import { createLineSplitter } from './line-splitter.js';

export interface LineQueue {
  /** One reader. Ends when the stream ended, when a line was too long, or when `finish` was called. */
  readonly lines: AsyncIterable<string>;
  /** No more is coming: what has arrived is still read. */
  finish(): void;
}

/**
 * The lines of a stream, read no faster than they are taken: past `HELD_LINES` or `HELD_LENGTH` the stream waits. `onChunk`
 * hears of every arrival, `onLong` of a line past the limit.
 */
export function readLines(
  stream: Readable,
  options: { readonly maxLineBytes: number; onChunk(bytes: number): void; onLong(): void },
): LineQueue {
  const splitter = createLineSplitter(options.maxLineBytes);
  let waiting: string[] = [];
  let held = 0;
  let isDone = false;
  let wake = () => {};

  const finish = () => {
    if (isDone) return;
    waiting.push(...splitter.end());
    isDone = true;
    stream.off('data', take);
    // Whoever still writes finds the pipe closed, not full.
    stream.destroy();
    wake();
  };
  const take = (chunk: Uint8Array) => {
    options.onChunk(chunk.length);
    const { lines, isLong } = splitter.push(chunk);
    for (const line of lines) {
      waiting.push(line);
      held += line.length;
    }
    if (waiting.length > HELD_LINES || held > HELD_LENGTH) stream.pause();
    wake();
    if (!isLong) return;
    options.onLong();
    finish();
  };
  stream.on('data', take);
  stream.once('end', finish);
  stream.once('close', finish);
  stream.on('error', finish);

  async function* lines(): AsyncGenerator<string> {
    while (true) {
      const batch = waiting;
      waiting = [];
      held = 0;
      if (batch.length === 0 && isDone) return;
      yield* batch;
      if (waiting.length > 0) continue;
      if (!isDone) stream.resume();
      if (!isDone)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return { lines: lines(), finish };
}

const HELD_LINES = 256;
/** In UTF-16 units. One line past it may be held too. */
const HELD_LENGTH = 1 << 20;
