import type { JsonValue } from '@cuebook/prompt';
import type { LogReadOptions, RunId, StoredCommit, StoredEvent } from '../contract.js';
import { JournalFailure } from '../error.js';
import type { SqlRow, SqlSession } from './port/driver.js';
import { type Body, decodeBody } from './row/body.js';
import { type CommitText, chainCommit, genesis, hex, shownHash } from './row/chain.js';
import { type CommitRow, requireWhole, toCommitRow } from './row/rows.js';

/** Events of a run after a seq. */
export function readRun(
  session: SqlSession,
  run: RunId,
  options: LogReadOptions = {},
): Promise<readonly StoredEvent[]> {
  const { after = 0, limit = EVENTS } = options;
  const page: Page = (cursor, end, rows) => session.rows(SELECT_BY_SEQ, [run, cursor, end, rows]);
  return collectEvents({ session, page, after, limit, cursorOf: ({ seq }) => seq });
}

/** Events of all runs after a position. */
export function readAll(session: SqlSession, options: LogReadOptions = {}): Promise<readonly StoredEvent[]> {
  const { after = 0, limit = EVENTS } = options;
  const page: Page = (cursor, end, rows) => session.rows(SELECT_BY_POSITION, [cursor, end, rows]);
  return collectEvents({ session, page, after, limit, cursorOf: ({ position }) => position });
}

/** Whole commits of a run after a position. */
export async function readCommits(
  session: SqlSession,
  run: RunId,
  options: LogReadOptions = {},
): Promise<readonly StoredCommit[]> {
  const { after = 0, limit = COMMITS } = options;
  const rows = await session.rows(SELECT_COMMITS, [run, after, limit]);
  const commits: StoredCommit[] = [];
  for (const row of rows) {
    const read = decodeRow(row);
    const blobs = await blobNames(session, read.body.blobs);
    commits.push(toStoredCommit(read, chainText(read, blobs)));
  }
  return commits;
}

/** A commit with its body unpacked. */
export interface ReadCommit {
  readonly run: RunId;
  readonly row: CommitRow;
  readonly body: Body;
  /** The head before it. */
  readonly previous: Buffer;
}

/** The columns that `decodeRow` reads. */
export const SELECT_ROWS = `SELECT c.position, c.run, c.seq, c.at, c.command_key, c.body, c.hash, c.sum, r.name,
  (SELECT p.hash FROM cuebook_commits p WHERE p.run = c.run AND (p.seq, p.position) < (c.seq, c.position)
   ORDER BY p.seq DESC, p.position DESC LIMIT 1)
  FROM cuebook_commits c JOIN cuebook_runs r ON r.id = c.run`;

export function decodeRow(cells: SqlRow): ReadCommit {
  const run = String(cells[8]) as RunId;
  const row = toCommitRow(requireWhole('commits', cells.slice(0, 8), `a commit of ${run}`));
  const body = decodeBody(row.body);
  if (body === undefined) throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: `a commit of ${run}` });
  return { run, row, body, previous: (cells[9] as Buffer | null) ?? genesis(run) };
}

/** What the chain covers. */
export function chainText({ run, row, body }: ReadCommit, blobs: readonly string[]): CommitText {
  const firstSeq = row.seq - body.events.length + 1;
  return { ...body, run, firstSeq, lastSeq: row.seq, at: row.at, blobs };
}

/** The names of blobs by their row numbers, in hexadecimal. One that is not there has no name. */
export function blobNames(session: SqlSession, ids: readonly number[]): Promise<readonly string[]> {
  return Promise.all(
    ids.map(async (id) => {
      const [row] = await session.rows('SELECT name FROM cuebook_blobs WHERE id = ?', [id]);
      return row === undefined ? '' : hex(row[0] as Buffer);
    }),
  );
}

