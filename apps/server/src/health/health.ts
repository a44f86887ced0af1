import { setTimeout as wait } from 'node:timers/promises';
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

export function createHealth(
  store: Pick<Store, 'findLease'>,
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
  store: Pick<Store, 'findLease'>,
  look: () => Promise<HealthCause | undefined>,
): Promise<HealthCause | undefined> {
  try {
    await store.findLease('health');
    return await look();
  } catch (thrown) {
    return causeOf(thrown instanceof JournalFailure ? thrown.error : FAILED);
  }
}

const causeOf = (error: JournalError): HealthCause => ({
  code: error.code,
  message: describeJournalError(error),
});

const FAILED = { code: 'E_JOURNAL_UNAVAILABLE', reason: 'failed' } as const;
const SILENT = causeOf({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'connection' });
