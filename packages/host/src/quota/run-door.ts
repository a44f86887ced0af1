import { randomUUID } from 'node:crypto';
import { type RegisterStore, type RollingStore, type RunId, type Store, timeOf } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError, Saying, StartCall } from '../contract.js';
import type { Amounts } from '../word.js';
import { createQuotaGate, type Tell } from './gate.js';
import { openPayers } from './payer.js';
import { openQuotas } from './quotas.js';

/** The limits of a project for a process that works on one run by itself. */
export interface RunDoor {
  /** Begins the run with what is left of its budget. */
  begin(budget: StartCall['budget'], start: (budget: StartCall['budget']) => Doing): Doing<HostError>;
  /** Does what may have the run go on. */
  spend(work: () => Doing): Doing<HostError>;
  raise(to: Amounts): Doing<HostError>;
  /** Counts what runs that are at rest have spent; of a life, each day that is over. */
  settle(): Promise<void>;
}

/** What the process does to its run: each is answered with a value, or with why not. */
type Doing<Failed = { readonly code: string; readonly message: string }> = Promise<Result<JsonValue, Failed>>;

export interface RunDoorPlace {
  readonly store: RegisterStore & RollingStore & Pick<Store, 'projection' | 'projections'>;
  readonly run: RunId;
  /** Whose limits count. */
  readonly by: string;
  /** Whether a run has its budget anew each day. */
  readonly isDaily: (run: RunId) => Promise<boolean>;
  /** The run is always the same one: to begin it again makes it go on. */
  readonly isStanding?: boolean;
  readonly raise: (to: Amounts, said: Saying) => Doing;
  readonly stop: (said: Saying) => Doing;
}

export function openRunDoor(place: RunDoorPlace): RunDoor {
  const { store, run, by, isDaily, isStanding = false, raise, stop } = place;
  const gate = createQuotaGate({
    ...{ store, quotas: openQuotas(store), payer: openPayers(store), now: timeOf(store) },
    active: async () => new Set(),
    isDaily,
    stop: async (other) => (other === run ? stop(said()) : undefined),
  });
  const asHost = async (doing: Doing): Doing<HostError> => {
    const done = await doing;
    return done.ok ? done : fail({ kind: 'conflict', ...done.error });
  };
  const tell: Tell = (word, said) => {
    if (word.type === 'raise') return asHost(raise(word.to, said));
    return word.type === 'stop' ? asHost(stop(said)) : Promise.resolve(ok(null));
  };
  const said = (): Saying => ({ id: `word ${randomUUID()}`, by });
  return {
    async begin(budget, start) {
      let answer: JsonValue = null;
      const call: StartCall = { id: run, by, target: run, ...(budget && { budget }) };
      const begun = await gate.begin(run, call, {
        async begin(allowed) {
          const done = await asHost(start(allowed.budget));
          if (!done.ok) return done;
          answer = done.value;
          return ok({ run, diagnostics: [] });
        },
        tell,
        isStanding,
      });
      return begun.ok ? ok(answer) : begun;
    },
    spend: (work) => gate.spend(run, said(), { tell, work: () => asHost(work()) }),
    settle: () => gate.settle(),
    raise: (to) => gate.tell(run, { type: 'raise', to }, said(), tell),
  };
}
