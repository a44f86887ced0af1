import pg from 'pg';
import { createWatch, type Watch } from '../store/port/watch.js';

export interface NotificationListener {
  readonly watch: Watch;
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5000;

/**
 * Wakes those who wait when somebody commits: those of the run that the notification names, or all. It connects when the first one waits, again after a connection is
 * lost, after ever longer waits, and lets everybody look once each time, because what was notified in between
 * is gone. A slow poll beside it covers a connection that is dead and does not know it.
 */
export function listen(
  settings: pg.ClientConfig,
  { pollMs, channel }: { readonly pollMs: number; readonly channel: string },
): NotificationListener {
  let client: pg.Client | undefined;
  let poll: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isClosed = false;

  const watch = createWatch((someone) => {
    clearInterval(poll);
    if (!someone) return;
    poll = setInterval(() => watch.bump(), pollMs);
    if (client === undefined && retry === undefined) connect();
  });

  const again = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = undefined;
    void lost.end().catch(() => undefined); // It is lost already; this frees what is left of it.
    if (isClosed) return;
    retry = setTimeout(() => {
      retry = undefined;
      if (watch.waiting() > 0) connect();
    }, waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  };

  const connect = (): void => {
    const fresh = new pg.Client(settings);
    client = fresh;
    fresh.on('error', () => again(fresh));
    fresh.on('end', () => again(fresh));
    fresh.on('notification', ({ payload }) => watch.bump(payload || undefined));
    fresh
      .connect()
      .then(() => fresh.query(`LISTEN ${channel}`))
      .then(
        () => {
          waitMs = FIRST_WAIT_MS;
          watch.bump();
        },
        () => again(fresh),
      );
  };

  return {
    watch,
    async close() {
      isClosed = true;
      clearInterval(poll);
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined); // Ending a connection that is lost already is no failure.
    },
  };
}
