import { Integer } from '../value/number.js';
import type { Value } from '../value/value.js';
import { rawByte } from './bytes.js';
import type { Spec } from './spec.js';

/** Where the reading of a format stands. */
export interface FormatCursor {
  readonly format: string;
  readonly args: readonly Value[];
  at: number;
  /** The index of the operand that comes next. */
  next: number;
  /** Whether an index such as `[2]` was met: then operands left over are no mistake. */
  isReordered: boolean;
  /** The first `]` from `at` on as far as known, -1 when there is none: keeps `%[%[%[` linear. */
  closing: number;
}

/** What stands behind one `%`. */
export interface Directive {
  /** Undefined when the format ends before a verb. */
  readonly verb: string | undefined;
  readonly spec: Spec;
  /** `%!(BADWIDTH)` and `%!(BADPREC)`, which are printed before the operand. */
  readonly problems: string;
  readonly hasGoodIndex: boolean;
}

/** A cursor at the start of a format. */
export function startFormat(format: string, args: readonly Value[]): FormatCursor {
  return { format, args, at: 0, next: 0, isReordered: false, closing: 0 };
}

/** Reads what stands behind a `%`: flags, index, width, precision, index, verb. */
export function readDirective(cursor: FormatCursor): Directive {
  const flags = readFlags(cursor);
  const problems: string[] = [];
  let index = readIndex(cursor);
  let hasGoodIndex = index.isGood;
  let width: number | undefined;
  let precision: number | undefined;

  if (skip(cursor, '*')) {
    width = readStar(cursor);
    if (width === undefined) problems.push('%!(BADWIDTH)');
    else if (width < 0) {
      width = -width;
      flags.add('-').delete('0');
    }
    index = NO_INDEX;
  } else {
    width = readNumber(cursor, cursor.format.length);
    // `%[3]2d`: an index stands directly before what it is for.
    if (index.isFound && width !== undefined) hasGoodIndex = false;
  }

  // A point at the very end is taken for the verb, as in Go.
  if (cursor.at + 1 < cursor.format.length && skip(cursor, '.')) {
    if (index.isFound) hasGoodIndex = false;
    index = readIndex(cursor);
    hasGoodIndex &&= index.isGood;
    if (skip(cursor, '*')) {
      precision = readStar(cursor);
      if (precision === undefined || precision < 0) {
        precision = undefined;
        problems.push('%!(BADPREC)');
      }
      index = NO_INDEX;
    } else precision = readNumber(cursor, cursor.format.length) ?? 0;
  }

  if (!index.isFound) hasGoodIndex = readIndex(cursor).isGood && hasGoodIndex;
  const verb = readVerb(cursor);
  return { verb, spec: makeSpec(flags, verb, width, precision), problems: problems.join(''), hasGoodIndex };
}

interface Index {
  readonly isFound: boolean;
  readonly isGood: boolean;
}

const NO_INDEX: Index = { isFound: false, isGood: true };
const FLAGS = '+-# 0';
const LARGEST = 1e6;

function readFlags(cursor: FormatCursor): Set<string> {
  const flags = new Set<string>();
  for (; cursor.at < cursor.format.length; cursor.at++) {
    const flag = cursor.format[cursor.at] as string;
    if (!FLAGS.includes(flag)) break;
    flags.add(flag);
  }
  return flags;
}

function skip(cursor: FormatCursor, character: string): boolean {
  if (cursor.format[cursor.at] !== character) return false;
  cursor.at++;
  return true;
}

/** `[2]` makes the second operand the next one. A number outside the operands is found but no good. */
function readIndex(cursor: FormatCursor): Index {
  const { format, at: start } = cursor;
  if (format[start] !== '[') return NO_INDEX;
  cursor.isReordered = true;
  if (cursor.closing >= 0 && cursor.closing <= start) cursor.closing = format.indexOf(']', start);
  if (cursor.closing < 0 || format.length - start < 3) {
    cursor.at = start + 1;
    return { isFound: false, isGood: false };
  }
  cursor.at = start + 1;
  const number = readNumber(cursor, cursor.closing);
  const isNumber = number !== undefined && cursor.at === cursor.closing;
  cursor.at = cursor.closing + 1;
  if (!isNumber) return { isFound: false, isGood: false };
  const isGood = number >= 1 && number <= cursor.args.length;
  if (isGood) cursor.next = number - 1;
  return { isFound: true, isGood };
}

/** Decimal digits before `end`. A number far too large swallows everything up to `end`, as in Go. */
function readNumber(cursor: FormatCursor, end: number): number | undefined {
  let number: number | undefined;
  for (; cursor.at < end; cursor.at++) {
    const digit = cursor.format.charCodeAt(cursor.at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    if (number !== undefined && number > LARGEST) {
      cursor.at = end;
      return undefined;
    }
    number = (number ?? 0) * 10 + digit;
  }
  return number;
}

/** The operand that is a width or a precision; undefined when it is no integer, too large or missing. */
function readStar(cursor: FormatCursor): number | undefined {
  if (cursor.next >= cursor.args.length) return undefined;
  const value = cursor.args[cursor.next++];
  const number = value instanceof Integer ? value.value : value;
  if (!Number.isSafeInteger(number)) return undefined;
  return Math.abs(number as number) > LARGEST ? undefined : (number as number);
}

/** One rune, whatever it is. */
function readVerb(cursor: FormatCursor): string | undefined {
  const code = cursor.format.codePointAt(cursor.at);
  if (code === undefined) return undefined;
  cursor.at += code > 0xffff ? 2 : 1;
  return rawByte(code) === undefined ? String.fromCodePoint(code) : '\ufffd';
}

/** `#` and `+` mean something else for `%v`, and for `%w`, which is `%v` where errors are made. */
function makeSpec(
  flags: ReadonlySet<string>,
  verb: string | undefined,
  width: number | undefined,
  precision: number | undefined,
): Spec {
  const isV = verb === 'v' || verb === 'w';
  const plus = flags.has('+');
  const sharp = flags.has('#');
  return {
    plus: plus && !isV,
    minus: flags.has('-'),
    sharp: sharp && !isV,
    space: flags.has(' '),
    zero: flags.has('0'),
    plusV: plus && isV,
    sharpV: sharp && isV,
    width,
    precision,
  };
}
