import { isAlnum, isDigit, isLetter, isLower, isSpace, isUpper } from './chars.js';
import type { Cursor } from './cursor.js';
import { SHAPES_BY_FIRST, type TokenShape } from './token-shapes.js';

/** A range of the shadow that is a credential. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** The first token that starts in or just before the long run `[start, end)`. */
export function matchToken(text: string, start: number, end: number, floor: number): SecretRange | undefined {
  const first = firstStart(text, start, floor);
  let before = text.charCodeAt(first - 1);
  for (let at = first; at < end; at += 1) {
    const code = text.charCodeAt(at);
    // Inside a word nothing begins, and few letters begin a token: most places are told by one of the two.
    const isStart = TOKEN_CODES[before] !== 1 && TOKEN_STARTS[code] === 1;
    before = code;
    if (!isStart) continue;
    for (const shape of SHAPES_BY_FIRST.get(code) ?? []) {
      const found = matchShapeAt(text, at, shape);
      if (found) return found;
    }
  }
  return undefined;
}

const TOKEN_STARTS = Uint8Array.from({ length: 128 }, (_, code) => (SHAPES_BY_FIRST.has(code) ? 1 : 0));

/** A run may be the last part of a token with dots (`eyJ….eyJ….x`) or what follows `Bearer `. */
function firstStart(text: string, start: number, floor: number): number {
  let at = start;
  for (let parts = 0; parts < 2 && text.charCodeAt(at - 1) === 46; parts += 1) {
    at -= 1;
    while (at > floor && start - at < 400 && isTokenCode(text.charCodeAt(at - 1))) at -= 1;
  }
  if (text.charCodeAt(at - 1) !== 32) return Math.max(at, floor);
  for (const word of ['Bearer ', 'bearer ', 'Basic ']) {
    if (at - word.length >= floor && text.startsWith(word, at - word.length)) return at - word.length;
  }
  return Math.max(at, floor);
}

const isTokenCode = (code: number): boolean => isAlnum(code) || code === 95 || code === 45;
const TOKEN_CODES = Uint8Array.from({ length: 128 }, (_, code) => (isTokenCode(code) ? 1 : 0));

function matchShapeAt(text: string, start: number, shape: TokenShape): SecretRange | undefined {
  if (!text.startsWith(shape.prefix, start)) return undefined;
  shape.pattern.lastIndex = start;
  const match = shape.pattern.exec(text)?.[0];
  if (match === undefined) return undefined;
  const secret = match.slice(shape.keep ?? shape.prefix.length);
  if ((shape.digit && !/\d/.test(secret)) || isPlaceholder(secret)) return undefined;
  return { start: start + (shape.keep ?? 0), end: start + match.length };
}

/** `-----BEGIN … PRIVATE KEY-----` to its end line; without one, to the end of what looks like the key. */
export function nextPrivateKey(text: string, from: number, cursor: Cursor): SecretRange | undefined {
  // A short needle with a rare first letter is what string search is fastest at.
  for (let at = cursor.indexOf('VATE K', from); at !== -1; at = cursor.indexOf('VATE K', at + 6)) {
    const near = Math.max(from, at - 60);
    const start = near + text.slice(near, at).lastIndexOf('-----BEGIN');
    const header = start < near ? undefined : HEADER.exec(text.slice(start, at + 40))?.[0];
    if (header === undefined) continue;
    const body = start + header.length;
    const end = keyEnd(text, body, cursor);
    if (/[A-Za-z0-9+/]{16}/.test(text.slice(body, Math.min(end, body + 400)))) return { start, end };
  }
  return undefined;
}

const HEADER = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

function keyEnd(text: string, body: number, cursor: Cursor): number {
  const close = cursor.indexOf('-----END', body);
  const reopen = cursor.indexOf('-----BEGIN', body);
  if (close !== -1 && (reopen === -1 || reopen > close)) {
    const line = text.slice(close + 8, close + 80).indexOf('-----');
    return line === -1 ? close + 8 : close + 8 + line + 5;
  }
  let end = body;
  while (end < text.length && (isAlnum(text.charCodeAt(end)) || KEY_BODY.has(text.charCodeAt(end)))) end += 1;
  return end;
}

