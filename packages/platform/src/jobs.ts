import { ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';

/** What a server does by itself for a platform, when it is told to: each of them asks a model, and so costs something. */
export const JOBS = ['event', 'groups'] as const;
export type JobName = (typeof JOBS)[number];

/** A job, and whether it is done without being asked. */
export interface ScheduledJob {
  readonly job: JobName;
  readonly on: boolean;
  /** Who said so last. */
  readonly by?: string;
  /** Who is asked; left out: the provider of the project. */
  readonly provider?: string;
  readonly model?: string;
}

const subjectOf = (job: JobName): LedgerSubject => ({ name: 'platform.job', key: job });

/** Every job. None is on before somebody says so. */
export const listJobs = ({ store }: Pick<PlatformParts, 'store'>): Promise<readonly ScheduledJob[]> =>
  Promise.all(
    JOBS.map(async (job) => (await stateOf<ScheduledJob>(store, subjectOf(job))) ?? { job, on: false }),
  );

/** Turns a job on or off. */
export const setJob = (
  { store }: Pick<PlatformParts, 'store'>,
  next: ScheduledJob & { readonly by: string },
): Promise<Result<ScheduledJob, RecordError>> =>
  change<ScheduledJob, ScheduledJob, never>(
    store,
    subjectOf(next.job),
    (before = { job: next.job, on: false }) => {
      const isSame = (['on', 'provider', 'model'] as const).every((key) => before[key] === next[key]);
      if (isSame) return ok({ events: [], answer: before });
      return ok({ events: [{ type: 'job.set', data: next as never }], state: next, answer: next });
    },
  );
