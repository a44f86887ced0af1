import {
  askTurn,
  type BudgetEvent,
  type BudgetLimit,
  type DecideContext,
  type Decision,
  type EngineEvent,
  type Machine,
  type Outcome,
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
import { boundaryOf, type EvalEvent, type EvalState, isAtLook, NEW_EVAL, projectEval } from './state.js';

/** The list of all takes on record, by their keys. */
export const TAKES_PROJECTION = 'takes';

export type EvalCommand =
  | { readonly type: 'eval.start'; readonly facts: EvalFacts; readonly by: string; readonly budget?: Amounts }
  | { readonly type: 'eval.resume'; readonly by: string }
  | { readonly type: 'eval.finish'; readonly ok: boolean; readonly summary: string }
  | { readonly type: 'eval.stop'; readonly by: string }
  | { readonly type: 'budget.raise'; readonly to: Amounts; readonly by: string };

const SCOPE = 'run';

export interface EvalConfig {
  readonly run?: string;
  readonly priced: boolean;
}

/** A run that asks for takes: as many at a time as it may, as far as the next look, as long as the budget lasts. */
export function createEvalMachine({ run, priced }: EvalConfig): Machine<EvalState, EvalCommand, EvalEvent> {
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
      const at = state.again[0] ?? state.next;
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
        // A take does nothing but speak, whoever speaks it.
        onCrash: 'repeat',
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
  { open, cut }: EvalState,
  { id, outcome }: { readonly id: string; readonly outcome: Outcome },
): readonly EvalEvent[] {
  const at = open[id];
  if (at === undefined) return [];
  const { end, usage } = readTurnOutcome(outcome);
  const isDropped = guard('eval.cut', cut.includes(id) && end.reason === 'aborted');
  if (isDropped) return [spendBudget(id, usage), { type: 'eval.dropped', data: { effect: id, at } }];
  return [
    spendBudget(id, usage),
    { type: 'eval.taken', data: { effect: id, at, ok: end.reason === 'done' } },
  ];
}

const opened = (limit: BudgetLimit): BudgetEvent => ({
  type: 'budget.opened',
  data: { scope: SCOPE, parent: null, limit },
});

function canAsk(state: EvalState): boolean {
  const { facts, open, next, over, isStopped, exhausted } = state;
  if (facts === null || over !== null || isStopped || exhausted !== null) return false;
  return Object.keys(open).length < facts.jobs && (state.again.length > 0 || next < boundaryOf(state));
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

/** The types of the events of an eval. */
const EVAL_EVENTS: { readonly [type in EvalEvent['type']]: true } = {
  'budget.held': true,
  'budget.opened': true,
  'budget.raised': true,
  'budget.spent': true,
  'eval.asked': true,
  'eval.dropped': true,
  'eval.finished': true,
  'eval.looked': true,
  'eval.passed': true,
  'eval.paused': true,
  'eval.resumed': true,
  'eval.started': true,
  'eval.stopped': true,
  'eval.taken': true,
};
