import {
  type Budget,
  type BudgetEvent,
  EMPTY_BUDGET,
  type EngineEvent,
  type Exhausted,
  projectBudget,
} from '@cuebook/engine';
import type { EvalFacts } from './contract.js';

/** Plain JSON, and nothing but what follows from the events. What a take said is in the log alone. */
export type EvalState = {
  readonly facts: EvalFacts | null;
  readonly budget: Budget;
  /** How many takes of the plan were asked for or passed over. */
  readonly next: number;
  /** Places of takes that were stopped before their answer: they are asked for again, before all others. */
  readonly again: readonly number[];
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
  /** Takes that were under way when somebody stopped the run, by effect: nobody wants their answers. */
  readonly cut: readonly string[];
};

export type EvalEvent =
  | { readonly type: 'eval.started'; readonly data: EvalFacts }
  | { readonly type: 'eval.asked'; readonly data: { readonly effect: string; readonly at: number } }
  /** The take has its outcome. */
  | {
      readonly type: 'eval.taken';
      readonly data: { readonly effect: string; readonly at: number; readonly ok: boolean };
    }
  /** The take was stopped before its answer. */
  | { readonly type: 'eval.dropped'; readonly data: { readonly effect: string; readonly at: number } }
  | { readonly type: 'eval.passed'; readonly data: { readonly at: number } }
  | { readonly type: 'eval.paused'; readonly data: Exhausted }
  | { readonly type: 'eval.looked'; readonly data: { readonly verdict: string } }
  | { readonly type: 'eval.finished'; readonly data: { readonly ok: boolean; readonly summary: string } }
  | { readonly type: 'eval.stopped'; readonly data: { readonly by: string } }
  | { readonly type: 'eval.resumed'; readonly data: { readonly by: string } }
  | BudgetEvent;

export const NEW_EVAL: EvalState = {
  facts: null,
  budget: EMPTY_BUDGET,
  next: 0,
  again: [],
  open: {},
  done: 0,
  failed: 0,
  looks: [],
  exhausted: null,
  over: null,
  isStopped: false,
  cut: [],
};

/** Every take up to the next look has its outcome. */
export const isAtLook = (state: EvalState): boolean =>
  state.facts !== null &&
  state.over === null &&
  Object.keys(state.open).length === 0 &&
  state.again.length === 0 &&
  state.next >= boundaryOf(state);

/** Folds an event in. Same log, same state. */
export function projectEval(state: EvalState, event: EvalEvent | EngineEvent): EvalState {
  switch (event.type) {
    case 'eval.started':
      return { ...state, facts: event.data };
    case 'eval.asked': {
      const { effect, at } = event.data;
      const again = state.again.filter((each) => each !== at);
      const next = Math.max(state.next, at + 1);
      return { ...state, next, again, open: { ...state.open, [effect]: at } };
    }
    case 'eval.passed':
      return { ...state, next: event.data.at + 1, done: state.done + 1 };
    case 'eval.dropped': {
      const { [event.data.effect]: _, ...open } = state.open;
      return { ...state, open, again: [...state.again, event.data.at] };
    }
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
      return { ...state, isStopped: true, cut: Object.keys(state.open) };
    case 'eval.resumed':
      return { ...state, isStopped: false };
    default: {
      const budget = projectBudget(state.budget, event);
      if (budget === state.budget) return state;
      return { ...state, budget, exhausted: event.type === 'budget.raised' ? null : state.exhausted };
    }
  }
}

/** Where the run stands still next. */
export const boundaryOf = ({ facts, looks }: EvalState): number =>
  facts?.looks[looks.length] ?? facts?.takes.length ?? 0;
