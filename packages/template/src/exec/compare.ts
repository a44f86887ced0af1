import { compareBytes } from '../fmt/bytes.js';
import { sprint } from '../fmt/sprint.js';
import { sprintf } from '../fmt/sprintf.js';
import { typeName } from '../fmt/type-name.js';
import { type Complex, Slice, Struct, type Value } from '../value/value.js';
import { refuse } from './call-failure.js';
import { floatOf, type GoKind, integerOf, kindOf } from './values.js';

/** `eq`: whether the first value equals any of the others. */
export function isEqualToAny(first: Value, others: readonly Value[], limit: number): boolean {
  if (others.length === 0) refuse('missing argument for comparison');
  return others.some((other) => isEqual(first, other, limit));
}

/** `eq` of two. What is wrong with them is told in `limit` units: it shows values, which may be of any size. */
export function isEqual(left: Value, right: Value, limit: number): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left === right;
  const kind = basicKind(left);
  const other = basicKind(right);
  if (kind !== other) {
    if (isWhole(kind) && isWhole(other)) return isSameWhole(left, right);
    if (kindOf(left) === 'invalid' || kindOf(right) === 'invalid') return false;
    if (left === null || right === null) return false;
    return incompatible(left, right);
  }
  switch (kind) {
    case 'bool':
    case 'string':
      return left === right;
    case 'int':
    case 'uint':
      return isSameWhole(left, right);
    case 'float':
      return floatOf(left) === floatOf(right);
    case 'complex':
      return isSameComplex(left as Complex, right as Complex);
    default:
      return isEqualOther(left, right, limit);
  }
}

/** `lt`. Only numbers of one kind and strings have an order. */
export function isLess(left: Value, right: Value): boolean {
  const kind = basicKind(left);
  const other = basicKind(right);
  if (kind === 'other' || other === 'other') refuse('invalid type for comparison');
  if (isWhole(kind) && isWhole(other)) return wholeOf(left) < wholeOf(right);
  if (kind !== other) return incompatible(left, right);
  if (kind === 'float') return floatOf(left) < floatOf(right);
  if (kind === 'string') return compareBytes(left as string, right as string) < 0;
  return refuse('invalid type for comparison');
}

/** `le`. Not the opposite of `gt`: NaN is neither. */
export const isAtMost = (left: Value, right: Value, limit: number): boolean =>
  isLess(left, right) || isEqual(left, right, limit);

type Basic = 'bool' | 'string' | 'int' | 'uint' | 'float' | 'complex' | 'other';

function basicKind(value: Value): Basic {
  const kind = kindOf(value);
  return BASIC.has(kind) ? (kind as Basic) : 'other';
}

const BASIC: ReadonlySet<GoKind> = new Set<GoKind>(['bool', 'string', 'int', 'uint', 'float', 'complex']);

const isWhole = (kind: Basic): boolean => kind === 'int' || kind === 'uint';

const wholeOf = (value: Value): number | bigint => integerOf(value) as number | bigint;

function isSameWhole(left: Value, right: Value): boolean {
  const [one, other] = [wholeOf(left), wholeOf(right)];
  return typeof one === typeof other ? one === other : BigInt(one) === BigInt(other);
}

const isSameComplex = (left: Complex, right: Complex): boolean =>
  left.real === right.real && left.imaginary === right.imaginary;

/** Slices, maps, structs, functions and nil: nil equals nil, and of the rest only plain structs compare. */
function isEqualOther(left: Value, right: Value, limit: number): boolean {
  const [kind, other] = [kindOf(left ?? undefined), kindOf(right ?? undefined)];
  if (kind !== other && kind !== 'invalid' && other !== 'invalid') {
    const [shown, other] = [sprintf('%s', [left], limit), sprint([right], limit)];
    refuse(`non-comparable types ${shown}: ${typeName(left)}, ${typeName(right)}: ${other}`);
  }
  if (isNil(left) || isNil(right)) return isNil(left) && isNil(right);
  // Go asks only the second.
  if (!isComparable(right))
    refuse(`non-comparable type ${sprintf('%s', [right], limit)}: ${typeName(right)}`);
  return isSame(left, right, limit);
}

const isNil = (value: Value): boolean =>
  value === undefined || value === null || (value instanceof Slice && value.isNil);

const isComparable = (value: Value): boolean =>
  basicKind(value) !== 'other' ||
  value === null ||
  (value instanceof Struct && [...value.fields.values()].every(isComparable));

/** Go's `==` of two interfaces: of one type and equal. */
function isSame(left: Value, right: Value, limit: number): boolean {
  if (typeName(left) !== typeName(right)) return false;
  if (!(left instanceof Struct && right instanceof Struct)) return isEqual(left, right, limit);
  return [...left.fields].every(([name, field]) => isSame(field, right.fields.get(name), limit));
}

function incompatible(left: Value, right: Value): never {
  return refuse(`incompatible types for comparison: ${typeName(left)} and ${typeName(right)}`);
}
