import { setTimeout as wait } from 'node:timers/promises';
import type { LogReadOptions, RunId, StoredEvent, SubscribeOptions } from '../contract.js';
import { JournalFailure } from '../error.js';
import type { SqlDriver } from './port/driver.js';
import { readAll } from './read.js';

/** Events that are read ahead of the subscriber. */
const AHEAD = 256;

/** Tries in a row that may fail before the subscription does: with their waits, some 25 seconds. */
const MAX_TRIES = 10;
const FIRST_WAIT_MS = 25;

/**
 * Past events, then live ones. There is no seam: it reads the store, page by page, and waits for a change only
 * when it has read everything that there was before it looked. A slow subscriber holds one page and nothing more.
 */
export async function* subscribe(
  driver: SqlDriver,
  options: SubscribeOptions,
  readRun: ReadPage,
): AsyncIterable<StoredEvent> {
  const { run, signal = NEVER } = options;
  let after = options.after ?? 0;
  while (!signal.aborted) {
    const seen = driver.seen();
    const events = await readPatiently(driver, { run, after, signal }, readRun);
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
      after = run === undefined ? event.position : event.seq;
    }
    // A page that is not full holds all that there was.
    if (events.length < AHEAD) await driver.changed(seen, signal, run);
  }
}

const NEVER = new AbortController().signal;

interface Page {
  readonly run: SubscribeOptions['run'];
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Reads events of one run. */
export type ReadPage = (run: RunId, options: LogReadOptions) => Promise<readonly StoredEvent[]>;

/** Reads on through a lost connection. Nothing is missed: it asks again from where it was. */
async function readPatiently(
  driver: SqlDriver,
  { run, after, signal }: Page,
  readRun: ReadPage,
): Promise<readonly StoredEvent[]> {
  const page = { after, limit: AHEAD };
  for (let tries = 0; ; tries += 1) {
    try {
      return await (run === undefined ? readAll(driver, page) : readRun(run, page));
    } catch (thrown) {
      if (signal.aborted) return [];
      const error = driver.explain(thrown);
      const mayPass = error.code === 'E_JOURNAL_UNAVAILABLE' && error.reason !== 'failed';
      if (!mayPass || tries >= MAX_TRIES) throw new JournalFailure(error);
      // With the signal the wait rejects, and the next round returns.
      await wait(FIRST_WAIT_MS * 2 ** tries, undefined, { signal }).catch(() => undefined);
    }
  }
}
