import type { Key } from './secret-keys.js';
import { isOpaque, isPlaceholder, SAMPLES, type SecretRange } from './secret-value.js';
import { isBasic } from './token.js';

/** The secrets of a header whose name ends at the `:` or `=` at `at`; undefined when it is no such header. */
export function headerSecrets(
  text: string,
  at: number,
  { kinds, start }: Key,
): readonly SecretRange[] | undefined {
  const isAuthorization = kinds.includes('authorization');
  if (!isAuthorization && !kinds.includes('cookie')) return undefined;
  let from = at + 1;
  while (from - at < 5 && (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9)) from += 1;
  if (text.charCodeAt(from) === 91) from += text.charCodeAt(from + 1) === 32 ? 2 : 1;
  const outer = text.charCodeAt(start - 1);
  const inner = text.charCodeAt(from);
  // The value stands in quotes of its own, or name and value stand in one pair.
  const quote = QUOTES.has(inner)
    ? inner
    : QUOTES.has(outer) && !QUOTES.has(text.charCodeAt(at - 1))
      ? outer
      : 0;
  if (QUOTES.has(inner)) from += 1;
  return isAuthorization ? authorizationIn(text, from, quote) : cookiesIn(text, from);
}

const QUOTES = new Set([34, 39, 96]);

/** A header's own secrets when name and value are apart: `{ "Cookie": "a=b" }`. */
export const headerValueSecrets = (
  kind: 'authorization' | 'cookie',
  value: string,
): readonly SecretRange[] => (kind === 'cookie' ? cookiesIn(value, 0) : authorizationIn(value, 0, 0));

/** So much of a value is looked at; what is a secret by then is one to its end. */
const LOOK_MAX = 200;

/** Up to the end of the line or the quote, at most `max` on. */
function lineEnd(text: string, from: number, quote: number, max: number): number {
  let to = from;
  while (to < text.length && to - from < max) {
    const code = text.charCodeAt(to);
    if (code === 10 || code === 13 || (quote !== 0 && code === quote)) break;
    if (code === 92 && /[nr]/.test(text.charAt(to + 1))) break;
    to += 1;
  }
  return to;
}

/** `Basic dXNlcjp4`: what follows the scheme. A scheme with fields goes to the end of the line. */
function authorizationIn(text: string, from: number, quote: number): readonly SecretRange[] {
  const value = text.slice(from, lineEnd(text, from, quote, LOOK_MAX));
  const fields = FIELDS.exec(value)?.[0].length;
  if (fields !== undefined) {
    const rest = value.slice(fields).trimEnd();
    if (!/=\s?\\?"?[^\s"\\]{6}/.test(rest) || isPlaceholder(rest)) return [];
    const start = from + fields;
    const end =
      value.length < LOOK_MAX ? start + rest.length : lineEnd(text, from, quote, Number.POSITIVE_INFINITY);
    return [{ start, end }];
  }
  const match = SCHEME.exec(value);
  const secret = match?.[2]?.replace(/[.,;:]+$/, '');
  if (!match || secret === undefined || isPlaceholder(secret)) return [];
  if (/^(?:https?:|authorization)/i.test(secret) || value.charAt(match[0].length) === '(') return [];
  const isSecret = isOpaque(secret, 8) || (/^basic/i.test(match[1] ?? '') && isBasic(secret));
  if (!isSecret) return [];
  const start = from + match[0].length - match[2]!.length;
  SCHEME_REST.lastIndex = start + secret.length;
  const more = start + secret.length >= from + LOOK_MAX ? (SCHEME_REST.exec(text)?.[0].length ?? 0) : 0;
  return [{ start, end: start + secret.length + more }];
}

const FIELDS =
  /^(?:Digest|OAuth|Hawk|AWS4-HMAC-SHA256|AWS4-HMAC-SHA512|AWS|Signature|SharedAccessSignature|SharedKey|SharedKeyLite|GOOG4-RSA-SHA256|Token|Snowflake) (?=[^=\s]{1,40}\s?[=:])/i;
const SCHEME =
  /^((?:Basic|Bearer|Token|Digest|ApiKey|Api-Key|Key|SSWS|Negotiate|NTLM|GenieKey|Bot|DPoP|PAT|JWT|Splunk|OAuth|Sentry|GoogleLogin auth=|Klaviyo-API-Key|Discogs token=|AWS4-HMAC-SHA256) +)?([A-Za-z0-9._~+/=:-]{4,200})/i;
const SCHEME_REST = /[A-Za-z0-9._~+/=:-]*/y;

/** The cookies of one header that are looked at. */
const COOKIES_MAX = 40;

/** `name=value; other=value`, `name=value; Path=/`: the values, the names stay. */
function cookiesIn(text: string, from: number): readonly SecretRange[] {
  const found: SecretRange[] = [];
  for (let at = from, count = 0; count < COOKIES_MAX; count += 1) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(text);
    if (!match) break;
    const [whole, name = '', value = ''] = match;
    const start = at + whole.length - value.length;
    COOKIE_REST.lastIndex = at + whole.length;
    const isSecret = !ATTRIBUTES.has(name.toLowerCase()) && isCookieSecret(name, value);
    const more = isSecret && value.length === LOOK_MAX ? (COOKIE_REST.exec(text)?.[0].length ?? 0) : 0;
    const end = start + value.length + more;
    if (isSecret) found.push({ start, end });
    NEXT_PAIR.lastIndex = end;
    const next = NEXT_PAIR.exec(text)?.[0];
    if (next === undefined) break;
    at = end + next.length;
  }
  return found;
}

const PAIR = /([\w!#$%&*+.^|~-]{1,80})(?: ?= ?([^;\s"'`,]{0,200}))?/y;
const COOKIE_REST = /[^;\s"'`,]*/y;
/** Between two cookies, or within a date of an attribute. */
const NEXT_PAIR = /(?:[, ]+[\w :-]{0,40})?; */y;

const ATTRIBUTES: ReadonlySet<string> = new Set(
  'path domain expires max-age samesite secure httponly priority partitioned version comment'.split(' '),
);

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 4 || isPlaceholder(value) || SAMPLES.has(value.toLowerCase())) return false;
  if (/\d/.test(value) || isOpaque(value, 16)) return true;
  return value.length >= 8 && /sess|sid$|auth|token|jwt|csrf|xsrf|login|remember|_id$|^id$/i.test(name);
}
