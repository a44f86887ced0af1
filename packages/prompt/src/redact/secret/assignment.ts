import { headerSecrets } from './header.js';
import { LISTED, listItems } from './list-items.js';
import { holdsNamed, isNamed, isNamedSecret } from './named-key.js';
import { namedHeaderSecrets, namesBeside, quotedAfter } from './named-value.js';
import { isAllUpper, isGap, type Key, type KeyKind, keyBefore, kindsOf } from './secret-keys.js';
import {
  isOpaque,
  isPlaceholder,
  isRandom,
  isSecretValue,
  type SecretRange,
  VALUE_MAX,
  type ValuePlace,
} from './secret-value.js';
import { isBasic } from './token.js';

const NOTHING: readonly SecretRange[] = [];

/** `password = "…"`, `"api_key": "…"`, `<password>…<`: the value, when the key says secret and the value looks like one. */
export function matchAssignment(text: string, at: number): readonly SecretRange[] {
  const key = keyBefore(text, at);
  if (!key) return NOTHING;
  const isElement = text.charCodeAt(at) === 62;
  if (isElement && (text.charCodeAt(key.start - 1) !== 60 || isGap(text.charCodeAt(at - 1)))) return NOTHING;
  if (key.kinds.includes('key-lines')) return keyLines(text, at);
  const header = headerSecrets(text, at, key);
  if (header) return header;
  const items = isElement ? NOTHING : listItems(text, at);
  if (items.length > 0)
    return items.filter(({ start, end }) =>
      key.kinds.some((kind) => LISTED.has(kind) && holdsSecret(text.slice(start, end), kind, 'data', false)),
    );
  const value = isElement ? elementValue(text, at) : withoutEmphasis(text, key.start, valueAfter(text, at));
  const isBeside = key.kinds.includes('value');
  const names = isBeside
    ? namesBeside(text, {
        key: key.name,
        keyStart: key.start,
        end: value?.end ?? quotedAfter(text, at)?.end ?? at,
      })
    : undefined;
  if (names !== undefined) {
    const secrets = namedHeaderSecrets(text, at, names);
    if (secrets) return secrets;
  }
  if (!value) return NOTHING;
  const kinds = names === undefined ? key.kinds : names.flatMap(kindsOf);
  const place = isElement || isBeside ? 'data' : placeOf(text, at, key, value.quoted);
  const raw = text.slice(value.start, value.end);
  // `exports.signCredentials = signCredentials`: a name, said twice.
  if (!value.quoted && key.name.endsWith(raw)) return NOTHING;
  const isSecret = kinds.some((kind) => {
    if (kind !== 'named') return holdsSecret(raw, kind, place, isQuery(text, key));
    return names ? names.some((name) => isNamedSecret(name, raw)) : isNamed(text, at, key) && holdsNamed(raw);
  });
  if (!isSecret || (!value.quoted && place !== 'command' && isIdentifier(raw))) return NOTHING;
  return [{ start: value.start, end: value.isCut ? restEnd(text, value.end) : value.end }];
}

/** `Private-Lines: 14` of a PuTTY key, and the lines. */
function keyLines(text: string, at: number): readonly SecretRange[] {
  KEY_LINES.lastIndex = at;
  const match = KEY_LINES.exec(text);
  const lines = match?.[1]?.trimEnd();
  if (!match || !lines) return NOTHING;
  const start = at + match[0].length - match[1]!.length;
  return [{ start, end: start + lines.length }];
}

const KEY_LINES = /: {0,2}\d{1,3}\r?\n((?:[A-Za-z0-9+/=]{16,80}(?:\r?\n|$)){1,60})/y;

