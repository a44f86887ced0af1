import { guard } from '@cuebook/guard';
import type { TimerJob, WorkHost } from './queue.js';

/**
 * How long to wait for a timer, in milliseconds; 0: its time has come. A clock that stands before the moment at which
 * the timer was set was set back since: the timer then waits for as long as it was set for, and no longer.
 */
export async function waitOf({ store, clock }: WorkHost, job: TimerJob): Promise<number> {
  const wait = job.at - clock.now();
  if (wait <= 0) return 0;
  const [set] = await store.read(job.run, { after: job.seq - 1, limit: 1 });
  const length = set?.seq === job.seq ? job.at - set.at : Number.NaN;
  return guard('timer.length', length >= 0 && wait > length) ? length : wait;
}
