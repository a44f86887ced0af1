import { typeName } from '../fmt/type-name.js';
import { admit } from '../value/data.js';
import { asInt, convertInteger, isIntegerType } from '../value/number.js';
import type { TemplateFunction, Value } from '../value/value.js';
import { CallFailure, refuse } from './call-failure.js';
import { type FunctionEntry, type ParameterType, paramAt, signatureOf } from './function-entry.js';
import { hasType } from './param.js';
import { wordsOf } from './thrown.js';
import { integerOf, kindOf } from './values.js';

/** The builtin `call` at one place of a template: errors name the callee as it is written there. */
export const callEntry = (entry: FunctionEntry, written: string | undefined): FunctionEntry => ({
  ...entry,
  builtin: (_, [callee, ...args]) => callValue(written ?? reflectText(callee), callee, args),
});

function callValue(name: string, given: Value, args: readonly Value[]): Value {
  const callee = admit(given);
  if (callee === undefined || callee === null) refuse('call of nil');
  if (typeof callee !== 'function') refuse(`non-function ${name} of type ${typeName(callee)}`);
  const { params, variadic } = signatureOf(callee);
  const least = variadic ? params.length - 1 : params.length;
  if (variadic ? args.length < least : args.length !== least) {
    refuse(
      `wrong number of args for ${name}: got ${args.length} want ${variadic ? 'at least ' : ''}${least}`,
    );
  }
  const fitting = args.map((arg, index) => {
    const type = paramAt({ params, variadic }, index);
    const data = type === 'any' || type === 'tagged' ? arg : admit(arg);
    const value = fittingInteger(data, type);
    const problem = argumentProblem(value, type);
    if (problem) refuse(`arg ${index}: ${problem}`);
    return value;
  });
  return runFunction(callee, fitting);
}

/** Only here one type of integer becomes another. */
function fittingInteger(value: Value, type: ParameterType): Value {
  const integer = integerOf(value);
  if (integer === undefined) return value;
  if (type === 'int') return asInt(integer);
  return isIntegerType(type) ? convertInteger(type, integer) : value;
}

function argumentProblem(arg: Value, type: ParameterType): string | undefined {
  if (type === 'any' || type === 'tagged' || type === 'data' || type === 'index') return undefined;
  if (arg === undefined || arg === null) return `value is nil; should be of type ${type}`;
  return hasType(arg, type) ? undefined : `value has type ${typeName(arg)}; should be ${type}`;
}

/** Runs a function of the user. Whatever it throws is its error; what returns nothing returns nil. */
export function runFunction(call: TemplateFunction, args: readonly Value[]): Value {
  try {
    const result = (call as (...args: readonly Value[]) => unknown)(...args) as Value;
    return result === undefined ? null : result;
  } catch (error) {
    throw new CallFailure(wordsOf(error));
  }
}

/** What `reflect.Value.String` says: the text of a string, otherwise the type. */
function reflectText(value: Value): string {
  if (typeof value === 'string') return value;
  if (kindOf(value) === 'invalid') return '<invalid Value>';
  return `<${typeName(value)} Value>`;
}
