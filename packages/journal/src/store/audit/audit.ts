import { guard } from '@cuebook/guard';
import type { AuditProblem, RunId } from '../../contract.js';
import { JournalFailure } from '../../error.js';
import type { SqlDriver, SqlSession } from '../port/driver.js';
import { isWhole, RUN_COLUMNS, toRunRow } from '../row/rows.js';
import { attempt } from './attempt.js';
import { auditChain } from './audit-chain.js';
import { auditStoredBlobs, auditStrays } from './audit-strays.js';
import type { AuditReport } from './report.js';
import { readRunNames } from './run-names.js';

/** A damaged store is not worth more lines than this. */
const MAX_PROBLEMS = 1000;

/** Looks at each run as it is at one moment, while writers go on. No damage of one keeps it from the others. */
export async function* audit(open: SqlDriver, run?: RunId): AsyncIterable<AuditProblem> {
  const driver = tellingLoss(open);
  const problems: AuditProblem[] = [];
  const report = (problem: AuditProblem): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const look = (use: (session: SqlSession) => Promise<void>, place: Partial<AuditProblem> = {}) =>
    attempt(
      () => driver.snapshot(use),
      (code) => report({ kind: 'file', ...place, message: `a part of it cannot be read (${code})` }),
    );
  if (run !== undefined) await look((session) => auditRun(session, run, report), { run });
  else await auditAll(driver, look, report);
  yield* problems;
}

/** A connection that is lost is no damage, whatever its database calls that. */
function tellingLoss(driver: SqlDriver): SqlDriver {
  const orLost = async <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((thrown: unknown) => {
      const error = driver.explain(thrown);
      const isLost = error.code === 'E_JOURNAL_UNAVAILABLE' && error.reason === 'connection';
      throw isLost ? new JournalFailure(error) : thrown;
    });
  const rowsOf =
    (session: SqlSession): SqlSession['rows'] =>
    (sql, values) =>
      orLost(session.rows(sql, values));
  return {
    ...driver,
    rows: rowsOf(driver),
    snapshot: (use) => orLost(driver.snapshot((session) => use({ rows: rowsOf(session) }))),
  };
}

type Look = (use: (session: SqlSession) => Promise<void>, place?: Partial<AuditProblem>) => Promise<void>;

async function auditAll(driver: SqlDriver, look: Look, report: AuditReport): Promise<void> {
  await attempt(
    async () => {
      for (const message of await driver.problems()) report({ kind: 'file', message });
    },
    (code) => report({ kind: 'file', message: `the database cannot check itself (${code})` }),
  );
  for (const each of await readRunNames(driver, (message) => report({ kind: 'run', message }))) {
    await look((session) => auditRun(session, each, report), { run: each });
  }
  await look((session) => auditStoredBlobs(session, report), { kind: 'blob' });
  await look((session) => auditStrays(session, report));
}

async function auditRun(session: SqlSession, run: RunId, report: AuditReport): Promise<void> {
  const [cells] = await session.rows(`SELECT ${RUN_COLUMNS} FROM cuebook_runs WHERE name = ?`, [run]);
  if (cells === undefined) return report({ kind: 'run', run, message: 'there is no run of this name' });
  if (guard('audit.row', !isWhole('runs', cells))) {
    report({ kind: 'run', run, message: "the run's own row is not as it was written" });
  }
  const row = toRunRow(cells);
  if (row.removedAt === null) await auditChain(session, row, report);
}
