import type { ProjectionChange, RunId } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { Standing } from './standing/standing.js';

/**
 * A kind of run as two pure functions. `decide` turns a command into events, `project` folds an event into the
 * state; the engine does everything else. Same log, same state.
 */
export interface Machine<State, Command extends CommandShape, Event extends EventShape> {
  /** The kind of run: `thread`, `team`, `workflow`. */
  readonly kind: string;
  readonly initial: State;
  /**
   * The types of events that it knows. A newer version may have written others into a run: whoever does not know them
   * decides and begins nothing there. Left out: it knows all.
   */
  readonly events?: Readonly<Record<string, true>>;
  readonly decide: (
    state: State,
    command: Command | EngineCommand,
    context: DecideContext,
  ) => Decision<Event>;
  readonly project: (state: State, event: Event | EngineEvent) => State;
  /** What an event changes in lists over all runs, such as what waits for a person. Written with the event. */
  readonly list?: (
    run: RunId,
    event: Event | EngineEvent,
    /** Behind all events of the write. */
    state: State,
  ) => readonly ProjectionChange[];
  /**
   * Whether this process may begin an effect of a run that stands like this. It is asked in the write that begins it, so
   * no event comes between. False: the effect stays open for a process that may. Left out: it may begin all.
   */
  readonly mayBegin?: (state: State, effect: EffectIntent) => boolean;
  /** How the run stands, for the list over all runs: written with the events when it has changed. */
  readonly stand?: (state: State) => Standing | undefined;
}

export interface CommandShape {
  /** Imperative with a dot: `run.start`. */
  readonly type: string;
}

export interface EventShape {
  /** Past tense with a dot: `run.started`. */
  readonly type: string;
  readonly data: JsonValue;
}

/** What `decide` may look at beside the state. Nothing else of the world. */
export interface DecideContext {
  /** Milliseconds since the epoch, from the injected clock. */
  readonly now: number;
  /** A fresh id with a readable prefix, the same again for the same command: `newId('eff')` is `eff_…`. */
  readonly newId: (prefix: string) => string;
}

/** The events of an accepted command, or why it is refused. A refusal writes nothing. */
export type Decision<Event> =
  | { readonly ok: true; readonly events: readonly (Event | EngineEvent)[]; readonly answer?: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** Events whose meaning the engine knows. `decide` writes the first three kinds, the engine the others. */
export type EngineEvent =
  | { readonly type: 'effect.intended'; readonly data: EffectIntent }
  | { readonly type: 'timer.set'; readonly data: { readonly id: string; readonly at: number } }
  | { readonly type: 'timer.cleared'; readonly data: { readonly id: string } }
  | { readonly type: 'effect.settled'; readonly data: EffectSettled }
  | { readonly type: 'timer.fired'; readonly data: { readonly id: string } }
  | { readonly type: 'effect.begun'; readonly data: EffectBegun }
  | { readonly type: 'effect.asked'; readonly data: { readonly id: string } }
  | { readonly type: 'effect.reopened'; readonly data: { readonly id: string } };

/** Something to be done in the world, as data. It is in the log before anybody begins to do it. */
export type EffectIntent = {
  readonly id: string;
  /** Which driver does it: `model.turn`, `tool.call`. */
  readonly kind: string;
  /** Effects of one lane run one at a time, in order: a node, a thread. */
  readonly lane: string;
  readonly input: JsonValue;
  readonly onCrash: CrashPolicy;
};

/**
 * What to do with an effect that was begun and has no outcome after a crash: do it again (it is idempotent),
 * ask the world whether it was done, or ask a person. Nobody guesses.
 */
export type CrashPolicy = 'repeat' | 'ask-world' | 'ask-person';

/** Somebody is about to do the effect: from here on it may have been done, whatever becomes of the process. */
export type EffectBegun = {
  readonly id: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** The process that does it. */
  readonly owner: string;
};

export type EffectSettled = {
  readonly id: string;
  readonly outcome: Outcome;
  /** Who says so. */
  readonly by: 'driver' | 'world' | 'person' | 'engine';
};

export type Outcome =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/**
 * Commands that the engine itself gives. The event that each reports is projected first; what `decide` adds
 * is written in the same transaction.
 */
export type EngineCommand =
  | ({ readonly type: 'effect.settle' } & EffectSettled)
  | { readonly type: 'timer.fire'; readonly id: string };