const KEY_BODY = new Set([...'+/=\r\n\\ '].map((char) => char.charCodeAt(0)));

/** The password of `scheme://user:password@host`; `at` is the first slash. */
export function matchUserInfo(text: string, at: number): SecretRange | undefined {
  if (text.charCodeAt(at - 1) !== 58 || text.charCodeAt(at + 1) !== 47) return undefined;
  let colon = -1;
  for (let index = at + 2; index < text.length && index - at < 300; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 58 && colon === -1) colon = index;
    if (code === 64) return colon === -1 ? undefined : secretPart(text, colon + 1, index);
    if (
      isSpace(code) ||
      code === 47 ||
      code === 34 ||
      code === 39 ||
      code === 96 ||
      code === 60 ||
      code === 62
    )
      break;
  }
  return undefined;
}

function secretPart(text: string, start: number, end: number): SecretRange | undefined {
  const value = text.slice(start, end);
  if (
    value.length < 3 ||
    text.startsWith('[removed', start - 9) ||
    isPlaceholder(value) ||
    SAMPLE_PASSWORDS.has(value.toLowerCase())
  )
    return undefined;
  return { start, end };
}

const SAMPLE_PASSWORDS: ReadonlySet<string> = new Set(
  'pass password passwd pwd secret token user postgres root admin key example changeme pw'.split(' '),
);

/** `password = "…"`, `"api_key": "…"`: the value, when the key says secret and the value looks like one. */
export function matchAssignment(text: string, at: number): SecretRange | undefined {
  const key = keyBefore(text, at);
  if (key === '') return undefined;
  if (key.endsWith('authorization')) return authorization(text, at);
  const strength = strengthOf(key);
  if (strength === 0) return undefined;
  let start = at + 1;
  while (start - at < 4 && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start += 1;
  if (text.charCodeAt(start) === 62) return undefined;
  const quote = QUOTES.has(text.charCodeAt(start)) ? text.charCodeAt(start) : 0;
  if (quote !== 0) start += 1;
  let end = start;
  while (end < text.length && end - start < VALUE_MAX && isValueCode(text.charCodeAt(end), quote)) end += 1;
  if (quote !== 0 && text.charCodeAt(end) !== quote) return undefined;
  const next = text.charCodeAt(end);
  if (next === 40 || next === 91) return undefined;
  while (quote === 0 && end > start && /[.,;:!?)]/.test(text.charAt(end - 1))) end -= 1;
  const raw = text.slice(start, end);
  const value = quote === 0 ? raw.replace(/&\w+=.*$/, '') : raw;
  if (quote === 0 && IDENTIFIER.test(value)) return undefined;
  return isSecretValue(value, strength) ? { start, end: start + value.length } : undefined;
}

/** The longest value that is looked at. */
const VALUE_MAX = 300;

/** A type or a variable of code, or the next key: `ed25519.PrivateKey`, `scmVersion=`. */
const IDENTIFIER = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^[A-Za-z]+=$/;

/** `Authorization: Basic dXNlcjp4`: what follows the scheme. */
function authorization(text: string, at: number): SecretRange | undefined {
  AUTHORIZATION.lastIndex = at + 1;
  const match = AUTHORIZATION.exec(text);
  const secret = match?.[1];
  if (!match || secret === undefined || !/[\d=]/.test(secret) || isPlaceholder(secret)) return undefined;
  if (/^(?:https?:|authorization)/i.test(secret)) return undefined;
  return { start: at + 1 + match[0].length - secret.length, end: at + 1 + match[0].length };
}

