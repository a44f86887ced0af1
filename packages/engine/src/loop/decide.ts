import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type {
  CommandShape,
  Decision,
  EffectSettled,
  EngineCommand,
  EngineEvent,
  EventShape,
  Outcome,
} from '../machine.js';
import type { Decided } from './commit.js';
import type { EngineError } from './error.js';
import { isEngineEvent, type Ledger } from './ledger.js';
import { idsOf } from './new-id.js';
import { type AnyMachine, advanceRun, type RunState } from './run-state.js';

/** What the pure decisions look at beside the run. */
export interface DecideParts<State> {
  readonly machine: AnyMachine<State>;
  readonly run: string;
  /** The id of the command, from which new ids follow. */
  readonly command: string;
  readonly now: number;
}

type Answer = Result<Decided, EngineError>;

/** A command of a caller. */
export function decideCommand<State>(
  parts: DecideParts<State>,
  run: RunState<State>,
  command: CommandShape,
): Answer {
  const newer = strangeRun(run);
  if (newer !== undefined) return newer;
  const decision = ask(parts, run.state, command);
  if (!decision.ok) return fail({ type: 'refused', ...decision.error });
  const bad = flaw(run.ledger, decision.events);
  return bad ? fail(bad) : ok({ events: decision.events, answer: decision.answer ?? null });
}

/** The outcome of an effect: a fact, whatever the machine makes of it. */
export function decideSettle<State>(
  parts: DecideParts<State>,
  run: RunState<State>,
  settled: EffectSettled & { readonly seq: number },
): Answer {
  const { id, outcome, by, seq } = settled;
  if (guard('settle.open', run.ledger.effects.get(id)?.seq !== seq)) return fail({ type: 'closed' });
  const data = { id, outcome, by };
  return report(parts, run, { type: 'effect.settled', data }, { type: 'effect.settle', ...data });
}

export function decideFire<State>(
  parts: DecideParts<State>,
  run: RunState<State>,
  timer: { readonly id: string; readonly seq: number },
): Answer {
  const { id, seq } = timer;
  const newer = strangeRun(run);
  if (newer !== undefined) return newer;
  if (guard('fire.open', run.ledger.timers.get(id)?.seq !== seq)) return fail({ type: 'closed' });
  return report(parts, run, { type: 'timer.fired', data: { id } }, { type: 'timer.fire', id });
}

/** The mark that somebody sets about an effect. `attempt` is the try that was decided on. */
export function decideBegin<State>(
  run: RunState<State>,
  mark: { readonly id: string; readonly seq: number; readonly attempt: number; readonly owner: string },
): Answer {
  const { id, seq, attempt, owner } = mark;
  const newer = strangeRun(run);
  if (newer !== undefined) return newer;
  const open = run.ledger.effects.get(id);
  if (open?.seq !== seq || open.attempts + 1 !== attempt) return fail({ type: 'closed' });
  return ok({ events: [{ type: 'effect.begun', data: { id, attempt, owner } }], answer: null });
}

export function decideAsk<State>(
  run: RunState<State>,
  effect: { readonly id: string; readonly seq: number },
): Answer {
  const newer = strangeRun(run);
  if (newer !== undefined) return newer;
  const open = run.ledger.effects.get(effect.id);
  if (open?.seq !== effect.seq || open.asked) return fail({ type: 'closed' });
  return ok({ events: [{ type: 'effect.asked', data: { id: effect.id } }], answer: null });
}

/** What a person says about an effect that nobody else can know about. */
export type EffectResolve = {
  readonly type: 'effect.resolve';
  readonly effect: string;
  /** It was done, or given up, with this outcome; `not-done` has it done (again). */
  readonly outcome: Outcome | 'not-done';
};

export function decideResolve<State>(
  parts: DecideParts<State>,
  run: RunState<State>,
  { effect: id, outcome }: EffectResolve,
): Answer {
  const newer = strangeRun(run);
  if (newer !== undefined) return newer;
  const open = run.ledger.effects.get(id);
  if (open === undefined) return fail({ type: 'closed' });
  if (guard('resolve.asked', !open.asked)) return fail({ type: 'not-asked' });
  if (outcome === 'not-done')
    return ok({ events: [{ type: 'effect.reopened', data: { id } }], answer: null });
  return decideSettle(parts, run, { id, outcome, by: 'person', seq: open.seq });
}

/** Why nothing is decided here in a run that a newer version has gone on with; an outcome is a fact and is written. */
export function strangeRun(run: Pick<RunState<unknown>, 'strange'>): Result<never, EngineError> | undefined {
  const { strange } = run;
  return strange !== undefined && guard('run.newer', true)
    ? fail({ type: 'newer', what: strange })
    : undefined;
}

/** Projects the event first, and lets the machine add to it. A refusal of the machine does not undo a fact. */
function report<State>(
  parts: DecideParts<State>,
  run: RunState<State>,
  event: EngineEvent,
  command: EngineCommand,
): Answer {
  const after = advanceRun(parts.machine, run, [event]);
  const decision = ask(parts, after.state, command);
  const added = decision.ok ? decision.events : [];
  const bad = flaw(after.ledger, added);
  return bad ? fail(bad) : ok({ events: [event, ...added], answer: null });
}

function ask<State>(
  { machine, run, command: id, now }: DecideParts<State>,
  state: State,
  command: CommandShape,
): Decision<EventShape> {
  return machine.decide(state, command, { now, newId: idsOf(run, id) });
}

/** What a machine must not write: events that are the engine's to write, and an intent over an open one. */
function flaw(ledger: Ledger, events: readonly EventShape[]): EngineError | undefined {
  const open = new Set(ledger.effects.keys());
  for (const { type, data } of events) {
    const forged = isEngineEvent(type) && !MACHINE_MAY.has(type);
    if (guard('decision.forged', forged)) return { type: 'decision', why: 'forged' };
    if (type !== 'effect.intended') continue;
    const { id } = data as { id: string };
    if (guard('decision.twice', open.has(id))) return { type: 'decision', why: 'twice' };
    open.add(id);
  }
  return undefined;
}

const MACHINE_MAY: ReadonlySet<string> = new Set(['effect.intended', 'timer.set', 'timer.cleared']);
