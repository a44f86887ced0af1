import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Broadcast } from '../store/port/broadcast.js';

/** The database takes less than 8,000 bytes. */
const MAX_PIECE = 7_000;
/** A sender that is cut off in the middle leaves a part: so many are kept. */
const MAX_PARTS = 64;
/** What waits while the database is away: more is lost. */
const MAX_WAITING = 1_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5_000;

/** One connection, made when it is first used and again after it was lost. */
export function openBroadcast(settings: pg.ClientConfig, channel: string): Broadcast {
  const self = randomBytes(6).toString('hex');
  const listeners = new Set<(text: string) => void>();
  const parts = new Map<string, string[]>();
  let client: pg.Client | undefined;
  let isReady = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let sent = 0;
  let waiting: string[] = [];

  const take = (payload: string): void => {
    const [from = '', id = '', index = '', count = '', piece = ''] = payload.split(' ');
    if (from === self) return;
    const key = `${from} ${id}`;
    const got = parts.get(key) ?? [];
    parts.delete(key);
    if (Number(index) !== got.length) return; // The beginning was missed.
    got.push(piece);
    if (got.length < Number(count)) {
      parts.set(key, got);
      for (const oldest of parts.keys()) {
        if (parts.size <= MAX_PARTS) break;
        parts.delete(oldest);
      }
      return;
    }
    const text = Buffer.from(got.join(''), 'base64').toString('utf8');
    for (const listener of listeners) listener(text);
  };
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = undefined;
    isReady = false;
    parts.clear();
    void lost.end().catch(() => undefined); // It is lost already; this frees what is left of it.
    if (isClosed) return;
    retry = setTimeout(connect, waitMs);
    retry.unref();
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  };
  const flush = (): void => {
    const now = client;
    if (now === undefined || !isReady || waiting.length === 0) return;
    const payloads = waiting;
    waiting = [];
    now.query(SEND, [channel, payloads]).catch(() => lose(now));
  };
  function connect(): void {
    retry = undefined;
    const fresh = new pg.Client({ ...settings, pipeline: true });
    client = fresh;
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    fresh.on('notification', ({ payload }) => take(payload ?? ''));
    fresh
      .connect()
      // What is said here is kept by nobody: no commit of it needs to wait for the disk.
      .then(() => fresh.query(`SET synchronous_commit = off; LISTEN ${channel}`))
      .then(
        () => {
          waitMs = FIRST_WAIT_MS;
          isReady = true;
          flush();
        },
        () => lose(fresh),
      );
  }
  const begin = (): void => {
    if (client === undefined && retry === undefined && !isClosed) connect();
  };

  return {
    send(text) {
      begin();
      const whole = Buffer.from(text, 'utf8').toString('base64');
      const count = Math.max(1, Math.ceil(whole.length / MAX_PIECE));
      sent += 1;
      for (let index = 0; index < count; index += 1)
        waiting.push(
          `${self} ${sent} ${index} ${count} ${whole.slice(index * MAX_PIECE, (index + 1) * MAX_PIECE)}`,
        );
      if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING);
      flush();
    },
    hear(listener) {
      begin();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined); // Ending a connection that is lost already is no failure.
    },
  };
}

const SEND =
  'SELECT pg_notify($1, piece) FROM unnest($2::text[]) WITH ORDINALITY AS p (piece, at) ORDER BY at';
