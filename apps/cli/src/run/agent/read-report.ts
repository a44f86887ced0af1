import { type RunReport, readReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type Threads, threadRecord } from '@cuebook/thread';
import type { Journal } from '../../record/journal.js';

/** How a thread of this process stands. */
export async function readThread({ engine }: Threads, journal: Journal, run: RunId): Promise<RunReport> {
  const { state, seq } = await engine.read(run);
  return readReport(threadRecord, journal, { run, state, seq });
}
