import { hexValue, isAlnum, isDigit } from './chars.js';
import { HEX_MIN, hasTextIn, WRAPPED_MIN } from './encoded.js';
import { kindOf } from './secret/run-kinds.js';
import { mayStartBefore } from './secret/token.js';
import { entriesBefore, entriesOf, entriesOfLength, NEEDLES } from './secret/token-index.js';

/**
 * The first look at a long run of ASCII text, in which most are names of files: true when it is certainly neither a
 * token nor something encoded. It may say false too often, never true: a property test compares it with the close look.
 */
export function isDullRun(
  { bytes, length }: { readonly bytes: Uint8Array; readonly length: number },
  start: number,
  end: number,
  knownOnly: boolean,
): boolean {
  if (end - start >= WRAPPED_MIN) return false;
  if (!knownOnly && start > 0 && mayStartBefore(bytes[start - 1]!, start > 1 ? bytes[start - 2]! : 0))
    return false;
  let traits = 0;
  let digits = 0;
  let hexDigits = 0;
  let isWordStart = true;
  for (let at = start; at < end; at += 1) {
    const code = bytes[at]!;
    const mark = NEEDLES[(code << 7) | (at + 1 < length ? bytes[at + 1]! : 0)]!;
    if (mark !== 0 && !knownOnly && (mark === 2 || isWordStart) && isNeedleAt(bytes, at, length))
      return false;
    const own = TRAITS[code]!;
    traits |= own;
    digits += (own & DIGIT) === 0 ? 0 : 1;
    hexDigits = (own & HEX) === 0 ? 0 : hexDigits + 1;
    if (hexDigits === HEX_MIN) return false;
    isWordStart = (own & ALNUM) === 0;
  }
  const kinds = traits & ~(DIGIT | HEX | ALNUM);
  if (!knownOnly && digits > 1 && mayBeToken(end - start, end < length ? bytes[end]! : 0, kinds))
    return false;
  return !hasTextIn(bytes, start, end);
}

function isNeedleAt(bytes: Uint8Array, at: number, length: number): boolean {
  for (const { needle } of entriesOf(bytes[at]!, bytes[at + 1]!)) {
    let size = 2;
    while (size < needle.length && at + size < length && bytes[at + size] === needle.charCodeAt(size))
      size += 1;
    if (size === needle.length) return true;
  }
  return false;
}

/** A family is found by the length of the run, or by what follows it. */
function mayBeToken(size: number, next: number, kinds: number): boolean {
  return isWithin(kinds, KINDS_OF_LENGTH[size]!) || isWithin(kinds, KINDS_BEFORE[next] ?? NONE);
}

/** Whether one of the masks has all these kinds. */
function isWithin(kinds: number, masks: readonly number[]): boolean {
  for (let index = 0; index < masks.length; index += 1) if ((kinds & ~masks[index]!) === 0) return true;
  return false;
}

const NONE: readonly number[] = [];
const masksOf = (entries: readonly { readonly kinds: number }[]): readonly number[] => [
  ...new Set(entries.map(({ kinds }) => kinds)),
];
/** By length of a run, and by what follows it: the kinds of each family that it may be. */
const KINDS_OF_LENGTH = Array.from({ length: WRAPPED_MIN }, (_, size) => masksOf(entriesOfLength(size)));
const KINDS_BEFORE = Array.from({ length: 128 }, (_, next) => masksOf(entriesBefore(next)));

const DIGIT = 1 << 13;
const HEX = 1 << 14;
const ALNUM = 1 << 15;
/** By code: its kind (see `kindOf`), and these. */
const TRAITS = Uint16Array.from({ length: 128 }, (_, code) => {
  const isAlnumCode = isAlnum(code) ? ALNUM : 0;
  return kindOf(code) | isAlnumCode | (isDigit(code) ? DIGIT : 0) | (hexValue(code) >= 0 ? HEX : 0);
});
