import { htmlEscape, jsEscape, urlQueryEscape } from '../fmt/escape.js';
import { sprint, sprintln } from '../fmt/sprint.js';
import { sprintf } from '../fmt/sprintf.js';
import type { TemplateFunction, Value } from '../value/value.js';
import { indexInto, lengthOf, sliceOf } from './collections.js';
import { isAtMost, isEqual, isEqualToAny, isLess } from './compare.js';
import { type BuiltinState, type FunctionEntry, type ParameterType, signatureOf } from './function-entry.js';
import { isTrue } from './values.js';

/** The functions that every template has. `and`, `or` and `call` have more to them where they are planned. */
const BUILTINS: ReadonlyMap<string, FunctionEntry> = new Map(
  (
    [
      ['and', ['data', 'data'], true, (_, [first]) => first],
      ['or', ['data', 'data'], true, (_, [first]) => first],
      ['not', ['data'], false, (_, [value]) => !isTrue(value)],
      ['len', ['data'], false, (_, [value]) => lengthOf(value)],
      ['index', ['data', 'data'], true, (_, [item, ...indexes]) => indexInto(item, indexes)],
      ['slice', ['data', 'index'], true, (_, [item, ...indexes]) => sliceOf(item, indexes)],
      ['call', ['any', 'any'], true, (_, [callee]) => callee],
      ['eq', ['data', 'data'], true, (state, [first, ...others]) => isEqualToAny(first, others, room(state))],
      ['ne', ['data', 'data'], false, (state, [left, right]) => !isEqual(left, right, room(state))],
      ['lt', ['data', 'data'], false, (_, [left, right]) => isLess(left, right)],
      ['le', ['data', 'data'], false, (state, [left, right]) => isAtMost(left, right, room(state))],
      ['gt', ['data', 'data'], false, (state, [left, right]) => !isAtMost(left, right, room(state))],
      ['ge', ['data', 'data'], false, (_, [left, right]) => !isLess(left, right)],
      ['print', ['data'], true, (state, args) => sprint(args, room(state))],
      ['println', ['data'], true, (state, args) => sprintln(args, room(state))],
      [
        'printf',
        ['string', 'data'],
        true,
        (state, [format, ...args]) => sprintf(format as string, args, room(state)),
      ],
      ['html', ['data'], true, (state, args) => htmlEscape(args, room(state))],
      ['js', ['data'], true, (state, args) => jsEscape(args, room(state))],
      ['urlquery', ['data'], true, (state, args) => urlQueryEscape(args, room(state))],
    ] satisfies readonly Row[]
  ).map(([name, params, variadic, builtin]: Row) => [
    name,
    { name, signature: { params, variadic }, builtin },
  ]),
);

/** A function by its name: one of the user's own, else a builtin. */
export function findFunction(
  own: ReadonlyMap<string, TemplateFunction>,
  name: string,
): FunctionEntry | undefined {
  const call = own.get(name);
  return call ? { name, signature: signatureOf(call), builtin: undefined } : BUILTINS.get(name);
}

type Row = readonly [
  name: string,
  params: readonly ParameterType[],
  variadic: boolean,
  builtin: (state: BuiltinState, args: readonly Value[]) => Value,
];

/** No text grows past what may be printed. */
const room = ({ bounds: { outputBytes } }: BuiltinState): number => outputBytes;
