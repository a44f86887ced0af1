import { isDigit, isLower, isUpper } from '../chars.js';

/** A range of the shadow that is a credential. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** What a key promises: a password, which may be short and plain, or a key or token, which is long and random. */
export type SecretKind = 'password' | 'token';

/**
 * How surely the place holds a value: `code` may hold a variable's name, a type or a sentence; `literal` is quoted or
 * joined to its key by `=`; `data` is a quoted value of a quoted key; `query` is one of an address; `command` is a value that a program is given (an environment, a flag, a login file).
 */
export type ValuePlace = 'code' | 'literal' | 'data' | 'query' | 'command';

/** So much of a value is looked at; what is a secret by then is one to its end. */
export const VALUE_MAX = 120;

/** True when a value under a key that promises a secret looks like one. */
export function isSecretValue(value: string, kind: SecretKind, place: ValuePlace): boolean {
  if (value.length < LEAST[kind][place]) return false;
  const seen = value.slice(0, VALUE_MAX);
  if (isPlaceholder(seen) || isReference(seen, place) || (place === 'code' && MEMBER.test(seen)))
    return false;
  return kind === 'password' ? isPassword(seen, place) : isToken(seen, place);
}

/** The shortest secret of each kind in each place. */
const LEAST: Readonly<Record<SecretKind, Readonly<Record<ValuePlace, number>>>> = {
  password: { code: 8, literal: 6, data: 6, query: 6, command: 3 },
  token: { code: 16, literal: 16, data: 16, query: 12, command: 8 },
};

function isPassword(value: string, place: ValuePlace): boolean {
  if (SAMPLES.has(value.toLowerCase()) || /^[\d.]{1,4}$/.test(value)) return false;
  const { count, digits, letters, others, innerUpper, distinct, changes } = measure(value);
  if (place === 'command') return distinct >= 3;
  if (value.length >= 16 && /^[A-Za-z]+$/.test(value))
    return innerUpper > 3 && changes >= 0.42 * (value.length - 1) && !/[a-z]{5}/.test(value);
  if (/\s/.test(value)) return false;
  if (place === 'data' || place === 'query')
    return distinct >= 4 && (digits > 0 || others > 0 || innerUpper > 0);
  if (/^(?:Big)?(?:Uint|Int|Float)\d+\w*$/.test(value)) return false;
  if (value.length >= 8 && count >= 3 && distinct >= 6) return true;
  return place === 'literal' && digits > 0 && letters > 1 && distinct >= 5 && !CODE_NAME.test(value);
}

/** Names with digits that code has: an algorithm, a type, a version, a field of a form. */
const CODE_NAME =
  /^(?:[A-Z][a-z]+(?:[A-Z0-9]\w*)?|\w*(?:[Ss]ha|SHA|md|MD|utf|UTF|[Bb]ase|oauth|OAuth|[Ii]nt|float|argon|pbkdf|bcrypt|rsa|RSA|aes|AES|ed)\d+\w*|v\d[\w.-]*|(?:[a-z]+[-_])*(?:pass|password|secret|token|test|user|input|field|text|label|param|arg|value|var|string|key|name|form)[-_]?\d{0,4})$/;

function isToken(value: string, place: ValuePlace): boolean {
  return !SAMPLES.has(value.toLowerCase()) && isOpaque(value, LEAST.token[place]);
}

/** True when a string of this length or more looks made by chance, not written by a person. */
export function isOpaque(value: string, min: number): boolean {
  if (value.length < min || /\s/.test(value)) return false;
  const { count, digits, letters, distinct, changes } = measure(value);
  if (letters < 2 || distinct < Math.min(8, min - 2) || isPhrase(value)) return false;
  if (digits >= 2 || (digits === 1 && count >= 3 && value.length >= 30)) return true;
  return count >= 2 && changes >= 0.42 * (value.length - 1);
}

/** True when letters and digits of a string stand by turns as chance puts them: no name that a person writes. */
export function isRandom(value: string): boolean {
  const { digits, letters, distinct, changes, innerUpper } = measure(value.replaceAll(/[_-]/g, ''));
  if (digits < 1 || letters < 3 || distinct < 8 || isPhrase(value)) return false;
  if (innerUpper > 0 && /[a-z]{7}/.test(value)) return false;
  if (digits >= 3) return changes >= 0.25 * (value.length - 1);
  return innerUpper > 0 && changes >= 0.4 * (value.length - 1) && !/[a-z]{6}/.test(value);
}

/** `some-kebab-name-2`, `a.b.c`, `SomeName2018`: words and numbers. */
export function isPhrase(value: string): boolean {
  if (/^[A-Za-z]?[a-z]{2,14}(?:[A-Z][a-z]{2,14}){1,8}\d{0,4}$/.test(value)) return true;
  const words = value.split(/[._/:-]+/);
  return (
    words.length > 2 && words.every((word) => /^(?:[A-Za-z]?[a-z]{0,14}|[A-Z]{1,14}|v?\d{1,8})$/.test(word))
  );
}

