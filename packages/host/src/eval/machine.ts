import {
  askTurn,
  type Budget,
  type BudgetEvent,
  type BudgetLimit,
  type CrashPolicy,
  type DecideContext,
  type Decision,
  EMPTY_BUDGET,
  type EngineEvent,
  type Exhausted,
  type Machine,
  type Outcome,
  projectBudget,
  raiseBudget,
  readTurnOutcome,
  resolveLimit,
  type Standing,
  spendBudget,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { ProjectionChange, RunId } from '@cuebook/journal';
import type { Amounts } from '../word.js';
import type { EvalFacts, TakePlan } from './contract.js';
import { EVAL_EVENTS } from './event-types.js';

/** The list of all takes on record, by their keys. */
export const TAKES_PROJECTION = 'takes';

/** Plain JSON, and nothing but what follows from the events. What a take said is in the log alone. */
export type EvalState = {
  readonly facts: EvalFacts | null;
  readonly budget: Budget;
  /** How many takes of the plan were asked for or passed over. */
  readonly next: number;
  /** Takes under way, by effect: their place in the plan. */
  readonly open: { readonly [effect: string]: number };
  readonly done: number;
  /** Takes that gave no answer. */
  readonly failed: number;
  /** What each look said. */
  readonly looks: readonly string[];
  readonly exhausted: Exhausted | null;
  readonly over: { readonly ok: boolean; readonly summary: string } | null;
  readonly isStopped: boolean;
};

export type EvalEvent =
  | { readonly type: 'eval.started'; readonly data: EvalFacts }
  | { readonly type: 'eval.asked'; readonly data: { readonly effect: string; readonly at: number } }
  /** The take has its outcome. */
  | {
      readonly type: 'eval.taken';
      readonly data: { readonly effect: string; readonly at: number; readonly ok: boolean };
    }
  | { readonly type: 'eval.passed'; readonly data: { readonly at: number } }
  | { readonly type: 'eval.paused'; readonly data: Exhausted }
  | { readonly type: 'eval.looked'; readonly data: { readonly verdict: string } }
  | { readonly type: 'eval.finished'; readonly data: { readonly ok: boolean; readonly summary: string } }
  | { readonly type: 'eval.stopped'; readonly data: { readonly by: string } }
  | { readonly type: 'eval.resumed'; readonly data: { readonly by: string } }
  | BudgetEvent;

export type EvalCommand =
  | { readonly type: 'eval.start'; readonly facts: EvalFacts; readonly by: string; readonly budget?: Amounts }
  | { readonly type: 'eval.resume'; readonly by: string }
  | { readonly type: 'eval.finish'; readonly ok: boolean; readonly summary: string }
  | { readonly type: 'eval.stop'; readonly by: string }
  | { readonly type: 'budget.raise'; readonly to: Amounts; readonly by: string };

export const NEW_EVAL: EvalState = {
  facts: null,
  budget: EMPTY_BUDGET,
  next: 0,
  open: {},
  done: 0,
  failed: 0,
  looks: [],
  exhausted: null,
  over: null,
  isStopped: false,
};

const SCOPE = 'run';

export interface EvalConfig {
  readonly run?: string;
  readonly priced: boolean;
  readonly onCrash: CrashPolicy;
}

/** A run that asks for takes: as many at a time as it may, as far as the next look, as long as the budget lasts. */
export function createEvalMachine({
  run,
  priced,
  onCrash,
}: EvalConfig): Machine<EvalState, EvalCommand, EvalEvent> {
  type Events = readonly (EvalEvent | EngineEvent)[];
  const done = (events: Events): Decision<EvalEvent> => ({ ok: true, events });
  const refuse = (code: string, message: string): Decision<EvalEvent> => ({
    ok: false,
    error: { code, message },
  });
  const project = projectEval;

  /** What happens next, after events that were decided already. */
  function goOn(before: EvalState, decided: Events, context: DecideContext): Events {
    let state = decided.reduce(project, before);
    const events: (EvalEvent | EngineEvent)[] = [...decided];
    const add = (more: Events): void => {
      events.push(...more);
      state = more.reduce(project, state);
    };
    while (canAsk(state)) {
      const at = state.next;
      const take = state.facts?.takes[at] as TakePlan;
      if (guard('eval.paid', take.from !== undefined)) {
        add([{ type: 'eval.passed', data: { at } }]);
        continue;
      }
      const asked = askTurn<EvalEvent>({ budget: state.budget, scope: SCOPE }, context, (effect) => ({
        asked: { type: 'eval.asked', data: { effect, at } },
        kind: 'model.turn',
        lane: take.lane,
        input: { at },
        onCrash,
      }));
      if (!asked.ok) {
        add([{ type: 'eval.paused', data: asked.error }]);
        break;
      }
      add(asked.value);
    }
    return events;
  }

  return {
    kind: run === undefined ? 'eval' : `eval/${run}`,
    initial: NEW_EVAL,
    events: EVAL_EVENTS,
    decide(state, command, context) {
      if (command.type === 'eval.start') {
        if (state.facts !== null) return refuse('E_RUN_STARTED', 'The run has begun already.');
        const limit = resolveLimit(command.budget ?? {}, { priced });
        if (!limit.ok) return refuse(limit.error.code, limit.error.message);
        return done(
          goOn(state, [{ type: 'eval.started', data: command.facts }, opened(limit.value)], context),
        );
      }
      if (state.facts === null) return refuse('E_RUN_NOT_STARTED', 'The run has not begun.');
      switch (command.type) {
        case 'effect.settle':
          return done(goOn(state, settled(state, command), context));
        case 'timer.fire':
          return done([]);
        case 'eval.resume': {
          if (state.over !== null) return refuse('E_RUN_OVER', 'The run is over.');
          if (state.isStopped)
            return done(goOn(state, [{ type: 'eval.resumed', data: { by: command.by } }], context));
          if (!isAtLook(state)) return refuse('E_RUN_NOT_PAUSED', 'The run is at work.');
          return done(goOn(state, [{ type: 'eval.looked', data: { verdict: 'open' } }], context));
        }
        case 'eval.finish': {
          if (state.over !== null) return refuse('E_RUN_OVER', 'The run is over.');
          const { ok, summary } = command;
          const look: EvalEvent = { type: 'eval.looked', data: { verdict: summary.split(':')[0] ?? '' } };
          return done([look, { type: 'eval.finished', data: { ok, summary } }]);
        }
        case 'eval.stop':
          if (state.over !== null || state.isStopped) return done([]);
          return done([{ type: 'eval.stopped', data: { by: command.by } }]);
        case 'budget.raise': {
          const { to, by } = command;
          const raised = raiseBudget(state.budget, { scope: SCOPE, to, by });
          if (!raised.ok) return refuse(raised.error.code, raised.error.message);
          return done(goOn(state, [raised.value], context));
        }
      }
    },
    project,
    list: listTakes,
    stand: standingOf,
  };
}

/** What a settled effect means to the run. An effect that is none of its takes means nothing. */
function settled(
  { open }: EvalState,
  { id, outcome }: { readonly id: string; readonly outcome: Outcome },
): readonly EvalEvent[] {
  const at = open[id];
  if (at === undefined) return [];
  const { end, usage } = readTurnOutcome(outcome);
  return [
    spendBudget(id, usage),
    { type: 'eval.taken', data: { effect: id, at, ok: end.reason === 'done' } },
  ];
}

const opened = (limit: BudgetLimit): BudgetEvent => ({
  type: 'budget.opened',
  data: { scope: SCOPE, parent: null, limit },
});

/** Where the run stands still next. */
const boundaryOf = ({ facts, looks }: EvalState): number =>
  facts?.looks[looks.length] ?? facts?.takes.length ?? 0;

function canAsk(state: EvalState): boolean {
  const { facts, open, next, over, isStopped, exhausted } = state;
  if (facts === null || over !== null || isStopped || exhausted !== null) return false;
  return Object.keys(open).length < facts.jobs && next < boundaryOf(state);
}

/** Every take up to the next look has its outcome. */
export const isAtLook = (state: EvalState): boolean =>
  state.facts !== null &&
  state.over === null &&
  Object.keys(state.open).length === 0 &&
  state.next >= boundaryOf(state);

/** Folds an event in. Same log, same state. */
function projectEval(state: EvalState, event: EvalEvent | EngineEvent): EvalState {
  switch (event.type) {
    case 'eval.started':
      return { ...state, facts: event.data };
    case 'eval.asked': {
      const { effect, at } = event.data;
      return { ...state, next: at + 1, open: { ...state.open, [effect]: at } };
    }
    case 'eval.passed':
      return { ...state, next: event.data.at + 1, done: state.done + 1 };
    case 'eval.taken': {
      const { [event.data.effect]: _, ...open } = state.open;
      return { ...state, open, done: state.done + 1, failed: state.failed + Number(!event.data.ok) };
    }
    case 'eval.paused':
      return { ...state, exhausted: event.data };
    case 'eval.looked':
      return { ...state, looks: [...state.looks, event.data.verdict] };
    case 'eval.finished':
      return { ...state, over: event.data };
    case 'eval.stopped':
      return { ...state, isStopped: true };
    case 'eval.resumed':
      return { ...state, isStopped: false };
    default: {
      const budget = projectBudget(state.budget, event);
      if (budget === state.budget) return state;
      return { ...state, budget, exhausted: event.type === 'budget.raised' ? null : state.exhausted };
    }
  }
}

/** A take that was answered is on the list of all takes: nobody pays for it again. */
function listTakes(
  run: RunId,
  event: EvalEvent | EngineEvent,
  state: EvalState,
): readonly ProjectionChange[] {
  if (event.type !== 'eval.taken' || !event.data.ok) return [];
  const take = state.facts?.takes[event.data.at];
  if (take === undefined) return [];
  return [{ name: TAKES_PROJECTION, key: take.key, value: { run, lane: take.lane }, isAtRest: true }];
}

function standingOf(state: EvalState): Standing | undefined {
  const { facts, over, isStopped, exhausted, open } = state;
  if (facts === null) return undefined;
  const about = { kind: 'eval', target: facts.target };
  if (over !== null) return { ...about, status: 'completed' };
  if (isStopped) return { ...about, status: Object.keys(open).length > 0 ? 'running' : 'stopped' };
  if (exhausted !== null && Object.keys(open).length === 0) {
    const { limit, unit } = exhausted;
    return {
      ...about,
      status: 'waiting',
      wait: { for: 'budget', message: `The budget of the run is spent: ${limit} ${unit}.` },
    };
  }
  return { ...about, status: isAtLook(state) ? 'idle' : 'running' };
}
