import { typeName } from '../fmt/type-name.js';
import type { Value } from '../value/value.js';
import type { ParameterType, ParamType } from './function-entry.js';
import { fail, type RenderState } from './state.js';
import { asData, plainValue } from './values.js';

/** A value as a parameter of a type takes it. Fails at the state's site. */
export function asParam(state: RenderState, value: Value, type: ParameterType): Value {
  if (type === 'tagged') return value;
  if (type === 'any') return plainValue(value);
  const plain = asData(value);
  if (type === 'data' || type === 'index' || hasType(plain, type)) return plain;
  if (plain === undefined) fail(state, `invalid value; expected ${type}`);
  const found = plain === null ? 'interface {}' : typeName(plain);
  return fail(state, `wrong type for value; expected ${type}; got ${found}`);
}

export function hasType(value: Value, type: ParamType): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'bool') return typeof value === 'boolean';
  return type === 'any' || type === 'tagged' || typeName(value) === type;
}