/** A variable, an address, code, or what redaction wrote: it names a secret and is none. */
const isReference = (value: string, place: ValuePlace): boolean =>
  (/^(?:https?:|\/|\.|@|\$|process\.|os\.|env\.|\[removed:)/i.test(value) && !isBase64(value)) ||
  (place === 'command' ? IN_BRACKETS : /[(){}<>[\]|\\]|=>|::/).test(value) ||
  // What a program is given is no range of code, nor is what no number or name has.
  (place !== 'command' && value.includes('..') && !IN_NO_TOKEN.test(value));

/** Bytes in base64 begin with a slash as often as with any other letter. */
const isBase64 = (value: string): boolean =>
  value.length >= 24 &&
  /^\/[A-Za-z0-9+/]+={0,2}$/.test(value) &&
  /[+=]|^\/[^/]{20}/.test(value) &&
  isRandom(value);

/** `(yours)`, `get(x)`, `a[0]`: a stand-in, a call or a place in a list. A password that has brackets has more. */
const IN_BRACKETS = /^[\w.$]*[({<[][^(){}<>[\]]*[)}>\]]$|=>|::|[|\\]/;

/** `result?.pass`, `user!.name`: code that reads a value from somewhere. */
const MEMBER =
  /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)*[?!]\.[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)*[,;]?$/;

function measure(value: string) {
  let lower = 0;
  let upper = 0;
  let digits = 0;
  let others = 0;
  let innerUpper = 0;
  let changes = 0;
  let last = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    const kind = isLower(code) ? 1 : isUpper(code) ? 2 : isDigit(code) ? 3 : 4;
    if (kind === 1) lower += 1;
    else if (kind === 2) upper += 1;
    else if (kind === 3) digits += 1;
    // Letters beyond ASCII are words of other languages.
    else if (code < 128 && code !== 45 && code !== 95 && code !== 46) others += 1;
    if (kind === 2 && last === 1) innerUpper += 1;
    if (index > 0 && kind !== last) changes += 1;
    last = kind;
  }
  const count = Number(lower > 0) + Number(upper > 0) + Number(digits > 0) + Number(others > 0);
  return {
    count,
    digits,
    others,
    innerUpper,
    changes,
    letters: lower + upper,
    distinct: new Set(value).size,
  };
}

/** Values that documentation shows in place of a secret. Samples that look real count as real. */
export function isPlaceholder(value: string): boolean {
  if (/^(?:\$\{?|%\w+%|<|\{\{|\[|\*{3}|#\{)/.test(value) || isCrossedOut(value)) return true;
  if (/<[^>]*>|\$\{|\{\{/.test(value) || new Set(value).size <= 3) return true;
  if (isCutShort(value)) return true;
  const digits = value.replace(/\D/g, '').length;
  return digits < 6 && (PLACEHOLDER_WORD.test(value) || /^(?:token|secret|key|test)\w{0,6}$/i.test(value));
}

/** `xxx-xxx`, `XXXX`: chance begins a secret that way too, and then goes on as it does. */
const isCrossedOut = (value: string): boolean =>
  /^(?:xxx|XXX)/.test(value) && !isRandom(value.replace(/^(?:x+|X+)/, ''));

/** `sk-…`, `ghp_xxxxxx`, `abc...def`: the secret is what is left out, unless what is told is one by itself. */
function isCutShort(value: string): boolean {
  const told = value.split(ELISION);
  const isTold = told.some((part) => part.length >= 8 && measure(part).count >= 3) || IN_NO_TOKEN.test(value);
  return told.length > 1 && !isTold;
}

/** Passwords have them, and the tokens that documentation cuts short do not. */
const IN_NO_TOKEN = /[!#%&?@^~]/;
const ELISION = /\.\.\.|…|x{6,}|\*{4,}|•{3,}/i;

const PLACEHOLDER_WORD =
  /(?:^|[-_. ])(?:your|my|the|some|fake|dummy|sample|example|placeholder|changeme|replace|insert|redacted|removed|here|goes)(?:[-_. ]|$)|placeholder|changeme/i;

/** Passwords that documentation and test set-ups use for everybody. */
export const SAMPLES: ReadonlySet<string> = new Set(
  (
    'pass password passwd pwd pw secret token user username postgres mysql root admin key example changeme value foo bar baz ' +
    'test string null none undefined true false yes no empty required optional nil prompt stdin file mypassword ' +
    'yourpassword my-password your-password password123 mysecret supersecret letmein guest anonymous default hidden abc123'
  ).split(' '),
);
