import { guard } from '@cuebook/guard';
import type { AuditProblem, RunId } from '../../contract.js';
import { turnOf } from '../../turn/find.js';
import type { SqlRow, SqlSession } from '../port/driver.js';
import { blobNames, chainText } from '../read.js';
import { type Body, decodeBody } from '../row/body.js';
import { chainCommit, commandKey, genesis } from '../row/chain.js';
import { COMMIT_COLUMNS, type CommitRow, isWhole, type RunRow, toCommitRow } from '../row/rows.js';
import { attempt } from './attempt.js';
import { auditBlobs } from './audit-blobs.js';
import { auditProjections, type LastChange } from './audit-projections.js';
import type { AuditReport } from './report.js';

/** What a pass over the chain remembers. */
interface Pass {
  readonly run: RunId;
  previous: Buffer;
  seq: number;
  last: CommitRow | undefined;
  startedAt: number | undefined;
  readonly projections: Map<string, LastChange>;
  readonly blobs: Map<number, string>;
  readonly commands: Set<string>;
}

/** Recomputes every commit of a run from the first on, then looks at what the chain says is there. */
export async function auditChain(session: SqlSession, row: RunRow, report: AuditReport): Promise<void> {
  const run = row.name as RunId;
  const pass: Pass = {
    run,
    previous: genesis(run),
    seq: 0,
    last: undefined,
    startedAt: undefined,
    projections: new Map(),
    blobs: new Map(),
    commands: new Set(),
  };
  const unreadable = (what: string) => (code: string) =>
    report({ kind: 'commit', run, firstSeq: pass.seq + 1, message: `${what} cannot be read (${code})` });
  for await (const cells of readCommitRows(session, row, unreadable)) {
    const at = { run, firstSeq: pass.seq + 1, position: Number(cells[0]) };
    await attempt(
      () => auditCommit(session, pass, cells, report),
      (code) => report({ ...at, kind: 'commit', message: `the row is not as it was written (${code})` }),
    );
  }
  auditHead(row, pass, report);
  await attempt(
    () => auditBlobs(session, { run, id: row.id, blobs: pass.blobs, commands: pass.commands }, report),
    (code) => report({ kind: 'blob', run, message: `its blobs cannot all be read (${code})` }),
  );
  await attempt(
    () => auditProjections(session, { run, id: row.id, changes: pass.projections }, report),
    (code) => report({ kind: 'projection', run, message: `its states cannot all be read (${code})` }),
  );
}

/** The rows of a run in order. Where a page cannot be read, its rows are read one by one, past the damaged ones. */
async function* readCommitRows(
  session: SqlSession,
  row: RunRow,
  unreadable: (what: string) => (code: string) => void,
): AsyncIterable<SqlRow> {
  let cursor: readonly [number, number] = [-1, -1];
  for (;;) {
    const asked = cursor;
    const page = await attempt(
      () => session.rows(SELECT_PAGE, [row.id, ...asked, PAGE]),
      unreadable('a part of its commits'),
    );
    if (page === undefined) break;
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    cursor = [Number(last[2]), Number(last[0])];
  }
  const end = Math.min(row.position, cursor[1] + MAX_SINGLE);
  for (let position = cursor[1] + 1; position <= end; position += 1) {
    const rows = await attempt(
      () => session.rows(SELECT_ONE, [position, row.id]),
      unreadable(`the commit at position ${position}`),
    );
    yield* rows ?? [];
  }
}

const PAGE = 64;
/** Rows that are looked at one by one, at most. */
const MAX_SINGLE = 100_000;
const SELECT_PAGE = `SELECT ${COMMIT_COLUMNS} FROM cuebook_commits WHERE run = ? AND (seq, position) > (?, ?)
  ORDER BY seq, position LIMIT ?`;
const SELECT_ONE = `SELECT ${COMMIT_COLUMNS} FROM cuebook_commits WHERE position = ? AND run = ?`;

