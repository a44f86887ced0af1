import { isPlain } from '../value/entries.js';
import type { Value } from '../value/value.js';
import { compileExpression, type Evaluate, setTarget } from './closure-expression.js';
import { checkDepth, step as takeStep } from './limits.js';
import { noTemplate, type Rounds, roundAt, roundsOf, textOf } from './operations.js';
import type { Expression, Procedure, ProgramStep, RangeStep } from './program.js';
import type { RenderState } from './state.js';
import { isTrue } from './values.js';

/** Templates that call templates deeper than this leave the stack of JavaScript, which Go's depth would overflow. */
export const SHALLOW = 64;

/**
 * Runs a procedure like the back ends do, but slowly: what is unfinished stands on a list. Dot and depth are the
 * callee's already.
 */
export function runDeep(state: RenderState, procedure: number): void {
  const stack: Frame[] = [enter(state, procedure)];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    if (frame.at < frame.steps.length) act(state, stack, frame.steps[frame.at++] as ProgramStep);
    else if (!frame.loop || !nextRound(state, frame, frame.loop)) leave(state, stack);
  }
}

/** A list of steps under way, and what the state was before it. */
interface Frame {
  readonly steps: readonly ProgramStep[];
  at: number;
  readonly before: Pick<RenderState, 'vars' | 'dot' | 'isDotPlain' | 'isDotInterface' | 'depth'>;
  readonly loop?: Loop;
  /** The `else` of a range: a `break` leaves it, a `continue` is of the range around. */
  readonly isElse?: boolean;
}

interface Loop {
  readonly step: RangeStep;
  readonly rounds: Rounds;
  round: number;
}

const keep = ({ vars, dot, isDotPlain, isDotInterface, depth }: RenderState): Frame['before'] => ({
  vars,
  dot,
  isDotPlain,
  isDotInterface,
  depth,
});

function enter(state: RenderState, index: number): Frame {
  const { steps, slots } = state.procedures()[index] as Procedure;
  const before = keep(state);
  state.vars = new Array<Value>(slots * 2).fill(undefined);
  state.vars[0] = state.dot;
  state.isDotPlain = isPlain(state.dot);
  return { steps, at: 0, before };
}

function leave(state: RenderState, stack: Frame[]): void {
  const { vars, dot, isDotPlain, isDotInterface, depth } = (stack.pop() as Frame).before;
  state.vars = vars;
  state.dot = dot;
  state.isDotPlain = isDotPlain;
  state.isDotInterface = isDotInterface;
  state.depth = depth;
}

function act(state: RenderState, stack: Frame[], step: ProgramStep): void {
  switch (step.op) {
    case 'text':
    case 'print':
      state.out += step.op === 'text' ? step.text : textOf(state, evaluate(state, step.value), step.site);
      state.pieces.push(step.site, state.out.length);
      return;
    case 'run':
      evaluate(state, step.value);
      return;
    case 'branch': {
      const value = evaluate(state, step.value);
      const isTaken = isTrue(value);
      stack.push({ steps: isTaken ? step.list : step.otherwise, at: 0, before: keep(state) });
      if (step.isWith && isTaken) setDot(state, value, false);
      return;
    }
    case 'range': {
      const value = evaluate(state, step.value);
      const rounds = roundsOf(state, value, step.index !== undefined);
      const before = keep(state);
      if (rounds.count <= 0) stack.push({ steps: step.otherwise, at: 0, before, isElse: true });
      else stack.push({ steps: step.list, at: step.list.length, before, loop: { step, rounds, round: 0 } });
      return;
    }
    case 'template':
      call(state, stack, step);
      return;
    case 'break':
    case 'continue':
      leaveRound(state, stack, step.op === 'break');
  }
}

function leaveRound(state: RenderState, stack: Frame[], isBreak: boolean): void {
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    if (!isBreak && frame.loop) {
      frame.at = frame.steps.length;
      return;
    }
    leave(state, stack);
    if (isBreak && (frame.loop || frame.isElse)) return;
  }
}

function call(
  state: RenderState,
  stack: Frame[],
  { site, name, procedure, value }: Extract<ProgramStep, { op: 'template' }>,
): void {
  state.at = site;
  if (procedure === undefined) noTemplate(state, name);
  checkDepth(state);
  const dot = value ? evaluate(state, value) : undefined;
  takeStep(state, state.out.length);
  const before = keep(state);
  state.dot = dot;
  state.isDotInterface = false;
  state.depth++;
  stack.push({ ...enter(state, procedure), before });
}

/** Begins the next round of a loop; false when there is none. */
function nextRound(state: RenderState, frame: Frame, loop: Loop): boolean {
  const { rounds, step } = loop;
  if (loop.round >= rounds.count) return false;
  takeStep(state, state.out.length);
  const at = loop.round++;
  const item = roundAt(rounds, at);
  if (step.index) setTarget(state, step.index, rounds.keys ? rounds.keys[at] : at, false);
  if (step.element) setTarget(state, step.element, item, rounds.isInterface);
  setDot(state, item, rounds.isInterface);
  frame.at = 0;
  return true;
}

function setDot(state: RenderState, dot: Value, isInterface: boolean): void {
  state.dot = dot;
  state.isDotPlain = isPlain(dot);
  state.isDotInterface = isInterface;
}

const evaluates = new WeakMap<Expression, Evaluate>();

function evaluate(state: RenderState, expression: Expression): Value {
  let known = evaluates.get(expression);
  if (!known) {
    known = compileExpression(expression);
    evaluates.set(expression, known);
  }
  return known(state);
}
