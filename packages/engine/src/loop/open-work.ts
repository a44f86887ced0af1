import type { ProjectionChange, RunId } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { EngineStore } from './engine-store.js';
import { firstOfEachLane, type Ledger } from './ledger.js';

/** The read model of what is open, by run: it is written with the events, so that no open work is ever out of sight. */
export const OPEN_WORK = 'engine.open';
/** The read model of states, by run, for machines whose state is JSON. */
export const STATES = 'engine.state';

/** What one run has open, as far as somebody needs to know who looks for work. */
export interface OpenWork {
  readonly run: RunId;
  /** The next effect of each lane. */
  readonly lanes: readonly OpenLane[];
  readonly timers: readonly { readonly id: string; readonly at: number; readonly seq: number }[];
}

export interface OpenLane {
  readonly lane: string;
  readonly effect: string;
  /** It waits for a person. */
  readonly asked: boolean;
}

/** The change of the read model that goes with a ledger; `undefined` where nothing was open and nothing is. */
export function openWorkChange(
  run: RunId,
  kind: string,
  before: Ledger,
  after: Ledger,
): ProjectionChange | undefined {
  if (before === after || (isEmpty(before) && isEmpty(after))) return undefined;
  return { name: OPEN_WORK, key: run, value: isEmpty(after) ? null : openWorkValue(kind, after) };
}

export function openWorkValue(kind: string, ledger: Ledger): JsonValue {
  return {
    kind,
    lanes: firstOfEachLane(ledger).map(({ intent, asked }) => ({
      lane: intent.lane,
      effect: intent.id,
      asked,
    })),
    timers: [...ledger.timers.values()].map(({ id, at, seq }) => ({ id, at, seq })),
  };
}

/** Everything that is open in the runs of one kind, or in one of them. */
export async function findOpenWork(
  store: EngineStore,
  kind: string,
  run?: RunId,
): Promise<readonly OpenWork[]> {
  const found =
    run === undefined
      ? [...(await store.projections(OPEN_WORK))]
      : [[run, await store.projection(OPEN_WORK, run)] as const].filter(([, value]) => value !== undefined);
  const entries = found as unknown as [RunId, OpenWork & { kind: string }][];
  return entries
    .filter(([, work]) => work.kind === kind)
    .map(([run, { lanes, timers }]) => ({ run, lanes, timers }));
}

/** Whether nothing is open. */
export const isEmpty = (ledger: Ledger): boolean => ledger.effects.size === 0 && ledger.timers.size === 0;
