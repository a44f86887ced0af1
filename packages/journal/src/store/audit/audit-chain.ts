import type { AuditProblem, RunId } from '../../contract.js';
import { guard } from '../../guard.js';
import type { Row, Session } from '../port/driver.js';
import { blobNames, chainText, SELECT_ROWS } from '../read.js';
import { type Body, decodeBody } from '../row/body.js';
import { chainCommit, commandKey, genesis } from '../row/chain.js';
import { type CommitRow, isWhole, type RunRow, toCommitRow } from '../row/rows.js';
import { auditBlobs } from './audit-blobs.js';
import { auditProjections, type LastChange } from './audit-projections.js';
import type { Report } from './report.js';

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
export async function auditChain(session: Session, row: RunRow, report: Report): Promise<void> {
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
  let cursor: readonly [number, number] = [-1, -1];
  for (;;) {
    const page = await session.rows(SELECT_PAGE, [row.id, ...cursor, PAGE]);
    for (const cells of page) await auditCommit(session, pass, cells, report);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    cursor = [Number(last[2]), Number(last[0])];
  }
  auditHead(row, pass, report);
  await auditBlobs(session, { run, id: row.id, blobs: pass.blobs, commands: pass.commands }, report);
  await auditProjections(session, { run, id: row.id, changes: pass.projections }, report);
}

const PAGE = 64;
const SELECT_PAGE = `${SELECT_ROWS} WHERE c.run = ? AND (c.seq, c.position) > (?, ?)
  ORDER BY c.seq, c.position LIMIT ?`;

async function auditCommit(session: Session, pass: Pass, cells: Row, report: Report): Promise<void> {
  const row = toCommitRow(cells);
  const body = decodeBody(row.body);
  const at = placeOf(pass, row, body);
  if (guard('audit.row', !isWhole(cells.slice(0, 8)))) {
    report({ ...at, kind: 'commit', message: 'the row is not as it was written' });
  }
  if (body === undefined) {
    report({ ...at, kind: 'commit', message: 'its content cannot be unpacked' });
  } else {
    const names = await blobNames(session, body.blobs);
    const text = chainText({ run: pass.run, row, body, previous: pass.previous }, names);
    const { head } = chainCommit(pass.previous, text);
    const isBroken = !head.equals(row.hash) || text.firstSeq !== pass.seq + 1;
    if (guard('audit.chain', isBroken)) {
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
  return { ...place, firstSeq: row.seq - body.events.length + 1, command: body.command };
}

/** Whether asking for the command, as an append does, would not find this commit. */
async function isLost(session: Session, pass: Pass, row: CommitRow, body: Body): Promise<boolean> {
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

function auditHead(row: RunRow, { run, last, startedAt }: Pass, report: Report): void {
  const isRight =
    last !== undefined &&
    last.seq === row.seq &&
    last.position === row.position &&
    last.at === row.lastAt &&
    startedAt === row.startedAt &&
    last.hash.equals(row.hash);
  if (guard('audit.head', !isRight)) {
    report({ kind: 'run', run, lastSeq: row.seq, message: 'the chain does not end where the run says' });
  }
}
