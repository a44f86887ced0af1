import type { BoolNode, NilNode, NumberNode, Operand, StringNode } from '../parse/node.js';
import { MAX_INT } from '../parse/number.js';
import { printNode } from '../parse/print-node.js';
import { convertInteger, Float, Float32, INTEGER_TYPES, isIntegerType } from '../value/number.js';
import { Complex, type Value } from '../value/value.js';
import type { ParameterType } from './function-entry.js';

/** An operand that is written out: what it is depends on the type that is asked for. */
export type Literal = BoolNode | NilNode | NumberNode | StringNode;

export const isLiteral = (node: Operand): node is Literal =>
  node.kind === 'bool' || node.kind === 'nil' || node.kind === 'number' || node.kind === 'string';

/** The value of a literal, or why it has none. */
export type LiteralValue = { readonly value: Value } | { readonly problem: string };

/** A literal as the argument of a parameter of a type. */
export function literalAs(node: Literal, type: ParameterType): LiteralValue {
  if (type === 'any' || type === 'tagged' || type === 'data' || type === 'index') {
    return node.kind === 'nil' ? { value: undefined } : literalAlone(node);
  }
  if (node.kind === 'nil') return { problem: `cannot assign nil to ${type}` };
  const value = typed(node, type);
  return value === undefined ? { problem: `expected ${wordsOf(type)}; found ${printNode(node)}` } : { value };
}

/** A literal where nothing says its type: as it is written. */
export function literalAlone(node: Exclude<Literal, NilNode>): LiteralValue {
  if (node.kind === 'bool') return { value: node.value };
  if (node.kind === 'string') return { value: node.text };
  const { int, uint, float, complex } = node.constant;
  if (complex) return { value: new Complex(...complex) };
  if (float !== undefined && isWrittenAsFloat(node.text)) return { value: new Float(float) };
  if (int !== undefined) return { value: intValue(int) };
  if (uint !== undefined && uint > MAX_INT) return { problem: `${node.text} overflows int` };
  return { value: undefined };
}

type ScalarType = Exclude<ParameterType, 'any' | 'tagged' | 'data' | 'index'>;

function wordsOf(type: ScalarType): string {
  if (type === 'int') return 'integer';
  if (type === 'float32' || type === 'float64') return 'float';
  if (!isIntegerType(type)) return type;
  return INTEGER_TYPES[type].isSigned ? 'integer' : 'unsigned integer';
}

function typed(node: Exclude<Literal, NilNode>, type: ScalarType): Value {
  if (type === 'string') return node.kind === 'string' ? node.text : undefined;
  if (type === 'bool') return node.kind === 'bool' ? node.value : undefined;
  if (node.kind !== 'number') return undefined;
  const { int, uint, float } = node.constant;
  if (type === 'int') return int === undefined ? undefined : intValue(int);
  if (isIntegerType(type)) {
    // One that is too large loses its upper bits, as in Go.
    const given = INTEGER_TYPES[type].isSigned ? int : uint;
    return given === undefined ? undefined : convertInteger(type, given);
  }
  if (float === undefined) return undefined;
  return type === 'float32' ? new Float32(float) : new Float(float);
}

/**
 * With a point or an exponent, and neither a character nor a hexadecimal integer. Go knows a hexadecimal integer
 * only without a sign: the digit e makes `-0x1e` a float64.
 */
function isWrittenAsFloat(text: string): boolean {
  if (text.startsWith("'")) return false;
  const isHexInteger = /^0[xX]./.test(text) && !/[pP]/.test(text);
  return !isHexInteger && /[.eEpP]/.test(text);
}

/** An int is a number as long as it is safe. */
function intValue(int: bigint): number | bigint {
  const value = Number(int);
  return Number.isSafeInteger(value) ? value : int;
}
