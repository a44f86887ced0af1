import type { EffectIntent, EngineEvent, EventShape } from '../machine.js';

/** What is open in a run: effects without an outcome and timers that have not fired. It follows from the log alone. */
export interface Ledger {
  readonly effects: ReadonlyMap<string, OpenEffect>;
  readonly timers: ReadonlyMap<string, OpenTimer>;
}

export interface OpenEffect {
  readonly intent: EffectIntent;
  /** The seq of the intent: an id that is used again later is another effect. */
  readonly seq: number;
  /** How often somebody set about it. */
  readonly attempts: number;
  /** Somebody set about it and nobody has said yet what became of it. */
  readonly begun: boolean;
  /** A person was asked what became of it, and the lane waits for the answer. */
  readonly asked: boolean;
}

export interface OpenTimer {
  readonly id: string;
  readonly at: number;
  /** The seq of its `timer.set`: a timer that is set again is another one. */
  readonly seq: number;
}

export const EMPTY_LEDGER: Ledger = { effects: new Map(), timers: new Map() };

/** Folds events into a ledger. The first event has the seq `firstSeq`. */
export function foldLedger(ledger: Ledger, events: readonly EventShape[], firstSeq: number): Ledger {
  if (!events.some(({ type }) => isEngineEvent(type))) return ledger;
  const draft = { effects: new Map(ledger.effects), timers: new Map(ledger.timers) };
  events.forEach((event, index) => {
    if (isEngineEvent(event.type)) fold(draft, event as EngineEvent, firstSeq + index);
  });
  return draft;
}

/** The effect of a lane that is next. Effects stand in the order of their intents, and a lane keeps to it. */
export function firstOfLane(ledger: Ledger, lane: string): OpenEffect | undefined {
  for (const open of ledger.effects.values()) if (open.intent.lane === lane) return open;
  return undefined;
}

/** The next effect of each lane that has one. */
export function firstOfEachLane(ledger: Ledger): readonly OpenEffect[] {
  const lanes = new Map<string, OpenEffect>();
  for (const open of ledger.effects.values()) {
    if (!lanes.has(open.intent.lane)) lanes.set(open.intent.lane, open);
  }
  return [...lanes.values()];
}

export const isEngineEvent = (type: string): type is EngineEvent['type'] => ENGINE_EVENTS.has(type);

interface Draft {
  readonly effects: Map<string, OpenEffect>;
  readonly timers: Map<string, OpenTimer>;
}

function fold(draft: Draft, { type, data }: EngineEvent, seq: number): void {
  const open = draft.effects.get(data.id);
  switch (type) {
    case 'effect.intended':
      draft.effects.set(data.id, { intent: data, seq, attempts: 0, begun: false, asked: false });
      return;
    case 'effect.begun':
      if (open) draft.effects.set(data.id, { ...open, attempts: data.attempt, begun: true });
      return;
    case 'effect.asked':
      if (open) draft.effects.set(data.id, { ...open, asked: true });
      return;
    case 'effect.reopened':
      if (open) draft.effects.set(data.id, { ...open, begun: false, asked: false });
      return;
    case 'effect.settled':
      draft.effects.delete(data.id);
      return;
    case 'timer.set':
      draft.timers.set(data.id, { id: data.id, at: data.at, seq });
      return;
    case 'timer.cleared':
    case 'timer.fired':
      draft.timers.delete(data.id);
  }
}

const ENGINE_EVENTS: ReadonlySet<string> = new Set<EngineEvent['type']>([
  'effect.intended',
  'effect.begun',
  'effect.asked',
  'effect.reopened',
  'effect.settled',
  'timer.set',
  'timer.cleared',
  'timer.fired',
]);