async function auditCommit(
  session: SqlSession,
  pass: Pass,
  cells: SqlRow,
  report: AuditReport,
): Promise<void> {
  const row = toCommitRow(cells);
  const body = decodeBody(row.body);
  const at = placeOf(pass, row, body);
  if (guard('audit.row', !isWhole('commits', cells))) {
    report({ ...at, kind: 'commit', message: 'the row is not as it was written' });
  }
  if (body === undefined) {
    report({ ...at, kind: 'commit', message: 'its content cannot be unpacked' });
  } else {
    const names = await blobNames(session, body.blobs);
    const text = chainText({ run: pass.run, row, body, previous: pass.previous }, names);
    const { head } = chainCommit(pass.previous, text);
    if (text.firstSeq > pass.seq + 1) {
      const gap = { run: pass.run, firstSeq: pass.seq + 1, lastSeq: text.firstSeq - 1 };
      report({ ...gap, kind: 'commit', message: 'commits are not there' });
    } else if (guard('audit.chain', !head.equals(row.hash) || text.firstSeq !== pass.seq + 1)) {
      report({ ...at, kind: 'commit', message: 'it does not fit its hash, or the commit before it' });
    }
    if (guard('audit.command', await isLost(session, pass, row, body))) {
      report({ ...at, kind: 'command', message: 'the command is not found under its id, or twice' });
    }
    remember(pass, row, body, names);
  }
  // After a broken one the next is judged by what is stored, so that one damage is one problem.
  pass.previous = row.hash;
  pass.seq = row.seq;
  pass.last = row;
  pass.startedAt ??= row.at;
}

function placeOf(pass: Pass, row: CommitRow, body: Body | undefined): Omit<AuditProblem, 'kind' | 'message'> {
  const place = { run: pass.run, lastSeq: row.seq, position: row.position };
  if (body === undefined) return { ...place, firstSeq: pass.seq + 1 };
  const turn = turnIn(body);
  const firstSeq = row.seq - body.events.length + 1;
  return { ...place, firstSeq, command: body.command, ...(turn === undefined ? {} : { turn }) };
}

/** The turn that a commit has a receipt of, as far as its content still says so. */
function turnIn({ events }: Body): string | undefined {
  for (const { type, data } of events) {
    try {
      const turn = turnOf({ type, data: JSON.parse(data) });
      if (turn !== undefined) return turn;
    } catch {
      return undefined; // Not JSON: nothing says which turn it was.
    }
  }
  return undefined;
}

/** Whether asking for the command, as an append does, would not find this commit. */
async function isLost(session: SqlSession, pass: Pass, row: CommitRow, body: Body): Promise<boolean> {
  const key = commandKey(pass.run, body.command);
  const sql = 'SELECT position FROM cuebook_commits WHERE command_key = ? AND run = ?';
  const found = await session.rows(sql, [key, row.run]);
  const isFound = row.commandKey === key && found.some(([position]) => Number(position) === row.position);
  return !isFound || pass.commands.has(body.command);
}

function remember(pass: Pass, row: CommitRow, body: Body, names: readonly string[]): void {
  pass.commands.add(body.command);
  for (const { name, key, hash } of body.projections) {
    pass.projections.set(JSON.stringify([name, key]), { name, key, hash, position: row.position });
  }
  body.blobs.forEach((id, index) => {
    pass.blobs.set(id, names[index] ?? '');
  });
}

function auditHead(row: RunRow, { run, last, startedAt }: Pass, report: AuditReport): void {
  const isRight =
    last !== undefined &&
    last.seq === row.seq &&
    last.position === row.position &&
    last.at === row.lastAt &&
    startedAt === row.startedAt &&
    last.hash.equals(row.hash);
  if (guard('audit.head', !isRight)) {
    const firstSeq = Math.min(row.seq, (last?.seq ?? 0) + 1);
    const message = 'the chain does not end where the run says';
    report({ kind: 'run', run, firstSeq, lastSeq: row.seq, message });
  }
}
