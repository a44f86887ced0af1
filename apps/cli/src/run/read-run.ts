import { createEngine } from '@cuebook/engine';
import { type PerRunKind, type RunReport, readReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { Journal } from '../record/journal.js';

/** How a run stands, from the record. */
export async function readRun<State>(
  record: PerRunKind<State>,
  journal: Journal,
  run: RunId,
): Promise<RunReport & { readonly state: State }> {
  const { state, seq } = await createEngine({
    store: journal.store,
    machine: record.machine,
    drivers: {},
  }).read(run);
  return { ...(await readReport(record, journal, { run, state, seq })), state };
}
