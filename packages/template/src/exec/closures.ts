import { isPlain } from '../value/entries.js';
import type { Value } from '../value/value.js';
import { compileExpression, type Evaluate, setTarget } from './closure-expression.js';
import { runDeep, SHALLOW } from './deep.js';
import { checkDepth, step as takeStep } from './limits.js';
import { noTemplate, roundAt, roundsOf, textOf } from './operations.js';
import type { Procedure, Program, ProgramStep, RangeStep } from './program.js';
import type { RenderState } from './state.js';
import { isTrue, itemAt } from './values.js';

/** Runs a procedure on the state: writes its output, leaves the variables of the caller alone. */
export type RunProcedure = (state: RenderState) => void;

/** The closures of a program. They hold nothing of its plan. */
export function compileClosures({ procedures }: Program): RunProcedure {
  const runs: RunProcedure[] = [];
  const runOf = (index: number): RunProcedure => runs[index] as RunProcedure;
  for (const procedure of procedures) runs.push(compileProcedure(procedure, runOf));
  return runOf(0);
}

/** How a list of steps was left. */
const GO_ON = 0;
const BREAK = 1;
const CONTINUE = 2;

type Act = (state: RenderState) => number;
type RunOf = (index: number) => RunProcedure;

function compileProcedure({ steps, slots }: Procedure, runOf: RunOf): RunProcedure {
  const act = compileList(steps, runOf);
  return (state) => {
    const outer = state.vars;
    const vars: Value[] = new Array(slots * 2).fill(undefined);
    vars[0] = state.dot;
    state.vars = vars;
    state.isDotPlain = isPlain(state.dot);
    act(state);
    state.vars = outer;
  };
}

function compileList(steps: readonly ProgramStep[], runOf: RunOf): Act {
  const acts = steps.map((step) => compileStep(step, runOf));
  const [only] = acts;
  if (!only) return () => GO_ON;
  if (acts.length === 1) return only;
  return (state) => {
    for (let index = 0; index < acts.length; index++) {
      const left = (acts[index] as Act)(state);
      if (left !== GO_ON) return left;
    }
    return GO_ON;
  };
}

function compileStep(step: ProgramStep, runOf: RunOf): Act {
  switch (step.op) {
    case 'text': {
      const { text, site } = step;
      return (state) => {
        state.out += text;
        state.pieces.push(site, state.out.length);
        return GO_ON;
      };
    }
    case 'print': {
      const { site } = step;
      const evaluate = compileExpression(step.value);
      return (state) => {
        state.out += textOf(state, evaluate(state), site);
        state.pieces.push(site, state.out.length);
        return GO_ON;
      };
    }
    case 'run': {
      const evaluate = compileExpression(step.value);
      return (state) => {
        evaluate(state);
        return GO_ON;
      };
    }
    case 'branch':
      return compileBranch(step, runOf);
    case 'range':
      return compileRange(step, runOf);
    case 'template':
      return compileTemplate(step, runOf);
    case 'break':
      return () => BREAK;
    case 'continue':
      return () => CONTINUE;
  }
}

function compileBranch(step: Extract<ProgramStep, { op: 'branch' }>, runOf: RunOf): Act {
  const evaluate = compileExpression(step.value);
  const list = compileList(step.list, runOf);
  const otherwise = compileList(step.otherwise, runOf);
  if (!step.isWith) return (state) => (isTrue(evaluate(state)) ? list(state) : otherwise(state));
  return (state) => {
    const value = evaluate(state);
    if (!isTrue(value)) return otherwise(state);
    const { dot, isDotPlain, isDotInterface } = state;
    state.dot = value;
    state.isDotPlain = isPlain(value);
    state.isDotInterface = false;
    const left = list(state);
    state.dot = dot;
    state.isDotPlain = isDotPlain;
    state.isDotInterface = isDotInterface;
    return left;
  };
}

function compileRange(step: RangeStep, runOf: RunOf): Act {
  const evaluate = compileExpression(step.value);
  const list = compileList(step.list, runOf);
  const otherwise = compileList(step.otherwise, runOf);
  const { index, element } = step;
  return (state) => {
    const value = evaluate(state);
    const rounds = roundsOf(state, value, index !== undefined);
    const { count, items, keys, isInterface } = rounds;
    if (count <= 0) {
      // In Go a `break` there leaves this range, not the one around it; a `continue` is of the one around.
      const left = otherwise(state);
      return left === BREAK ? GO_ON : left;
    }
    const { dot, isDotPlain, isDotInterface } = state;
    state.isDotInterface = isInterface;
    for (let at = 0; at < count; at++) {
      takeStep(state, state.out.length);
      const item = items ? itemAt(items, at) : roundAt(rounds, at);
      if (index) setTarget(state, index, keys ? keys[at] : at, false);
      if (element) setTarget(state, element, item, isInterface);
      state.dot = item;
      state.isDotPlain = isPlain(item);
      if (list(state) === BREAK) break;
    }
    state.dot = dot;
    state.isDotPlain = isDotPlain;
    state.isDotInterface = isDotInterface;
    return GO_ON;
  };
}

function compileTemplate(step: Extract<ProgramStep, { op: 'template' }>, runOf: RunOf): Act {
  const { site, name, procedure } = step;
  const evaluate: Evaluate = step.value ? compileExpression(step.value) : () => undefined;
  return (state) => {
    state.at = site;
    if (procedure === undefined) noTemplate(state, name);
    checkDepth(state);
    const value = evaluate(state);
    takeStep(state, state.out.length);
    const { dot, isDotPlain, isDotInterface } = state;
    state.dot = value;
    state.isDotInterface = false;
    state.depth++;
    if (state.depth > SHALLOW) runDeep(state, procedure);
    else runOf(procedure)(state);
    state.depth--;
    state.dot = dot;
    state.isDotPlain = isDotPlain;
    state.isDotInterface = isDotInterface;
    return GO_ON;
  };
}
