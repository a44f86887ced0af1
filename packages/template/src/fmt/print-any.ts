import { guard } from '@cuebook/guard';
import { admit, refuse } from '../value/data.js';
import { Float, INTEGER_TYPES, Integer, Uint8 } from '../value/number.js';
import { Complex, Slice, Struct, Tagged, type Value } from '../value/value.js';
import { fromBytes } from './bytes.js';
import { enter, type PrintFrame } from './frame.js';
import { printComplex, printFloat } from './number/print-float.js';
import { printHex, printInt } from './number/print-int.js';
import { plain, printString } from './print-string.js';
import { pad, type Spec } from './spec.js';
import { typeName } from './type-name.js';

/**
 * A value under a verb, as the operand of a format. Lists, maps and structs are walked without recursion, so
 * depth costs no stack. Past `limit` units the rest is left out: the text is then longer than the limit, and
 * that is the only sign.
 */
export function printAny(value: Value, verb: string, spec: Spec, limit: number): string {
  if (value instanceof Tagged) value = value.text;
  if (value === undefined || value === null) {
    return verb === 'v' || verb === 'T' ? pad('<nil>', spec) : badVerb(value, verb, spec, limit);
  }
  if (verb === 'T') return plain(typeName(value), spec);
  if (verb === 'p') return printPointer(value, verb, spec, limit);
  // Wraps errors elsewhere in Go; here it is wrong for the whole value, and only of bytes for each part.
  if (verb === 'w' && !isBytes(value)) return badVerb(value, verb, spec, limit);
  const text = printScalar(value, verb, spec, limit) ?? printFrames(value, verb, spec, limit);
  // The name of their type in Go's syntax, unless they are inside of something.
  return verb === 'v' && spec.sharpV && isBytes(value) ? text.replace('[]uint8', '[]byte') : text;
}

/** Bytes, which some verbs print as one text. */
const isBytes = (value: Value): value is Slice => value instanceof Slice && value.elementType === 'uint8';

const textOfBytes = ({ items }: Slice): string =>
  fromBytes(Uint8Array.from(items, (item) => (item instanceof Uint8 ? item.value : 0)));

/** `%!d(string=a)`: a verb that is not for this value, or no verb at all. */
function badVerb(value: Value, verb: string, spec: Spec, limit: number): string {
  if (value === undefined || value === null) return `%!${verb}(<nil>)`;
  return `%!${verb}(${typeName(value)}=${printAny(value, 'v', spec, limit)})`;
}

/** What has no parts; undefined for lists, maps and structs. */
function printScalar(value: Value, verb: string, spec: Spec, limit: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return printString(value, verb, spec) ?? badVerb(value, verb, spec, limit);
    case 'number':
    case 'bigint':
      return printNumber(value, verb, spec) ?? badVerb(value, verb, spec, limit);
    case 'boolean':
      return verb === 'v' || verb === 't' ? pad(String(value), spec) : badVerb(value, verb, spec, limit);
    case 'function':
      return printPointer(value, verb, spec, limit);
  }
  if (value instanceof Float)
    return printFloat(value.value, verb, spec, value.type) ?? badVerb(value, verb, spec, limit);
  if (value instanceof Integer) return printInteger(value, verb, spec) ?? badVerb(value, verb, spec, limit);
  if (value instanceof Complex) {
    const text = printComplex(value.real, value.imaginary, verb, spec);
    return text ?? badVerb(value, verb, spec, limit);
  }
  if (value instanceof Tagged) return printScalar(value.text, verb, spec, limit);
  if (isBytes(value) && BYTE_VERBS.has(verb)) return printString(textOfBytes(value), verb, spec);
  return undefined;
}

const BYTE_VERBS: ReadonlySet<string> = new Set(['s', 'q', 'x', 'X']);

function printNumber(value: number | bigint, verb: string, spec: Spec): string | undefined {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
    ? printInt(value, verb, spec)
    : printFloat(value, verb, spec);
}

function printInteger({ type, value }: Integer, verb: string, spec: Spec): string | undefined {
  const { isSigned } = INTEGER_TYPES[type];
  return verb === 'v' && spec.sharpV && !isSigned ? printHex(value, spec, true) : printInt(value, verb, spec);
}

/** Values here have no address: every one that would have one in Go shows this. */
const ADDRESS = 0xc000000000;

function printPointer(value: Value, verb: string, spec: Spec, limit: number): string {
  if (!hasAddress(value)) return badVerb(value, verb, spec, limit);
  const address = value instanceof Slice && value.isNil ? 0 : ADDRESS;
  switch (verb) {
    case 'v':
      if (spec.sharpV) return `(${typeName(value)})(${printHex(address, spec, true)})`;
      return printHex(address, spec, !spec.sharp);
    case 'p':
      return printHex(address, spec, !spec.sharp);
    case 'b':
    case 'o':
    case 'd':
    case 'x':
    case 'X':
      return printInt(address, verb, spec) as string;
    default:
      return badVerb(value, verb, spec, limit);
  }
}

function hasAddress(value: Value): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  return !(
    value instanceof Struct ||
    value instanceof Float ||
    value instanceof Complex ||
    value instanceof Integer
  );
}

/** From this depth on one looks whether a value stands inside itself: such a value is deeper than any other. */
const DEEP = 32;

function printFrames(value: Value, verb: string, spec: Spec, limit: number): string {
  const separator = spec.sharpV ? ', ' : ' ';
  const outer: PrintFrame[] = [];
  const inside = new Set<Value>();
  let frame: PrintFrame | undefined = enter(value, spec);
  let text = frame.open;
  while (frame && text.length <= limit) {
    const index = frame.next++;
    if (index === frame.count) {
      text += frame.close;
      if (outer.length >= DEEP) inside.delete(frame.value);
      frame = outer.pop();
      continue;
    }
    if (index > 0) text += separator;
    if (frame.names) text += `${frame.names[index]}:`;
    if (frame.keys) text += `${printScalar(frame.keys[index], verb, spec, limit)}:`;
    const item = admit(frame.items[index]);
    const scalar = printItem(item, verb, spec, limit);
    if (scalar !== undefined) {
      text += scalar;
      continue;
    }
    outer.push(frame);
    if (outer.length >= DEEP) {
      if (guard('data.cycle', inside.has(item))) refuse(item, 'something that holds itself');
      inside.add(item);
    }
    frame = enter(item, spec);
    text += frame.open;
  }
  return text;
}

/** Inside another value nil is printed bare, whatever the verb and the width. */
function printItem(item: Value, verb: string, spec: Spec, limit: number): string | undefined {
  if (item === undefined || item === null) return spec.sharpV ? 'interface {}(nil)' : '<nil>';
  return printScalar(item, verb, spec, limit);
}
