import { isAlnum, isDigit, isLetter } from '../chars.js';
import { hasCheckDigits } from './check-digits.js';
import type { Chance, Family } from './family.js';
import { kindsIn } from './run-kinds.js';
import { isOpaque, isPhrase, isPlaceholder, isRandom, type SecretRange } from './secret-value.js';
import {
  entriesAt,
  entriesBefore,
  entriesOfLength,
  type FamilyEntry,
  isLongNeedle,
  nextNeedle,
} from './token-index.js';

/** The first token that starts in or just before the long run `[start, end)`, not before `floor`. */
export function matchToken(text: string, start: number, end: number, floor: number): SecretRange | undefined {
  const scheme = schemeBefore(text, start, floor);
  if (scheme) return scheme;
  const first = firstStart(text, start, floor);
  for (let at = nextNeedle(text, first, end); at < end; at = nextNeedle(text, at + 1, end)) {
    const found = longest(text, at, floor, entriesAt(text, at));
    if (found) return found;
  }
  return matchRun(text, start, end);
}

/** A token may have `.`, `:` and the like inside, of which its longest run is the last part. */
function firstStart(text: string, start: number, floor: number): number {
  return JOINTS[text.charCodeAt(start - 1)] === 1 ? Math.max(floor, start - JOINED_MAX) : start;
}

/** Whether a token of the run behind these two characters may start before it, or be told by what stands there. */
export const mayStartBefore = (before: number, beyond: number): boolean =>
  JOINTS[before] === 1 || before === BACKSLASH || (before === 32 && isSchemeEnd(beyond));

const BACKSLASH = 92;
const JOINTS = Uint8Array.from({ length: 128 }, (_, code) =>
  '.:~$+?=&!|'.includes(String.fromCharCode(code)) ? 1 : 0,
);
/** The longest stretch before the last part of a token. */
const JOINED_MAX = 80;

function longest(
  text: string,
  at: number,
  floor: number,
  entries: readonly FamilyEntry[],
): SecretRange | undefined {
  let best: SecretRange | undefined;
  for (const entry of entries) {
    if (!text.startsWith(entry.needle, at)) continue;
    const start = entry.lead ? leadStart(text, at, floor, entry.lead) : at;
    const found = start === -1 ? undefined : matchEntry(text, start, entry);
    if (found && (!best || found.end > best.end)) best = found;
  }
  return best;
}

/** Where a token starts whose needle stands at `at`, or -1. */
function leadStart(text: string, at: number, floor: number, lead: NonNullable<FamilyEntry['lead']>): number {
  if (lead.min === lead.max) return at - lead.min >= floor ? at - lead.min : -1;
  let start = at;
  while (start > floor && at - start < lead.max && lead.alphabet.test(text.charAt(start - 1))) start -= 1;
  return at - start >= lead.min ? start : -1;
}

/** A run that is a token as a whole: random characters of a vendor's length, and the vendor's name before them. */
function matchRun(text: string, start: number, end: number): SecretRange | undefined {
  const ofLength = entriesOfLength(end - start);
  const before = entriesBefore(text.charCodeAt(end));
  if ((ofLength.length === 0 && before.length === 0) || !hasDigits(text, start, end)) return undefined;
  const kinds = kindsIn(text, start, end);
  return wholeRun(text, start, end, ofLength, kinds) ?? wholeRun(text, start, end, before, kinds);
}

/** Two digits: words and most names of files have none. */
function hasDigits(text: string, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end && count < 2; at += 1) if (isDigit(text.charCodeAt(at))) count += 1;
  return count > 1;
}

function wholeRun(
  text: string,
  start: number,
  end: number,
  entries: readonly FamilyEntry[],
  kinds: number,
): SecretRange | undefined {
  let speaks: boolean | undefined;
  for (const entry of entries) {
    // The run has a character that no token of this family has: told before anything is read around it.
    if ((kinds & ~entry.kinds) !== 0) continue;
    if (entry.family.near.length > 0 && !entry.family.alone) {
      speaks ??= SECRET_WORD.test(nearby(text, start));
      if (!speaks) continue;
    }
    const found = matchEntry(text, start, entry);
    if (found && found.end >= end && !isAlnum(text.charCodeAt(found.end))) return found;
  }
  return undefined;
}

function matchEntry(text: string, start: number, entry: FamilyEntry): SecretRange | undefined {
  const { family, needle, lead } = entry;
  const isBegun =
    isTokenStart(text, start, family.strict) || (lead !== undefined && isDigitStart(text, start));
  const isInside = !isBegun && isLongNeedle(needle);
  if (!isBegun && !isInside && family.check === undefined) return undefined;
  const sticky = entry.pattern();
  sticky.lastIndex = start;
  const match = sticky.exec(text)?.[0];
  if (match === undefined) return undefined;
  const body = lead ? match : match.slice(needle.length);
  const isStart = isBegun || (isInside && (isRandom(body) || /(?:\d\D?){12}/.test(body)));
  const checked = family.check === undefined ? -1 : checkedEnd(family, body);
  if (checked !== -1) return { start, end: start + needle.length + checked };
  if (!isStart || isPlaceholder(body) || isPhrase(body)) return undefined;
  if (isCommon(entry) && isInBlob(text, start)) return undefined;
  if (family.chance !== undefined && !isByChance(body, needle, family.chance)) return undefined;
  if (family.digit && !/\d/.test(body)) return undefined;
  if (family.near.length > 0 && !(isNear(text, start, family) && isOpaque(body, 12))) return undefined;
  const tail = entry.tail();
  tail.lastIndex = start + match.length;
  return { start, end: start + match.length + (tail.exec(text)?.[0].length ?? 0) };
}