const AUTHORIZATION =
  /["'`]? {0,2}["'`]?(?:(?:Basic|Bearer|Token|Digest|ApiKey|AWS4-HMAC-SHA256) )?([A-Za-z0-9._~+/=:-]{8,2000})/iy;

const QUOTES = new Set([34, 39, 96]);
export const isGap = (code: number): boolean => code === 32 || code === 34 || code === 39 || code === 96;

const isValueCode = (code: number, quote: number): boolean => {
  if (code === quote || code < 33 || QUOTES.has(code)) return false;
  return (
    quote !== 0 || !(code === 44 || code === 59 || code === 41 || code === 125 || code === 60 || code === 62)
  );
};

/** The last letters of the key before `=` or `:`, lower case, without `_` and `-`. Most keys fail at once. */
function keyBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < 3 && isGap(text.charCodeAt(end - 1))) end -= 1;
  if (!isKeyEnd(text.charCodeAt(end - 2) | 32, text.charCodeAt(end - 1) | 32)) return '';
  let start = end;
  while (start > 0 && end - start < 24) {
    const code = text.charCodeAt(start - 1);
    if (!isLetter(code) && code !== 95 && code !== 45) break;
    start -= 1;
  }
  return text.slice(start, end).toLowerCase().replace(/[_-]/g, '');
}

/** The last two letters of every key that `strengthOf` knows: rd wd se et en on al ls ey. */
export function isKeyEnd(first: number, second: number): boolean {
  switch (second) {
    case 100:
      return first === 114 || first === 119;
    case 101:
      return first === 115;
    case 116:
      return first === 101;
    case 110:
      return first === 101 || first === 111;
    case 108:
      return first === 97;
    case 115:
      return first === 108;
    case 121:
      return first === 101;
    default:
      return false;
  }
}

/** 2: a password, which may be short. 1: a key or token, which is long. 0: neither. */
function strengthOf(key: string): 0 | 1 | 2 {
  if (/(?:password|passwd|passphrase|pwd)$/.test(key)) return 2;
  if (
    /(?:secret|token|credential|credentials|apikey|accesskey|secretkey|privatekey|authkey|signingkey|accountkey|encryptionkey|clientsecret|masterkey|sharedkey)$/.test(
      key,
    )
  )
    return 1;
  return 0;
}

function isSecretValue(value: string, strength: 1 | 2): boolean {
  if (value.length < (strength === 2 ? 8 : 16) || value.length >= VALUE_MAX || isPlaceholder(value))
    return false;
  if (
    /^(?:https?:|\/|\.|@|\$|process\.|os\.|env\.|\[removed:)/i.test(value) ||
    /[(){}<>[\]|\\]|\.\.|=>|::/.test(value)
  )
    return false;
  const classes = classesOf(value);
  if (strength === 2) return classes.count >= 3 && classes.distinct >= 6;
  const isWordy = /^[a-z]+(?:[._-][a-z]+)*\d?$/i.test(value);
  const isDense = classes.digits >= 2 || (classes.digits === 1 && classes.count >= 3 && value.length >= 30);
  return !isWordy && isDense && classes.letters >= 2 && classes.distinct >= 8 && !/^[\d.:-]+$/.test(value);
}

function classesOf(value: string) {
  let lower = 0;
  let upper = 0;
  let digits = 0;
  let other = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (isLower(code)) lower += 1;
    else if (isUpper(code)) upper += 1;
    else if (isDigit(code)) digits += 1;
    else if (code !== 45 && code !== 95 && code !== 46) other += 1;
  }
  const count = Number(lower > 0) + Number(upper > 0) + Number(digits > 0) + Number(other > 0);
  return { count, digits, letters: lower + upper, distinct: new Set(value).size };
}

/** Values that documentation shows in place of a secret. Samples that look real count as real. */
function isPlaceholder(value: string): boolean {
  if (/^(?:\$\{?|%\w+%|<|\{\{|\[|\*{3}|x{3})/i.test(value)) return true;
  if (/\.\.\.|…|x{6}|\*{4}|<[^>]*>|\$\{/i.test(value) || new Set(value).size <= 3) return true;
  const digits = value.replace(/\D/g, '').length;
  return digits < 6 && (PLACEHOLDER_WORD.test(value) || /^(?:token|secret|key|test)\w{0,6}$/i.test(value));
}

const PLACEHOLDER_WORD =
  /(?:^|[-_. ])(?:your|my|the|some|fake|dummy|sample|example|placeholder|changeme|replace|insert|redacted|removed|here|goes)(?:[-_. ]|$)|placeholder|changeme/i;
