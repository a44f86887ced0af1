import { quoteString } from '../fmt/quote.js';
import { typeName } from '../fmt/type-name.js';
import { Struct, type Value } from '../value/value.js';
import { fail, type State } from './state.js';
import { kindOf, type MapValue, mapEntry, plainValue } from './values.js';

/**
 * Follows `names` from a receiver. `isInterface` says whether the receiver came out of an interface, which the
 * text of an error depends on.
 */
export function followFields(
  state: State,
  receiver: Value,
  isInterface: boolean,
  names: readonly string[],
  hasArguments: boolean,
): Value {
  const last = names.length - 1;
  for (let index = 0; index <= last; index++) {
    const next = fieldOf(
      state,
      receiver,
      isInterface,
      names[index] as string,
      hasArguments && index === last,
    );
    isInterface = !(receiver instanceof Struct);
    receiver = next;
  }
  state.isFieldInterface = isInterface;
  return receiver;
}

/** One field of a struct, or one entry of a map. */
export function fieldOf(
  state: State,
  receiver: Value,
  isInterface: boolean,
  name: string,
  hasArguments: boolean,
): Value {
  if (receiver instanceof Struct) {
    const field = receiver.fields.get(name);
    if (field === undefined && !receiver.fields.has(name)) return noField(state, receiver, isInterface, name);
    if (hasArguments) fail(state, `${name} has arguments but cannot be invoked as function`);
    return field;
  }
  switch (kindOf(receiver)) {
    case 'invalid':
      if (state.missingKey === 'error') fail(state, `nil data; no entry for key ${quoteString(name)}`);
      return undefined;
    case 'nil':
      return fail(state, `nil pointer evaluating interface {}.${name}`);
    case 'map':
      if (hasArguments) fail(state, `${name} is not a method but has arguments`);
      return mapEntry(receiver as MapValue, name) ?? missingEntry(state, receiver as MapValue, name);
    default:
      return noField(state, receiver, isInterface, name);
  }
}

function missingEntry(state: State, map: MapValue, name: string): Value {
  if (mapEntry(map, name) === null) return null;
  if (state.missingKey === 'zero') return null;
  if (state.missingKey === 'error') fail(state, `map has no entry for key ${quoteString(name)}`);
  return undefined;
}

function noField(state: State, receiver: Value, isInterface: boolean, name: string): never {
  const type = isInterface ? 'interface {}' : typeName(plainValue(receiver));
  return fail(state, `can't evaluate field ${name} in type ${type}`);
}
