import { readTurnOutcome, type TurnOutcome } from '@cuebook/engine';
import type { RunId, Store, StoredEvent } from '@cuebook/journal';
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
  for await (const { type, data } of eventsOf(store, run)) {
    const { id = '', lane, attempt, outcome, effect } = data as unknown as EffectData;
    if (type === 'effect.intended' && lane !== undefined) lanes.set(id, lane);
    if (type === 'effect.begun') tries.set(id, attempt ?? 1);
    const dropped = type === 'eval.dropped' ? lanes.get(String(effect)) : undefined;
    // It was stopped before its answer, and is asked for again.
    if (dropped !== undefined) takes.delete(dropped);
    const known = lanes.get(id);
    if (type !== 'effect.settled' || known === undefined || outcome === undefined) continue;
    const attempts = tries.get(id) ?? 1;
    takes.set(known, {
      turn: `${run}@${attempts === 1 ? id : `${id}.${attempts}`}`,
      lane: known,
      outcome: readTurnOutcome(outcome),
    });
  }
  return takes;
}

/** The sessions of all takes that have ended, also of those that were stopped before their answer. */
export async function readSessions(store: Pick<Store, 'read'>, run: RunId): Promise<readonly string[]> {
  const sessions: string[] = [];
  for await (const { type, data } of eventsOf(store, run)) {
    const { outcome } = data as unknown as EffectData;
    if (type !== 'effect.settled' || outcome === undefined) continue;
    const { sessionId } = readTurnOutcome(outcome);
    if (sessionId !== undefined) sessions.push(sessionId);
  }
  return sessions;
}

async function* eventsOf(store: Pick<Store, 'read'>, run: RunId): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    const events = await store.read(run, { after, limit: PAGE });
    yield* events;
    after = events.at(-1)?.seq ?? after;
    if (events.length < PAGE) return;
  }
}

const PAGE = 1000;

interface EffectData {
  readonly id?: string;
  /** Of an event of the run about one of its effects. */
  readonly effect?: string;
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
