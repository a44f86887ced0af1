import { quoteString } from '../fmt/quote.js';
import { typeName } from '../fmt/type-name.js';
import { admit } from '../value/data.js';
import { isInherited, isPlain, keyTypeOf, mapEntry } from '../value/entries.js';
import { type MapValue, Struct, Tagged, type Value } from '../value/value.js';
import { callMethod, type MethodArg } from './method.js';
import { fail, type RenderState } from './state.js';
import { kindOf, plainValue } from './values.js';

/** How the last name of a chain is called. Without it a method gets no arguments. */
export interface FieldCall {
  readonly args: readonly MethodArg[];
  readonly hasFirst: boolean;
  /** The value piped in. */
  readonly first: Value;
}

/**
 * Follows `names` from a receiver. `isInterface` says whether the receiver came out of an interface, which the
 * text of an error depends on; whether it is plain is asked only when that is not known. `at` is the site that errors
 * of methods name. Generated code does the same in place (`writeField`), read for read.
 */
export function followFields(
  state: RenderState,
  receiver: Value,
  isInterface: boolean,
  names: readonly string[],
  at: number,
  call?: FieldCall,
  isReceiverPlain?: boolean,
): Value {
  const last = names.length - 1;
  let holder: Value;
  for (let index = 0; index <= last; index++) {
    const name = names[index] as string;
    const given = index === last ? call : undefined;
    let field: Value;
    const known = index === 0 ? isReceiverPlain : undefined;
    if (!given && !isInherited(name) && (known ?? isPlain(receiver))) {
      field = (receiver as { readonly [key: string]: Value })[name];
      if (field === undefined) field = missingEntry(state, name);
    } else {
      const isInside = index === 0 ? isInterface : yieldsInterface(holder, names[index - 1] as string);
      field = fieldOf(state, receiver, isInside, name, at, given);
    }
    holder = receiver;
    receiver = field;
  }
  state.fieldHolder = holder;
  return receiver;
}

/** Whether what a name yields is inside an interface: only a field of a struct is not. */
export const yieldsInterface = (holder: Value, name: string): boolean =>
  !(holder instanceof Struct) || holder.methods.has(name);

/** One field or method of a struct, or one entry of a map. */
export function fieldOf(
  state: RenderState,
  given: Value,
  isInterface: boolean,
  name: string,
  at: number,
  call?: FieldCall,
): Value {
  const receiver = admit(given);
  const hasArguments = call !== undefined;
  if (receiver instanceof Struct) {
    const method = receiver.methods.get(name);
    if (method) return callMethod(state, { name, method, at, ...(call ?? NO_CALL) });
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
      if (keyTypeOf(receiver as MapValue) !== 'string') return noField(state, receiver, isInterface, name);
      if (hasArguments) fail(state, `${name} is not a method but has arguments`);
      return entryOf(state, receiver as MapValue, name);
    default:
      return noField(state, receiver, isInterface, name);
  }
}

const NO_CALL: FieldCall = { args: [], hasFirst: false, first: undefined };

function entryOf(state: RenderState, map: MapValue, name: string): Value {
  const value = mapEntry(map, name);
  return value === undefined ? missingEntry(state, name) : value;
}

/** What a key is that a map has not. */
export function missingEntry(state: RenderState, name: string): Value {
  if (state.missingKey === 'zero') return null;
  if (state.missingKey === 'error') fail(state, `map has no entry for key ${quoteString(name)}`);
  return undefined;
}

function noField(state: RenderState, receiver: Value, isInterface: boolean, name: string): never {
  // Text with an origin comes from a function of texts.
  const isInside = isInterface && !(receiver instanceof Tagged);
  const type = isInside ? 'interface {}' : typeName(plainValue(receiver));
  return fail(state, `can't evaluate field ${name} in type ${type}`);
}
