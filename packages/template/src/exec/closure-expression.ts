import type { Value } from '../value/value.js';
import { type FieldCall, followFields, yieldsInterface } from './field.js';
import type { ParameterType } from './function-entry.js';
import { methodLiteral } from './method.js';
import { invoke } from './operations.js';
import { asParam } from './param.js';
import {
  type CallExpression,
  type EitherExpression,
  type Expression,
  type FieldExpression,
  isInterfaceCall,
  type MethodArgument,
  type SlotTarget,
} from './program.js';
import { fail, type RenderState } from './state.js';
import { asIndex, isTrue } from './values.js';

/** Computes a value. */
export type Evaluate = (state: RenderState) => Value;

/** The closure of an expression. */
export function compileExpression(expression: Expression): Evaluate {
  switch (expression.op) {
    case 'constant': {
      const { at, value } = expression;
      return (state) => {
        state.at = at;
        return value;
      };
    }
    case 'dot': {
      const { at } = expression;
      return (state) => {
        state.at = at;
        return state.dot;
      };
    }
    case 'variable': {
      const { at, target } = expression;
      return (state) => {
        state.at = at;
        return readTarget(state, target);
      };
    }
    case 'field':
      return compileField(expression);
    case 'call':
      return compileCall(expression);
    case 'either':
      return compileEither(expression);
    case 'pipe':
      return compilePipe(expression.stage, expression.targets);
    case 'fail': {
      const { at, message } = expression;
      const first = compileFirst(expression.first);
      return (state) => {
        first?.(state);
        if (at >= 0) state.at = at;
        return fail(state, message);
      };
    }
  }
}

/** Gives a variable its value; `isInterface` as in `followFields`. */
export function setTarget(state: RenderState, target: SlotTarget, value: Value, isInterface: boolean): void {
  const slot = findSlot(state, target);
  state.vars[slot * 2] = value;
  state.vars[slot * 2 + 1] = isInterface;
}

const readTarget = (state: RenderState, target: SlotTarget): Value => state.vars[findSlot(state, target) * 2];

const isTargetInterface = (state: RenderState, target: SlotTarget): boolean =>
  state.vars[findSlot(state, target) * 2 + 1] === true;

/** A slot that a skipped declaration left alone. */
export const UNSET: Value = Object.freeze({ unset: true });

function findSlot(state: RenderState, { name, slots, isCertain }: SlotTarget): number {
  const last = slots.length - 1;
  for (let index = 0; index <= last; index++) {
    const slot = slots[index] as number;
    if ((isCertain && index === last) || state.vars[slot * 2] !== UNSET) return slot;
  }
  return undefinedVariable(state, name);
}

/** Fails for a variable that nothing has declared by now. */
export function undefinedVariable(state: RenderState, name: string): never {
  return fail(state, `undefined variable: ${name}`);
}

/** The stage before another one: an interface that holds nothing is no value. */
function compileFirst(expression: Expression | undefined): Evaluate | undefined {
  if (!expression) return undefined;
  const evaluate = compileExpression(expression);
  return (state) => evaluate(state) ?? undefined;
}

function compilePipe(stage: Expression, targets: readonly SlotTarget[]): Evaluate {
  const evaluate = compileExpression(stage);
  if (targets.length === 0) return (state) => evaluate(state) ?? undefined;
  return (state) => {
    const value = evaluate(state) ?? undefined;
    for (const target of targets) setTarget(state, target, value, false);
    return value;
  };
}

function compileField({ at, base, names, args, first }: FieldExpression): Evaluate {
  const callOf = compileFieldCall(args, first);
  if (base === 'dot') {
    return (state) => {
      const call = callOf?.(state);
      state.at = at;
      return followFields(state, state.dot, state.isDotInterface, names, at, call, state.isDotPlain);
    };
  }
  const isExpression = 'op' in base;
  const isCall = isExpression && isInterfaceCall(base);
  const evaluate = isExpression ? compileExpression(base) : (state: RenderState) => readTarget(state, base);
  return (state) => {
    const call = callOf?.(state);
    state.at = at;
    const value = evaluate(state);
    const isInside = isExpression ? isCall : isTargetInterface(state, base);
    return followFields(state, value, isInside, names, at, call);
  };
}

/** What the last name is called with; undefined when there is nothing. */
function compileFieldCall(
  args: readonly MethodArgument[],
  first: Expression | undefined,
): ((state: RenderState) => FieldCall) | undefined {
  if (args.length === 0 && !first) return undefined;
  const before = compileFirst(first);
  const compiled = args.map(compileMethodArgument);
  return (state) => ({
    first: before?.(state),
    hasFirst: before !== undefined,
    args: compiled.map((arg) => (type: ParameterType) => arg(state, type)),
  });
}

function compileMethodArgument(arg: MethodArgument): (state: RenderState, type: ParameterType) => Value {
  if (arg.literal) return (state, type) => methodLiteral(state, arg.literal, arg.at, type);
  const evaluate = compileExpression(arg.value);
  return (state, type) => asParam(state, evaluate(state), type);
}

function compileCall(call: CallExpression): Evaluate {
  const { at, firstType } = call;
  const first = compileFirst(call.first);
  const args = call.args.map(({ value, type }): Evaluate => {
    if (type === 'index') return compileIndex(value);
    const evaluate = compileExpression(value);
    return (state) => asParam(state, evaluate(state), type);
  });
  return (state) => {
    const piped = first?.(state);
    state.at = at;
    const values: Value[] = [];
    for (let index = 0; index < args.length; index++) values.push((args[index] as Evaluate)(state));
    if (first) values.push(asParam(state, piped, firstType));
    return invoke(state, call, values);
  };
}

function compileEither({ at, isOr, args, first, resets }: EitherExpression): Evaluate {
  const before = compileFirst(first);
  const evaluates = args.map(compileExpression);
  return (state) => {
    const piped = before?.(state);
    state.at = at;
    for (const slot of resets) state.vars[slot * 2] = UNSET;
    let value: Value;
    for (let index = 0; index < evaluates.length; index++) {
      value = (evaluates[index] as Evaluate)(state);
      if (isTrue(value) === isOr) return value;
    }
    return before ? piped : value;
  };
}

/** An argument of which it matters whether it is still inside an interface. */
function compileIndex(expression: Expression): Evaluate {
  const evaluate = compileExpression(expression);
  const isInterface = interfaceOf(expression);
  return (state) => {
    const value = evaluate(state);
    return asIndex(value, isInterface(state));
  };
}

/** Whether the value that an expression has just yielded is inside an interface. */
function interfaceOf(expression: Expression): (state: RenderState) => boolean {
  switch (expression.op) {
    case 'dot':
      return (state) => state.isDotInterface;
    case 'field':
      return (state) => yieldsInterface(state.fieldHolder, expression.names.at(-1) as string);
    case 'variable':
      return (state) => isTargetInterface(state, expression.target);
    default: {
      const isInside = isInterfaceCall(expression);
      return () => isInside;
    }
  }
}
