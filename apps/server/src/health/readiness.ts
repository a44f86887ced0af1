import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Host } from '@cuebook/host';
import { describeJournalError, type Store } from '@cuebook/journal';
import { createHealth, type HealthCause, type HealthStore } from './health.js';

/** Whether a process can do its work, and why not. */
export interface Readiness {
  /** Why it cannot do its work now; undefined: it can. */
  findCause(): Promise<HealthCause | undefined>;
  /** What is wrong with the project as a whole, though this process does its part; undefined: nothing. */
  findTrouble(): Promise<HealthCause | undefined>;
  /** It takes no more work: not ready from now on. */
  drain(): void;
  readonly isDraining: () => boolean;
}

export interface ReadinessParts {
  readonly store: HealthStore & Pick<Store, 'layout' | 'schemaVersion'>;
  readonly runs: Pick<Host, 'share'>;
  /** CUEBOOK_HOME as the machines of the project share it. */
  readonly home: Pick<Files, 'readText'>;
  /** A run that is due for so long while a slot is free shows that work is not taken. */
  readonly stallMs?: number;
  readonly patienceMs?: number;
}

export function createReadiness(parts: ReadinessParts): Readiness {
  const { store, runs, home, stallMs = STALL_MS, patienceMs } = parts;
  let draining = false;
  const look = async (): Promise<HealthCause | undefined> =>
    (await findLayoutCause(store)) ?? (await findVaultCause(home)) ?? (await findStall(runs, stallMs, 'own'));
  const health = createHealth(store, { look, ...(patienceMs === undefined ? {} : { patienceMs }) });
  return {
    findCause: async () => (guard('ready.draining', draining) ? DRAINING : await health.findCause()),
    findTrouble: () => findStall(runs, stallMs, 'all').catch(() => undefined),
    drain: () => {
      draining = true;
    },
    isDraining: () => draining,
  };
}

/** Another version of the program may have changed the tables, or an old copy of them was put back. */
async function findLayoutCause({
  layout,
  schemaVersion: known,
}: ReadinessParts['store']): Promise<HealthCause | undefined> {
  const found = await layout();
  if (!guard('ready.layout', found !== known)) return undefined;
  if (found > known) return causeOf({ code: 'E_JOURNAL_SCHEMA_NEWER', found, known });
  return {
    code: 'E_SERVER_LAYOUT',
    message: `The tables have layout ${found}; this process needs ${known}.`,
  };
}

/** What the machines share must open with the key that this process has. */
async function findVaultCause(home: ReadinessParts['home']): Promise<HealthCause | undefined> {
  const key = await home.readText('keys/vault.key', { limit: 10_000 });
  if (key.ok || !guard('ready.vault', key.error.code !== 'E_FILE_NOT_FOUND')) return undefined;
  return causeOf({ code: 'E_JOURNAL_VAULT', reason: key.error.code });
}

/** `own`: what this process could take and does not. `all`: what nobody takes. */
async function findStall(
  runs: ReadinessParts['runs'],
  stallMs: number,
  whose: 'own' | 'all',
): Promise<HealthCause | undefined> {
  const share = runs.share();
  if (share === undefined) return undefined;
  const { slots, kinds, labels } = share;
  if (whose === 'own' && share.runs.length >= slots) return undefined;
  const queued = (await share.queued()).filter(
    ({ kind, label }) =>
      whose === 'all' || (kinds.includes(kind) && (label === undefined || labels.includes(label))),
  );
  const late = queued.filter(({ oldestMs }) => oldestMs > stallMs);
  if (!guard('ready.stalled', late.length > 0)) return undefined;
  const count = late.reduce((sum, each) => sum + each.count, 0);
  const seconds = Math.round(Math.max(...late.map(({ oldestMs }) => oldestMs)) / 1_000);
  const message = `${count} ${count === 1 ? 'run waits' : 'runs wait'} for a worker, for up to ${seconds} s, and nobody takes them.`;
  return { code: 'E_WORK_STALLED', message };
}

const causeOf = (error: Parameters<typeof describeJournalError>[0]): HealthCause => ({
  code: error.code,
  message: describeJournalError(error),
});

/** The process was told to end: others do the work. */
export const DRAINING: HealthCause = {
  code: 'E_SERVER_DRAINING',
  message: 'This process was told to end. It takes no more work; ask another server of the project.',
};

const STALL_MS = 30_000;
