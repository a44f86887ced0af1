import { guard } from '@cuebook/guard';
import type { TemplateFunction, Value } from '../value/value.js';
import { CallFailure } from './call-failure.js';
import { runFunction } from './call-value.js';
import { countProblem, type ParameterType, paramAt, signatureOf } from './function-entry.js';
import { type Literal, literalAs } from './literal.js';
import { asParam } from './param.js';
import { ExecFailure, fail, type RenderState } from './state.js';

/** Computes an argument of a method as its parameter takes it. */
export type MethodArg = (type: ParameterType) => Value;

interface MethodCall {
  readonly name: string;
  readonly method: TemplateFunction;
  /** The site that an error of the method names. */
  readonly at: number;
  readonly args: readonly MethodArg[];
  readonly hasFirst: boolean;
  readonly first: Value;
}

/** Calls a method. Its arguments are computed only now: before, nothing says what they are for. */
export function callMethod(
  state: RenderState,
  { name, method, at, args, hasFirst, first }: MethodCall,
): Value {
  const signature = signatureOf(method);
  const problem = countProblem(name, signature, args.length, hasFirst);
  if (problem) fail(state, problem);
  const values = args.map((arg, index) => arg(paramAt(signature, index)));
  if (hasFirst) values.push(asParam(state, first, paramAt(signature, args.length)));
  try {
    return boundedText(state, runFunction(method, values), at);
  } catch (error) {
    return callFailed(state, error, name, at);
  }
}

/** A result that is no longer than what may be printed. */
export function boundedText(state: RenderState, result: Value, site: number): Value {
  if (typeof result === 'string' && guard('limit.text', result.length > state.bounds.outputBytes)) {
    throw new ExecFailure(`more than ${state.bounds.outputBytes} bytes of text`, site, true);
  }
  return result;
}

/** What a function threw, as the error of its call. */
export function callFailed(state: RenderState, error: unknown, name: string, site: number): never {
  if (!(error instanceof CallFailure)) throw error;
  state.at = site;
  return fail(state, `error calling ${name}: ${error.message}`);
}

/** A literal as a parameter of a method takes it. */
export function methodLiteral(state: RenderState, node: Literal, at: number, type: ParameterType): Value {
  state.at = at;
  const literal = literalAs(node, type);
  return 'problem' in literal ? fail(state, literal.problem) : literal.value;
}
