import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import { expireApproval } from '../approval/resolve.js';
import type { Decision, EngineCommand, EngineEvent } from '../machine.js';
import type { Kept } from './kept.js';

/** A run whose next steps follow from its state. */
export interface Following<State, Command, Event> {
  /** What a command of the run does, before anything follows from it. */
  readonly decide: (command: Command) => DecidedWord<Event>;
  /** The next events that follow by themselves; none while everything waits. */
  readonly next: (state: State) => readonly (Event | EngineEvent)[];
  readonly project: (state: State, event: Event | EngineEvent) => State;
  readonly now: number;
}

/** What a command does by itself, or why it is refused. */
export type DecidedWord<Event> = Result<
  { readonly events: readonly (Event | EngineEvent)[]; readonly answer?: JsonValue },
  WordRefusal
>;

export type WordRefusal = { readonly code: string; readonly message: string };

/** What a command does, and all that follows from it: step by step, each seeing what the one before has changed. */
export function follow<State extends Kept, Command extends { readonly type: string }, Event>(
  before: State,
  command: Command | EngineCommand,
  { decide, next, project, now }: Following<State, Exclude<Command, EngineCommand>, Event>,
): Decision<Event> {
  const decided = isEngines(command)
    ? ok({ events: reported(before, command, now) as readonly Event[] })
    : decide(command as Exclude<Command, EngineCommand>);
  if (!decided.ok) return decided;
  const events = [...decided.value.events];
  let state = events.reduce(project, before);
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const following = next(state);
    if (following.length === 0) break;
    events.push(...following);
    state = following.reduce(project, state);
  }
  const { answer } = decided.value as { readonly answer?: JsonValue };
  return { ok: true, events, ...(answer === undefined ? {} : { answer }) };
}

/** More than any state needs: a few for each conversation of the largest run, and one for each call of an answer. */
const MAX_STEPS = 5_000;

/** The event of an engine's command is in the state already; an approval may have waited for its timer. */
const reported = ({ approvals }: Kept, command: EngineCommand, now: number) =>
  command.type === 'timer.fire' ? expireApproval(approvals, command.id, now) : [];

const isEngines = (command: { readonly type: string }): command is EngineCommand =>
  command.type === 'effect.settle' || command.type === 'timer.fire';