/** Whether a value under a key of this kind is a secret. */
export function holdsSecret(value: string, kind: KeyKind, place: ValuePlace, inQuery: boolean): boolean {
  switch (kind) {
    case 'password':
    case 'token':
      return isSecretValue(value, kind, inQuery && kind === 'token' && place === 'code' ? 'query' : place);
    case 'shared':
      return place !== 'code' && place !== 'literal' && isSecretValue(value, 'password', 'code');
    case 'query':
      return (
        inQuery &&
        !/[(=|]{2}|\(/.test(value) &&
        !isPlaceholder(value) &&
        isOpaque(value.replaceAll(/%[0-9A-F]{2}/gi, '+'), 16)
      );
    case 'basic':
      return value.length >= 8 && isBasic(value) && !isPlaceholder(value);
    case 'key-data':
      return value.length >= 40 && /^[A-Za-z0-9+/=]+$/.test(value);
    default:
      return false;
  }
}

interface Value extends SecretRange {
  readonly quoted: boolean;
  /** It goes on: only its beginning was looked at. */
  readonly isCut: boolean;
}

/** The end of a value that is too long to be looked at whole. */
function restEnd(text: string, from: number): number {
  REST.lastIndex = from;
  return from + (REST.exec(text)?.[0].length ?? 0);
}

const REST = /[\w.~+/=%:-]*/y;

/** The value behind the sign at `at`. */
function valueAfter(text: string, at: number): Value | undefined {
  const isArrow = text.charCodeAt(at) === 61 && text.charCodeAt(at + 1) === 62;
  let start = at + (isArrow ? 2 : 1);
  while (start - at < 6 && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start += 1;
  if (text.charCodeAt(start) === 62 || text.charCodeAt(at + 1) === text.charCodeAt(at)) return undefined;
  const quote = QUOTES.has(text.charCodeAt(start)) ? text.charCodeAt(start) : 0;
  if (isArrow && quote === 0) return undefined;
  if (quote !== 0) start += 1;
  let end = start;
  while (end < text.length && end - start < VALUE_MAX && isValueCode(text.charCodeAt(end), quote)) end += 1;
  if (end - start === VALUE_MAX) return { start, end, quoted: quote !== 0, isCut: true };
  // A text that ends within the quotes was cut there.
  if (quote !== 0)
    return text.charCodeAt(end) === quote || end === text.length
      ? { start, end, quoted: true, isCut: false }
      : undefined;
  const next = text.charCodeAt(end);
  if (next === 40 || next === 91) return undefined;
  const parameter = NEXT_PARAMETER.exec(text.slice(start, end));
  if (parameter) end = start + parameter.index;
  while (end > start && TRAILING.has(text.charCodeAt(end - 1))) end -= 1;
  return { start, end, quoted: false, isCut: false };
}

/** `**password=x**` in Markdown: the signs behind the value are no part of it. */
function withoutEmphasis(text: string, keyStart: number, value: Value | undefined): Value | undefined {
  if (value === undefined || value.quoted || value.isCut) return value;
  const signs = /(\*{1,3}|~~)$/.exec(text.slice(Math.max(0, keyStart - 3), keyStart))?.[0];
  if (signs === undefined || !text.slice(value.start, value.end).endsWith(signs)) return value;
  return { ...value, end: value.end - signs.length };
}

/** `&z=1` of a query. */
const NEXT_PARAMETER = /&(?:amp;)?\w[\w.%-]{0,40}=/;

const QUOTES = new Set([34, 39, 96]);
const TRAILING = new Set([...'.,;:!?)'].map((char) => char.charCodeAt(0)));

const isValueCode = (code: number, quote: number): boolean => {
  if (code === quote || code < 33 || QUOTES.has(code)) return false;
  return (
    quote !== 0 || !(code === 44 || code === 59 || code === 41 || code === 125 || code === 60 || code === 62)
  );
};

/** `<password>…</password>`: up to the closing tag, on one line. */
function elementValue(text: string, at: number): Value | undefined {
  const start = at + 1;
  let end = start;
  while (
    end < text.length &&
    end - start < VALUE_MAX &&
    text.charCodeAt(end) !== 60 &&
    text.charCodeAt(end) >= 32
  )
    end += 1;
  return text.charCodeAt(end) === 60 && text.charCodeAt(end + 1) === 47
    ? { start, end, quoted: true, isCut: false }
    : undefined;
}

/** Code that reads a value from somewhere, and no token with a dot in it. */
const isIdentifier = (value: string): boolean =>
  IDENTIFIER.test(value) &&
  !value.split('.').some((part) => (part.length >= 12 && isRandom(part)) || LETTERS_AS_DIGITS.test(part));

/** `s3cr3t`: no name has digits on both sides of its letters. */
const LETTERS_AS_DIGITS = /^[A-Za-z]+\d[A-Za-z]+\d[A-Za-z]/;

/** A type or a variable of code, or the next key: `ed25519.PrivateKey`, `scmVersion=`. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+!?$|^[a-z]+(?:[A-Z][a-z]+)*=$/;

function placeOf(text: string, at: number, key: Key, isQuoted: boolean): ValuePlace {
  if (
    text.charCodeAt(at) === 61 &&
    isAllUpper(key.name) &&
    (isLineStart(text, key.start) || isVariable(text, at, key))
  )
    return 'command';
  if (
    text.startsWith('--', key.start) ||
    /--[\w.-]{0,30}=?$/.test(text.slice(Math.max(0, key.start - 32), key.start))
  )
    return 'command';
  if (isConnection(text, key.start, at)) return 'command';
  if (isQuoted) return key.quoted ? 'data' : 'literal';
  const isSetting = isJoined(text, at) || isLastOnLine(text, at) || isInSection(text, at, key);
  return isSetting ? 'literal' : 'code';
}

/** `DB_PASSWORD=x` in a sentence or a log: a name of several words, no space on either side of the sign. */
const isVariable = (text: string, at: number, { name }: Key): boolean =>
  name.includes('_') && isJoined(text, at) && /^[^=>\s({]/.test(text.slice(at + 1, at + 2));

/** `password=x`: no space on either side of the sign. */
const isJoined = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 61 && !isGap(text.charCodeAt(at - 1)) && text.charCodeAt(at + 1) > 32;

/** `password: x`, and nothing else on the line: what a file of settings has. */
const isLastOnLine = (text: string, at: number): boolean =>
  /^: \S{6,100}[ \t]*(?:\r?\n|$)/.test(text.slice(at, at + 110));

/** `password = x` below `[section]` or a line that says whose it is, and nothing else on the line. */
const isInSection = (text: string, at: number, { start }: Key): boolean =>
  /^= ?\S{6,100}[ \t]*(?:\r?\n|$)/.test(text.slice(at, at + 110)) &&
  /(?:^|\n)[ \t]*(?:\[[\w.:@/ "-]{1,60}\][ \t]*\r?\n[^[]*|(?:user(?:name)?|login) ?= ?[\w.@-]{1,60}[ \t]*\r?\n)[ \t]*$/.test(
    text.slice(Math.max(0, start - 400), start),
  );

/** An assignment of a shell or an environment file: nothing but spaces, `export`, `-e`, or another assignment before it. */
const isLineStart = (text: string, start: number): boolean =>
  /(?:^|[\n;&|"'`(]|\b(?:export|set|env|ENV|ARG)|\s-(?:e|-env|-build-arg)|\S+=\S+)[ \t]*$/.test(
    text.slice(Math.max(0, start - 48), start),
  );

/** `Server=x;Password=…;` */
const isConnection = (text: string, start: number, at: number): boolean =>
  text.charCodeAt(at) === 61 &&
  /;\s?(?:\w+ )?$/.test(text.slice(Math.max(0, start - 12), start)) &&
  /\b(?:server|data source|host|endpoint|account\w*|user(?: id)?|uid|database|driver)\s?=/i.test(
    text.slice(Math.max(0, start - 300), start),
  );

/** `?token=…`, `&sig=…`, `X-Amz-Signature=…`. */
const isQuery = (text: string, key: Key): boolean => {
  const before = text.charCodeAt(key.start - 1);
  return before === 63 || before === 38 || before === 59 || /^x-(?:amz|goog)-/i.test(key.name);
};
