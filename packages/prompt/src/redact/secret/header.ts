import type { Key } from './secret-keys.js';
import { isOpaque, isPlaceholder, SAMPLES, type SecretRange } from './secret-value.js';
import { isBasic } from './token.js';

/** The secrets of a header whose name ends at the `:` or `=` at `at`; undefined when it is no such header. */
export function headerSecrets(text: string, at: number, { kinds, start }: Key): readonly SecretRange[] | undefined {
  if (kinds.includes('authorization')) return authorization(text, at, start);
  if (kinds.includes('cookie')) return cookies(text, at, start);
  return undefined;
}

/** A header's own secrets when name and value are apart: `{ "Cookie": "a=b" }`. */
export function headerValueSecrets(kind: 'authorization' | 'cookie', value: string): readonly SecretRange[] {
  return kind === 'cookie' ? cookiesIn(value, 0, value.length) : authorizationIn(value, 0, value.length);
}

/** The end of a header's value: of its line, or of the quotes that it stands in. */
function headerEnd(text: string, at: number, keyStart: number): { readonly from: number; readonly to: number } {
  let from = at + 1;
  while (from - at < 5 && (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9)) from += 1;
  const outer = text.charCodeAt(keyStart - 1);
  const inner = text.charCodeAt(from);
  const quote = QUOTES.has(inner) ? inner : QUOTES.has(outer) && !isGapQuote(text, at) ? outer : 0;
  if (QUOTES.has(inner)) from += 1;
  let to = from;
  while (to < text.length && to - from < HEADER_MAX) {
    const code = text.charCodeAt(to);
    if (code === 10 || code === 13 || (quote !== 0 && code === quote)) break;
    if (code === 92 && /[nr]/.test(text.charAt(to + 1))) break;
    to += 1;
  }
  return { from, to };
}

/** The quote before the sign closes the name: `"Cookie": …`. */
const isGapQuote = (text: string, at: number): boolean => QUOTES.has(text.charCodeAt(at - 1));

const HEADER_MAX = 4000;
const QUOTES = new Set([34, 39, 96]);

function authorization(text: string, at: number, keyStart: number): readonly SecretRange[] {
  const { from, to } = headerEnd(text, at, keyStart);
  return authorizationIn(text, from, to);
}

/** `Basic dXNlcjp4`: what follows the scheme. A scheme with fields goes to the end. */
function authorizationIn(text: string, from: number, to: number): readonly SecretRange[] {
  const value = text.slice(from, to);
  const fields = FIELDS.exec(value);
  if (fields) {
    const start = from + fields[0].length;
    const rest = value.slice(fields[0].length).trimEnd();
    return /=\s?"?[^\s"]{6}/.test(rest) && !isPlaceholder(rest) ? [{ start, end: start + rest.length }] : [];
  }
  const match = SCHEME.exec(value);
  const secret = match?.[2]?.replace(/[.,;:]+$/, '');
  if (!match || secret === undefined || isPlaceholder(secret)) return [];
  if (/^(?:https?:|authorization)/i.test(secret)) return [];
  const scheme = match[1]?.trim().toLowerCase();
  const isSecret = scheme === 'basic' ? isBasic(secret) || isOpaque(secret, 8) : isOpaque(secret, 8);
  const start = from + match.index + match[0].length - match[2]!.length;
  return isSecret ? [{ start, end: start + secret.length }] : [];
}

const FIELDS =
  /^(?:Digest|OAuth|Hawk|AWS4-HMAC-SHA256|AWS4-HMAC-SHA512|AWS|Signature|SharedAccessSignature|SharedKey|SharedKeyLite|GOOG4-RSA-SHA256|Token|Snowflake) (?=[^=\s]{1,40}\s?[=:])/i;
const SCHEME =
  /^((?:Basic|Bearer|Token|Digest|ApiKey|Api-Key|Key|SSWS|Negotiate|NTLM|GenieKey|Bot|DPoP|PAT|JWT|AWS4-HMAC-SHA256) +)?([A-Za-z0-9._~+/=:-]{4,4000})/i;

/** `Cookie: name=value; other=value`, `Set-Cookie: name=value; Path=/`: the values, the names stay. */
function cookies(text: string, at: number, keyStart: number): readonly SecretRange[] {
  const { from, to } = headerEnd(text, at, keyStart);
  return cookiesIn(text, from, to);
}

function cookiesIn(text: string, from: number, to: number): readonly SecretRange[] {
  const line = text.slice(from, to);
  const found: SecretRange[] = [];
  PAIR.lastIndex = 0;
  for (let at = 0; at < line.length; at = PAIR.lastIndex) {
    const match = PAIR.exec(line);
    if (!match || match[0] === '') break;
    const [whole, name = '', value = '', close = ''] = match;
    const start = from + at + whole.length - value.length - close.length;
    if (!ATTRIBUTES.has(name.toLowerCase()) && isCookieSecret(name, value))
      found.push({ start, end: start + value.length });
  }
  return found;
}

const PAIR = /\s*([\w!#$%&'*+.^|~-]{1,120})(?:=([^;\s"'`,]*))?(\s*;|\s*$|(?=[\s"'`,]))/y;

const ATTRIBUTES: ReadonlySet<string> = new Set(
  'path domain expires max-age samesite secure httponly priority partitioned version comment'.split(' '),
);

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 4 || isPlaceholder(value) || SAMPLES.has(value.toLowerCase())) return false;
  if (/\d/.test(value) || isOpaque(value, 16)) return true;
  return value.length >= 8 && /sess|sid$|auth|token|jwt|csrf|xsrf|login|remember|_id$|^id$/i.test(name);
}
