import type { EvalEvent } from './machine.js';

/** The types of the events of an eval. */
export const EVAL_EVENTS: { readonly [type in EvalEvent['type']]: true } = {
  'budget.held': true,
  'budget.opened': true,
  'budget.raised': true,
  'budget.spent': true,
  'eval.asked': true,
  'eval.finished': true,
  'eval.looked': true,
  'eval.passed': true,
  'eval.paused': true,
  'eval.resumed': true,
  'eval.started': true,
  'eval.stopped': true,
  'eval.taken': true,
};
