import { UNSET, undefinedVariable } from '../exec/closure-expression.js';
import { runDeep, SHALLOW } from '../exec/deep.js';
import { fieldOf, followFields, missingEntry, yieldsInterface } from '../exec/field.js';
import { checkDepth, step } from '../exec/limits.js';
import { methodLiteral } from '../exec/method.js';
import { invoke, noTemplate, roundAt, roundsOf, textOf } from '../exec/operations.js';
import { asParam } from '../exec/param.js';
import type { Program } from '../exec/program.js';
import { fail, type RenderState } from '../exec/state.js';
import { asData, asIndex, isTrue, plainValue } from '../exec/values.js';
import { isPlain } from '../value/entries.js';
import type { Value } from '../value/value.js';
import { writeProgram } from './program.js';

/** Compiles a program to code. Undefined where code must not be made of strings, or nests too deep for it. */
export function compileCode(program: Program): ((state: RenderState) => void) | undefined {
  if (!isCodeAllowed()) return undefined;
  try {
    const { source, constants } = writeProgram(program, Object.keys(RUNTIME));
    return new Function('R', 'C', source)(RUNTIME, constants) as (state: RenderState) => void;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

let isAllowed: boolean | undefined;

/** Whether this place makes functions of strings; a policy may forbid it. Tried once. */
function isCodeAllowed(): boolean {
  if (isAllowed === undefined) {
    try {
      isAllowed = new Function('return true')() as boolean;
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      isAllowed = false;
    }
  }
  return isAllowed;
}

/** Calls a procedure that lies too deep for the stack. */
function callDeep(state: RenderState, out: string, dot: Value, procedure: number): string {
  state.out = out;
  state.dot = dot;
  state.isDotInterface = false;
  runDeep(state, procedure);
  return state.out;
}

const RUNTIME = {
  asData,
  asIndex,
  asParam,
  callDeep,
  checkDepth,
  fail,
  fieldOf,
  followFields,
  invoke,
  isPlain,
  isTrue,
  methodLiteral,
  missingEntry,
  noTemplate,
  plainValue,
  roundAt,
  roundsOf,
  SHALLOW,
  step,
  textOf,
  undefinedVariable,
  UNSET,
  yieldsInterface,
};
