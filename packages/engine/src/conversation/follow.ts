import type { JsonValue, Result } from '@cuebook/prompt';
import type { Decision, EngineEvent } from '../machine.js';

/** What follows from a state by itself, and how an event changes it. */
export interface Following<State, Event> {
  /** The next events; none while everything waits. */
  readonly next: (state: State) => readonly (Event | EngineEvent)[];
  readonly project: (state: State, event: Event | EngineEvent) => State;
  /** More than any state needs. */
  readonly maxSteps: number;
}

/** What a command does by itself, or why it is refused. */
export type Decided<Event> = Result<
  { readonly events: readonly (Event | EngineEvent)[]; readonly answer?: JsonValue },
  Refusal
>;

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** What a command does, and all that follows from it by itself: step by step, each seeing what the one before has changed. */
export function follow<State, Event>(
  before: State,
  decided: Decided<Event>,
  { next, project, maxSteps }: Following<State, Event>,
): Decision<Event> {
  if (!decided.ok) return decided;
  const { answer } = decided.value;
  const events = [...decided.value.events];
  let state = events.reduce(project, before);
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const following = next(state);
    if (following.length === 0) break;
    events.push(...following);
    state = following.reduce(project, state);
  }
  return { ok: true, events, ...(answer === undefined ? {} : { answer }) };
}
