import { keyTypeOf } from '../value/entries.js';
import { Float, Integer } from '../value/number.js';
import { Complex, type MapValue, Slice, Struct, Tagged, type Value } from '../value/value.js';

/** The name of a value's type as Go's `%T` prints it. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float64';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'function':
      return functionTypeName(value as { readonly signature?: Partial<Signature> });
    case 'undefined':
      return '<nil>';
    default:
      return objectTypeName(value);
  }
}

/** What a function takes, as far as it says so: `func(string, ...int) interface {}`. */
function functionTypeName({ signature }: { readonly signature?: Partial<Signature> }): string {
  const isSigned = Array.isArray(signature?.params);
  const { params = ['any'], variadic = !isSigned } = isSigned ? (signature ?? {}) : {};
  const names = params.map((param, index) => {
    const name = param === 'any' || param === 'tagged' ? 'interface {}' : param;
    return variadic && index === params.length - 1 ? `...${name}` : name;
  });
  return `func(${names.join(', ')}) interface {}`;
}

interface Signature {
  readonly params: readonly string[];
  readonly variadic: boolean;
}

function objectTypeName(value: object | null): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof Float || value instanceof Integer) return value.type;
  if (value instanceof Slice) return `[]${value.elementType}`;
  if (value instanceof Struct) return value.typeName;
  if (value instanceof Complex) return 'complex128';
  if (value instanceof Tagged) return 'string';
  return `map[${keyTypeOf(value as MapValue)}]interface {}`;
}
