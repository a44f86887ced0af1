import { printValue } from '../fmt/print-value.js';
import { quoteString } from '../fmt/quote.js';
import { sortedEntries } from '../fmt/sorted-entries.js';
import { sprint } from '../fmt/sprint.js';
import { typeName } from '../fmt/type-name.js';
import { admit } from '../value/data.js';
import { sizeOfList } from '../value/entries.js';
import { convertInteger, Integer, type IntegerType } from '../value/number.js';
import { type MapValue, Tagged, type Value } from '../value/value.js';
import { CallFailure } from './call-failure.js';
import { runFunction } from './call-value.js';
import { boundedText, callFailed } from './method.js';
import { type CallExpression, printSite } from './program.js';
import { fail, type RenderState } from './state.js';
import { holdsInterfaces, integerOf, itemAt, itemsOf, kindOf, plainValue } from './values.js';

/** Calls a function with arguments that fit. Both back ends come here with all but the commonest calls. */
export function invoke(
  state: RenderState,
  { entry, callSite }: CallExpression,
  args: readonly Value[],
): Value {
  try {
    const result = entry.builtin ? entry.builtin(state, args) : runUserFunction(state, entry.name, args);
    return boundedText(state, result, callSite);
  } catch (error) {
    return callFailed(state, error, entry.name, callSite);
  }
}

function runUserFunction({ functions }: RenderState, name: string, args: readonly Value[]): Value {
  const call = functions.get(name);
  if (!call) throw new CallFailure(`function ${name} is gone`);
  return runFunction(call, args);
}

/** The text that an action prints. A function that said where its text came from is remembered. */
export function textOf(state: RenderState, given: Value, site: number): string {
  if (typeof given === 'string') return given;
  if (typeof given === 'number') return printValue(given);
  if (typeof given === 'object' && given instanceof Tagged) {
    state.origins ??= new Map();
    state.origins.set(state.pieces.length, given.origin);
    return given.text;
  }
  const value = admit(given);
  if (typeof value === 'function') {
    state.at = site;
    fail(state, `can't print ${printSite(state.sites(), site)} of type ${typeName(value)}`);
  }
  return printValue(value, state.bounds.outputBytes);
}

/** What a loop goes over: `items` by their `keys` or their places, or just so many numbers of a type. */
export interface Rounds {
  readonly count: number;
  /** The sized type of the numbers; undefined when they are ints. */
  readonly type?: IntegerType;
  readonly items: readonly Value[] | undefined;
  readonly keys: readonly Value[] | undefined;
  /** Whether the elements are inside an interface, which error texts say. */
  readonly isInterface: boolean;
}

/** What `range` makes of a value; fails for what it cannot go over. */
export function roundsOf(state: RenderState, given: Value, hasIndex: boolean): Rounds {
  if (Array.isArray(given))
    return { count: sizeOfList(given), items: given, keys: undefined, isInterface: true };
  const value = admit(given);
  switch (kindOf(value)) {
    case 'slice': {
      const items = itemsOf(value);
      return { count: sizeOfList(items), items, keys: undefined, isInterface: holdsInterfaces(value) };
    }
    case 'map':
      return roundsOfMap(value as MapValue);
    case 'invalid':
    case 'nil':
      return { count: 0, items: undefined, keys: undefined, isInterface: false };
    case 'int':
    case 'uint':
      return roundsOfCount(state, value, hasIndex);
    default:
      return fail(state, `range can't iterate over ${sprint([plainValue(value)], state.bounds.outputBytes)}`);
  }
}

function roundsOfMap(map: MapValue): Rounds {
  const entries = sortedEntries(map);
  return {
    count: entries.length,
    items: entries.map(([, item]) => item),
    keys: entries.map(([key]) => key),
    isInterface: true,
  };
}

/** A count past the safe integers is as good as one: no render goes that far. */
function roundsOfCount(state: RenderState, value: Value, hasIndex: boolean): Rounds {
  if (hasIndex) fail(state, `can't use ${sprint([value])} to iterate over more than one variable`);
  const rounds = { count: Number(integerOf(value)), items: undefined, keys: undefined, isInterface: false };
  return value instanceof Integer ? { ...rounds, type: value.type } : rounds;
}

/** What the rounds give in one of them. */
export function roundAt({ items, type }: Rounds, at: number): Value {
  if (items) return itemAt(items, at);
  return type === undefined ? at : convertInteger(type, at);
}

/** Fails for a template that nothing defines. */
export function noTemplate(state: RenderState, name: string): never {
  return fail(state, `template ${quoteString(name)} not defined`);
}
