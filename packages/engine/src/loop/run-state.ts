import { isJournalEvent } from '@cuebook/journal';
import type { EngineEvent, EventShape, Machine } from '../machine.js';
import { hasMark } from '../seal/mark.js';
import { EMPTY_LEDGER, foldLedger, isEngineEvent, type Ledger } from './ledger.js';

/** A run as its log says: the machine's state, what is open, and how far the log was read. */
export interface RunState<State> {
  readonly seq: number;
  readonly state: State;
  readonly ledger: Ledger;
  /** The type of an event that this version does not know: its state is not the one that the log tells. */
  readonly strange?: string;
  /** Some of its events name entries of the vault. */
  readonly marked?: true;
}

// biome-ignore lint/suspicious/noExplicitAny: a machine is invariant in its commands, and replay looks at none.
export type AnyMachine<State> = Machine<State, any, any>;

/** The state of a run, from its log alone: the same log gives the same state, today and next year. */
export function projectRun<State>(
  machine: AnyMachine<State>,
  events: readonly EventShape[],
): RunState<State> {
  return advanceRun(machine, { seq: 0, state: machine.initial, ledger: EMPTY_LEDGER }, events);
}

/** Goes on from a state with the events that follow it. */
export function advanceRun<State>(
  machine: AnyMachine<State>,
  run: RunState<State>,
  events: readonly EventShape[],
): RunState<State> {
  if (events.length === 0) return run;
  let { state } = run;
  for (const event of events) state = machine.project(state, event as EngineEvent);
  const strange = run.strange ?? events.find(({ type }) => !isKnown(machine, type))?.type;
  return {
    seq: run.seq + events.length,
    state,
    ledger: foldLedger(run.ledger, events, run.seq + 1),
    ...(strange === undefined ? {} : { strange }),
    ...(run.marked || events.some(({ data }) => hasMark(data)) ? { marked: true as const } : {}),
  };
}

const isKnown = ({ events }: Pick<AnyMachine<never>, 'events'>, type: string): boolean =>
  events === undefined || Object.hasOwn(events, type) || isEngineEvent(type) || isJournalEvent(type);