/** What stands behind the needle is random: a token that says what it is, of a service that nobody listed. */
function isByChance(body: string, needle: string, chance: Chance): boolean {
  const random = body.slice(body.lastIndexOf(needle) + (body.includes(needle) ? needle.length : 1));
  if (chance === 'mixed' && !(/[a-z]/.test(random) && /[A-Z]/.test(random))) return false;
  return isRandom(random);
}

/** Few letters and digits, or always the same, which base64 of anything has here and there. */
const isCommon = ({ needle }: FamilyEntry): boolean =>
  /^[A-Za-z0-9]*$/.test(needle) && (needle.length <= 4 || new Set(needle).size === 1);

/** How much base64 before a place shows that it lies inside of some. */
const BLOB = 60;

/** Base64 goes on here: capitals, small letters and a digit stand before it, and nothing that ends it. */
function isInBlob(text: string, at: number): boolean {
  if (at < BLOB) return false;
  const before = text.slice(at - BLOB, at);
  return /^[A-Za-z0-9+/]+$/.test(before) && /\d/.test(before) && /[A-Z]/.test(before) && /[a-z]/.test(before);
}

/** `bot110201543:AA…`: a number after a word. */
const isDigitStart = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at)) && isLetter(text.charCodeAt(at - 1));

/** Inside a word no token starts. `\n` of a string literal ends one. */
function isTokenStart(text: string, at: number, isStrict: boolean): boolean {
  const before = text.charCodeAt(at - 1);
  if (!isAlnum(text.charCodeAt(at))) return true;
  if (!isAlnum(before)) return !isStrict || (before !== 45 && before !== 95);
  return text.charCodeAt(at - 2) === 92 && isLetter(before) && 'nrtbfv'.includes(text.charAt(at - 1));
}

/** How much of a body its check digits end, of the vendor's length or of its own; -1 when they do not check. */
function checkedEnd({ check, parts }: Family, body: string): number {
  const last = parts[parts.length - 1];
  const sizes = last?.kind === 'some' && last.max < body.length ? [last.max, body.length] : [body.length];
  return sizes.find((size) => check !== undefined && hasCheckDigits(check, body.slice(0, size))) ?? -1;
}

/** How far before a token its vendor's name may stand. */
const NEAR_MAX = 100;

/** One of the words stands shortly before `at`, and one that speaks of secrets. */
function isNear(text: string, at: number, { near, alone }: Family): boolean {
  const before = nearby(text, at);
  if (alone && near.some((word) => before.slice(-RIGHT_BEFORE).includes(word))) return true;
  return SECRET_WORD.test(before) && near.some((word) => before.includes(word));
}

/** How far before a token a word stands that says enough by itself. */
const RIGHT_BEFORE = 24;

function nearby(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - NEAR_MAX), at).toLowerCase();
  return before.slice(before.lastIndexOf('\n\n') + 1);
}

const SECRET_WORD =
  /key|token|secret|pass|pwd|auth|cred|bearer|api|private|login|licen[cs]e|certificate|wif|pat\b|sas\b/;

/** `Bearer x`, `Basic x`: what follows the word, which may stand outside of a header too. */
function schemeBefore(text: string, start: number, floor: number): SecretRange | undefined {
  if (text.charCodeAt(start - 1) !== 32 || !isSchemeEnd(text.charCodeAt(start - 2))) return undefined;
  const word = SCHEMES.find(
    (each) => start - each.length >= floor && text.startsWith(each, start - each.length),
  );
  if (word === undefined || isAlnum(text.charCodeAt(start - word.length - 1))) return undefined;
  SCHEME_VALUE.lastIndex = start;
  const value = SCHEME_VALUE.exec(text)?.[0].replace(/[.,;:]+$/, '');
  if (value === undefined || isPlaceholder(value)) return undefined;
  const isSecret = word.startsWith('Ba') ? isBasic(value) : isOpaque(value, word === 'bearer ' ? 20 : 16);
  return isSecret ? { start, end: start + value.length } : undefined;
}

/** The last letter of `Bearer` or of `Basic`. */
const isSchemeEnd = (code: number): boolean => (code | 32) === 114 || (code | 32) === 99;

const SCHEMES: readonly string[] = ['Bearer ', 'bearer ', 'BEARER ', 'Basic ', 'basic ', 'BASIC '];
const SCHEME_VALUE = /[A-Za-z0-9._~+/-]{16,4000}={0,2}/y;

/** Base64 of `user:password`. */
export function isBasic(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{4,}={0,2}$/.test(value)) return false;
  const decoded = bytesOf(value);
  return decoded.includes(':') && !/[^\x20-\x7e\xa0-\xff]/.test(decoded);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function bytesOf(value: string): string {
  let bits = 0;
  let count = 0;
  let text = '';
  for (const char of value.replaceAll('-', '+').replaceAll('_', '/')) {
    const digit = BASE64.indexOf(char);
    if (digit < 0) break;
    bits = ((bits << 6) | digit) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += String.fromCharCode((bits >> count) & 0xff);
  }
  return text;
}
