import type { CallExpression, Expression } from '@babel/types';
import type { Outline } from './outline-node.js';

/** The keyword of JSON Schema that an argument of a method says, by the method and the position of the argument. */
const BASES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  object: ['properties'],
  strictObject: ['properties'],
  looseObject: ['properties'],
  array: ['items'],
  enum: ['enum'],
  literal: ['const'],
  record: ['propertyNames', 'additionalProperties'],
  union: ['anyOf'],
  tuple: ['prefixItems'],
};
const METHODS: Readonly<Record<string, string>> = { describe: 'description', default: 'default' };

/**
 * What a schema that is written as a chain of calls, such as `z.object({ … }).describe('…')`, says, by the keywords of
 * the JSON Schema that is made of it. A guess by names: who counts on a text compares it with the real one.
 */
export function schemaEntries(
  call: CallExpression,
  outlineOf: (node: Expression) => Outline,
): ReadonlyMap<string, Outline> {
  const entries = new Map<string, Outline>();
  // The last of two calls of one method is the one that counts, and it stands outermost.
  const add = (
    keyword: string | undefined,
    argument: CallExpression['arguments'][number] | undefined,
  ): void => {
    if (keyword === undefined || argument === undefined || entries.has(keyword)) return;
    if (argument.type !== 'SpreadElement' && argument.type !== 'ArgumentPlaceholder')
      entries.set(keyword, outlineOf(argument));
  };
  for (let node: Expression = call; node.type === 'CallExpression'; ) {
    const { callee, arguments: args } = node;
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') break;
    const { name } = callee.property;
    const inner = callee.object as Expression;
    if (inner.type === 'CallExpression') {
      add(METHODS[name], args[0]);
      node = inner;
      continue;
    }
    for (const [index, keyword] of (BASES[name] ?? []).entries()) add(keyword, args[index]);
    const [wrapped] = args;
    if (WRAPPERS.has(name) && wrapped !== undefined && wrapped.type !== 'SpreadElement')
      for (const [keyword, entry] of outlineOf(wrapped as Expression).entries ?? [])
        if (!entries.has(keyword)) entries.set(keyword, entry);
    break;
  }
  return entries;
}

/** Functions that answer the schema that they are handed, more or less. */
const WRAPPERS: ReadonlySet<string> = new Set(['optional', 'nullable', 'nullish', 'readonly']);
