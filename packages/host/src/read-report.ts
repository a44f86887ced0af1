import { type ApprovalRow, readApprovals } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { RunId, Store, StoredEvent } from '@cuebook/journal';
import type { PerRunKind } from './per-run-kind.js';
import type { RunReport } from './report.js';
import { isCallable } from './run-call.js';
import { approvalWait, standingWaits } from './standing-waits.js';
import { byAge, NO_ANSWER } from './wait.js';

/** The report of a run whose state is known. `rows`: all approvals that wait, where they were read before. */
export async function readReport<State>(
  record: Pick<PerRunKind<State>, 'name' | 'machine' | 'view' | 'pause' | 'afterFailure' | 'callOf'>,
  { store, home }: { readonly store: Pick<Store, 'read' | 'projections'>; readonly home: Files },
  { run, state, seq }: { readonly run: RunId; readonly state: State; readonly seq: number },
  rows?: readonly ApprovalRow[],
): Promise<RunReport> {
  const view = record.view(state);
  const report = { run, kind: record.name, seq, ...view };
  const standing = record.machine.stand?.(state);
  if (standing === undefined) return { ...report, waits: [] };
  const since = (await lastEvent(store, run, seq))?.at ?? 0;
  const facts = record.pause(state);
  const asked = (rows ?? (await readApprovals(store))).filter((row) => row.run === run);
  const others = standingWaits(standing, {
    ...{ run, since, evidence: facts?.evidence, unit: facts?.unit ?? 'turns' },
    ...{ afterFailure: record.afterFailure, failure: view.error?.message },
  });
  const waits = [...asked.map((row) => approvalWait(row, standing)), ...others].sort(byAge);
  const isOurs = waits.length === 0 || (await isCallable(record, { store, home }, run));
  return { ...report, waits: isOurs ? waits : waits.map((wait) => ({ ...wait, ...NO_ANSWER })) };
}

export async function lastEvent(
  store: Pick<Store, 'read'>,
  run: RunId,
  seq: number,
): Promise<StoredEvent | undefined> {
  const [last] = await store.read(run, { after: Math.max(0, seq - 1), limit: 1 });
  return last;
}
