import { readTurnOutcome, type TurnOutcome } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import { TAKES_PROJECTION } from './machine.js';

/** A take as the record has it. */
export interface RecordedTake {
  /** `RUN@TURN`. */
  readonly turn: string;
  readonly lane: string;
  readonly outcome: TurnOutcome;
}

/** The takes of a run that have an outcome, by lane, as its log tells them. */
export async function readTakes(
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<ReadonlyMap<string, RecordedTake>> {
  const lanes = new Map<string, string>();
  const tries = new Map<string, number>();
  const takes = new Map<string, RecordedTake>();
  let after = 0;
  for (;;) {
    const events = await store.read(run, { after, limit: PAGE });
    for (const { type, data, seq } of events) {
      after = seq;
      const { id = '', lane, attempt, outcome } = data as unknown as EffectData;
      if (type === 'effect.intended' && lane !== undefined) lanes.set(id, lane);
      if (type === 'effect.begun') tries.set(id, attempt ?? 1);
      const known = lanes.get(id);
      if (type !== 'effect.settled' || known === undefined || outcome === undefined) continue;
      const attempts = tries.get(id) ?? 1;
      takes.set(known, {
        turn: `${run}@${attempts === 1 ? id : `${id}.${attempts}`}`,
        lane: known,
        outcome: readTurnOutcome(outcome),
      });
    }
    if (events.length < PAGE) return takes;
  }
}

const PAGE = 1000;

interface EffectData {
  readonly id?: string;
  readonly lane?: string;
  readonly attempt?: number;
  readonly outcome?: Parameters<typeof readTurnOutcome>[0];
}

/** Where a take of this key is on record, in whichever run. */
export async function findTake(
  store: Pick<Store, 'projection'>,
  key: string,
): Promise<{ readonly run: RunId; readonly lane: string } | undefined> {
  return (await store.projection(TAKES_PROJECTION, key)) as
    | { readonly run: RunId; readonly lane: string }
    | undefined;
}
