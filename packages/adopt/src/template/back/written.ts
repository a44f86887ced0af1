import type { GoExpression } from './tree.js';

/** A stretch of a template of another language on its way out. `block`: a tag whose line goes when nothing else is on it. */
export interface TemplateStretch {
  readonly kind: 'text' | 'tag' | 'block';
  readonly text: string;
}

/** The texts of calls with only texts behind their first arguments: names of fields. */
export const fieldsOf = (args: readonly GoExpression[]): readonly string[] | undefined => {
  const fields = args.map((arg) =>
    arg.kind === 'literal' && typeof arg.value === 'string' ? arg.value : undefined,
  );
  return fields.every((field) => field !== undefined) ? fields : undefined;
};

/** The arguments of a call of this function. */
export const callOf = (value: GoExpression | undefined, name: string): readonly GoExpression[] | undefined =>
  value?.kind === 'call' && value.name === name ? value.args : undefined;

/** The text that a value is compared with as `printf "%q"` has both. */
export function equalText(
  value: GoExpression,
): { readonly of: GoExpression; readonly text: string } | undefined {
  const [left, right] = (callOf(value, 'eq') ?? []).map((arg) => callOf(arg, 'printf')?.[1]);
  return left !== undefined && right?.kind === 'literal' && typeof right.value === 'string'
    ? { of: left, text: right.value }
    : undefined;
}

/** What a condition asks about the place in the innermost loop. */
export function placeAsked(value: GoExpression, depth: number): 'first' | 'last' | undefined {
  const [left, right] = callOf(value, 'eq') ?? [];
  if (right?.kind !== 'literal') return undefined;
  if (isIndex(left, depth) && right.value === 0) return 'first';
  const sliced = callOf(callOf(left, 'len')?.[0], 'slice');
  return isIndex(sliced?.[1], depth) && right.value === 1 ? 'last' : undefined;
}

export const isIndex = (value: GoExpression | undefined, depth: number): boolean =>
  value?.kind === 'variable' && value.name === `$index${depth}`;
