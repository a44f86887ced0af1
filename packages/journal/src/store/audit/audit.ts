import type { AuditProblem, RunId } from '../../contract.js';
import { guard } from '../../guard.js';
import type { Driver, Session } from '../port/driver.js';
import { isWhole, RUN_COLUMNS, toRunRow } from '../row/rows.js';
import { auditChain } from './audit-chain.js';
import { auditStoredBlobs, auditStrays } from './audit-strays.js';
import type { Report } from './report.js';

/** A damaged store is not worth more lines than this. */
const MAX_PROBLEMS = 1000;

/** Looks at one moment of the store, while writers go on. */
export async function* audit(driver: Driver, run?: RunId): AsyncIterable<AuditProblem> {
  const problems: AuditProblem[] = [];
  const report = (problem: AuditProblem): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  try {
    if (run === undefined) for (const message of await driver.problems()) report({ kind: 'file', message });
    await driver.snapshot((session) =>
      run === undefined ? auditAll(session, report) : auditRun(session, run, report),
    );
  } catch (thrown) {
    // What the database itself cannot read any more.
    const error = driver.explain(thrown);
    if (error.code !== 'E_JOURNAL_CORRUPT') throw thrown;
    report({ kind: 'file', ...(run === undefined ? {} : { run }), message: `${error.what} cannot be read` });
  }
  yield* problems;
}

async function auditAll(session: Session, report: Report): Promise<void> {
  const names = await session.rows('SELECT name FROM cuebook_runs ORDER BY id');
  for (const [name] of names) await auditRun(session, String(name) as RunId, report);
  await auditStoredBlobs(session, report);
  await auditStrays(session, report);
}

async function auditRun(session: Session, run: RunId, report: Report): Promise<void> {
  const [cells] = await session.rows(`SELECT ${RUN_COLUMNS} FROM cuebook_runs WHERE name = ?`, [run]);
  if (cells === undefined) return report({ kind: 'run', run, message: 'there is no run of this name' });
  if (guard('audit.row', !isWhole(cells))) {
    report({ kind: 'run', run, message: "the run's own row is not as it was written" });
  }
  const row = toRunRow(cells);
  if (row.removedAt === null) await auditChain(session, row, report);
}
