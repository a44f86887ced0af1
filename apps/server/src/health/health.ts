import { setTimeout as wait } from 'node:timers/promises';
import { guard } from '@cuebook/guard';
import { describeJournalError, type JournalError, JournalFailure, type Store } from '@cuebook/journal';

/** Why a server cannot do its work now. */
export interface HealthCause {
  readonly code: string;
  readonly message: string;
}

/** Whether what the server stands on answers. */
export interface Health {
  /** Asks the records now; undefined: they answer. One question at a time, whoever asks. */
  findCause(): Promise<HealthCause | undefined>;
}

export interface HealthOptions {
  /** A further look, where the records answer. */
  readonly look?: () => Promise<HealthCause | undefined>;
  /** Records that say nothing for so long are away. */
  readonly patienceMs?: number;
}

/** The records, as far as they are asked how they are. */
export type HealthStore = Pick<Store, 'findLease' | 'renewLease'>;

export function createHealth(
  store: HealthStore,
  { patienceMs = PATIENCE_MS, look = async () => undefined }: HealthOptions = {},
): Health {
  let asking: Promise<HealthCause | undefined> | undefined;
  const ask = () => {
    // A question that was never answered stays the only one: those who ask again hold no more connections.
    asking ??= askStore(store, look).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    async findCause() {
      const late = new AbortController();
      const silence = wait(patienceMs, SILENT, { signal: late.signal, ref: false }).catch(() => SILENT);
      try {
        return await Promise.race([ask(), silence]);
      } finally {
        late.abort();
      }
    },
  };
}

const PATIENCE_MS = 2_000;

async function askStore(
  store: HealthStore,
  look: () => Promise<HealthCause | undefined>,
): Promise<HealthCause | undefined> {
  try {
    await store.findLease(SCOPE);
    await askToWrite(store);
    return await look();
  } catch (thrown) {
    return causeOf(thrown instanceof JournalFailure ? thrown.error : FAILED);
  }
}

/** Records that are read and take no writes, as a standby or a database that was set so, are away for a server's work. */
async function askToWrite(store: HealthStore): Promise<void> {
  try {
    // There is no such lease: nothing is written, and who takes no writes refuses all the same.
    await store.renewLease({ scope: SCOPE, token: -1, owner: SCOPE, expiresAt: 0 }, 1);
  } catch (thrown) {
    if (guard('health.writes', !isBusy(thrown))) throw thrown;
  }
}

/** Somebody else writes just now: a server waits its turn. */
const isBusy = (thrown: unknown): boolean =>
  thrown instanceof JournalFailure && 'reason' in thrown.error && thrown.error.reason === 'busy';

const SCOPE = 'health';

const causeOf = (error: JournalError): HealthCause => ({
  code: error.code,
  message: describeJournalError(error),
});

const FAILED = { code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed' } as const;
const SILENT = causeOf({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'connection' });
