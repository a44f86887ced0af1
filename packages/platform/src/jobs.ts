import { ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';

/** What a server does by itself for a platform, when it is told to: each of them asks a model, and so costs something. */
export const JOBS = ['event', 'groups'] as const;
export type JobName = (typeof JOBS)[number];

/** A job, and whether it is done without being asked. */
export interface Job {
  readonly job: JobName;
  readonly on: boolean;
  /** Who said so last. */
  readonly by?: string;
}

const subjectOf = (job: JobName): LedgerSubject => ({ name: 'platform.job', key: job });

/** Every job. None is on before somebody says so. */
export const listJobs = ({ store }: Pick<PlatformParts, 'store'>): Promise<readonly Job[]> =>
  Promise.all(JOBS.map(async (job) => (await stateOf<Job>(store, subjectOf(job))) ?? { job, on: false }));

/** Turns a job on or off. */
export const setJob = (
  { store }: Pick<PlatformParts, 'store'>,
  { job, on, by }: Required<Job>,
): Promise<Result<Job, RecordError>> =>
  change<Job, Job, never>(store, subjectOf(job), (before) => {
    const next: Job = { job, on, by };
    if (before?.on === on || (before === undefined && !on)) return ok({ events: [], answer: before ?? next });
    return ok({ events: [{ type: 'job.set', data: { job, on, by } }], state: next, answer: next });
  });
