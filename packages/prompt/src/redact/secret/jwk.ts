import { isOpaque, isPlaceholder, type SecretRange } from './secret-value.js';
import type { Window } from './told-windows.js';

/** The members of a key of the web (`{ "kty": … }`) that nobody else may know. */
const SECRETS: ReadonlySet<string> = new Set('d k p q dp dq qi priv'.split(' '));

/** The longest of these: keys are asked all the time, and a new string is hashed first. */
const KEY_MAX = 4;

/** A value this long under the name of such a member is one, whatever stands around it: 32 bytes in base64. */
const LEAST_ALONE = 43;
const LEAST_IN_KEY = 16;

/** Whether `key: value` is the secret part of a key of the web; `inKey`: a `kty` stands beside it. */
export function isJwkSecret(key: string, value: string, inKey: boolean): boolean {
  if (key.length > KEY_MAX || !SECRETS.has(key) || !/^[\w-]+$/.test(value)) return false;
  return inKey ? isMember(value) : isAlone(value);
}

const isMember = (value: string): boolean =>
  value.length >= LEAST_IN_KEY && isOpaque(value.slice(0, LOOK_MAX), LEAST_IN_KEY) && !isPlaceholder(value);

/** With capitals and digits, as no digest has them by chance, and not made of words. */
function isAlone(value: string): boolean {
  const seen = value.slice(0, LOOK_MAX);
  if (value.length < LEAST_ALONE || !/[A-Z]/.test(seen) || !/\d/.test(seen)) return false;
  const words = seen.match(/[A-Z]?[a-z]{3,}/g)?.join('').length ?? 0;
  return words < 0.6 * seen.length && isMember(value);
}

/** So much of a value shows what it is. */
const LOOK_MAX = 120;

const MEMBER =
  /(?<![\w$.-])["'`]?(d|k|p|q|dp|dq|qi|priv)["'`]?\s{0,8}(:|=>?)\s{0,8}["'`]?([\w-]{16,})(?![\w.-]*[(/+])/g;

/**
 * The same in any text: in a log, in lines that were cut out of a document, as a literal of a program. `windows`: where
 * words are that could be one.
 */
export function jwkSecrets(text: string, windows: readonly Window[]): readonly SecretRange[] {
  if (windows.length === 0) return NONE;
  let keys: readonly number[] | undefined;
  const found = cutMember(text);
  let key = 0;
  for (const window of windows) {
    for (const { 0: whole, 1: name = '', 2: sign, 3: value = '', index } of text
      .slice(window.start, window.end)
      .matchAll(MEMBER)) {
      const end = window.start + index + whole.length;
      const start = end - value.length;
      keys ??= keysIn(text);
      while (key + 1 < keys.length && keys[key + 1]! < start) key += 1;
      const inKey = [keys[key], keys[key + 1]].some((at) => at !== undefined && Math.abs(at - start) < NEAR);
      if ((inKey || sign !== '=') && isJwkSecret(name, value, inKey)) found.push({ start, end });
    }
  }
  return found;
}

const NONE: readonly SecretRange[] = [];

/** The members of one key stand this near to each other: those of 8,192 bits. */
const NEAR = 8_000;

/** Where other members of such keys stand. */
const keysIn = (text: string): readonly number[] => [...text.matchAll(OTHERS)].map(({ index }) => index);

const OTHERS =
  /\bkty\b|\bAQAB\b|\bcrv["'`]?\s{0,3}[:=]|\bkey_ops\b|\balg["'`]?\s{0,3}(?:=>|[:=])\s{0,3}["'`]?(?:HS|RS|ES|PS|Ed|RSA|ECDH|dir|A\d)/g;

/** A text that begins within a value: `…XYZ","dp":"…`. What follows says which one it was. */
function cutMember(text: string): SecretRange[] {
  const match = CUT.exec(text.slice(0, CUT_MAX));
  const value = match?.[2];
  if (!match || value === undefined || !isMember(value)) return [];
  const start = match[1]!.length;
  return [{ start, end: start + value.length }];
}

const CUT_MAX = 3_000;
const CUT =
  /^([.\u2026\s]{0,8})([\w-]{16,2000})["'`]\s{0,8},\s{0,8}["'`]?(?:(?:p|q|dp|dq|qi|kty)["'`]?\s{0,8}:|e["'`]?\s{0,8}:\s{0,8}["'`]?AQAB|alg["'`]?\s{0,8}:\s{0,8}["'`]?(?:HS|A\d|dir))/;