export function toStoredCommit(read: ReadCommit, text: CommitText): StoredCommit {
  const { run, row } = read;
  const { events } = chainCommit(read.previous, text);
  return {
    run,
    firstSeq: text.firstSeq,
    lastSeq: text.lastSeq,
    position: row.position,
    at: row.at,
    command: text.command,
    target: text.target,
    answer: JSON.parse(text.answer) as JsonValue,
    events: toStoredEvents(read, events),
    projections: text.projections.map(({ name, key, hash }) => ({
      name,
      key,
      hash: hash && `sha256:${hash}`,
    })),
    blobs: text.blobs.map((blob) => `sha256:${blob}`),
    hash: shownHash(row.hash),
  };
}

const EVENTS = 1000;
const COMMITS = 100;

/** Rows that are asked for at once. */
const PAGE = 64;

/**
 * A commit has any number of events, and its row stands at the last of them. So a page of events ends with the first commit
 * that reaches its end: rows behind it would be read, unpacked and hashed for nothing, again for every page.
 */
const SELECT_BY_SEQ = `${SELECT_ROWS} WHERE r.name = ? AND c.seq > ?
  AND c.seq <= coalesce((SELECT e.seq FROM cuebook_commits e WHERE e.run = r.id AND e.seq >= ?
   ORDER BY e.seq LIMIT 1), ${Number.MAX_SAFE_INTEGER}) ORDER BY c.seq, c.position LIMIT ?`;
const SELECT_BY_POSITION = `${SELECT_ROWS} WHERE c.position > ?
  AND c.position <= coalesce((SELECT e.position FROM cuebook_commits e WHERE e.position >= ?
   ORDER BY e.position LIMIT 1), ${Number.MAX_SAFE_INTEGER}) ORDER BY c.position LIMIT ?`;
const SELECT_COMMITS = `${SELECT_ROWS} WHERE r.name = ? AND c.position > ? ORDER BY c.seq, c.position LIMIT ?`;

/** Rows behind `cursor`, up to the first that stands at `end` or behind it. */
type Page = (cursor: number, end: number, rows: number) => Promise<readonly SqlRow[]>;

interface Collecting {
  readonly session: SqlSession;
  readonly page: Page;
  readonly after: number;
  readonly limit: number;
  readonly cursorOf: (of: { readonly seq: number; readonly position: number }) => number;
}

async function collectEvents({ session, page, after, limit, cursorOf }: Collecting): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  let cursor = after;
  while (found.length < limit) {
    const left = limit - found.length;
    const [asked, end] = [Math.min(PAGE, left), Math.min(cursor + left, Number.MAX_SAFE_INTEGER)];
    const rows = await page(cursor, end, asked);
    const commits = await Promise.all(rows.map((row) => toEvents(session, decodeRow(row))));
    for (const events of commits) for (const event of events) if (cursorOf(event) > after) found.push(event);
    const last = rows.at(-1);
    if (last === undefined) break;
    cursor = cursorOf({ seq: Number(last[2]), position: Number(last[0]) });
    // No row stands at the end: there is none behind these.
    if (rows.length < asked && cursor < end) break;
  }
  return found.slice(0, limit);
}

/** The last event's hash is the commit's own; those of events before it are computed. */
async function toEvents(session: SqlSession, read: ReadCommit): Promise<readonly StoredEvent[]> {
  if (read.body.events.length <= 1) return toStoredEvents(read, [read.row.hash]);
  const blobs = await blobNames(session, read.body.blobs);
  return toStoredEvents(read, chainCommit(read.previous, chainText(read, blobs)).events);
}

function toStoredEvents({ run, row, body }: ReadCommit, hashes: readonly Buffer[]): readonly StoredEvent[] {
  const before = body.events.length;
  return body.events.map(({ type, data }, index) => ({
    run,
    seq: row.seq - before + 1 + index,
    position: row.position - before + 1 + index,
    at: row.at,
    command: body.command,
    type,
    data: JSON.parse(data) as JsonValue,
    hash: shownHash(hashes[index] ?? row.hash),
  }));
}
