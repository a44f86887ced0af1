import { isAlnum } from '../chars.js';
import type { Cursor } from '../cursor.js';
import type { SecretRange } from './secret-value.js';

/** `-----BEGIN … PRIVATE KEY-----` to its end line; without one, to the end of what looks like the key. */
export function nextPrivateKey(text: string, from: number, cursor: Cursor): SecretRange | undefined {
  // A short needle with a rare first letter is what string search is fastest at.
  if (text.length < LEAST) return undefined;
  for (let at = cursor.indexOf('VATE K', from); at !== -1; at = cursor.indexOf('VATE K', at + 6)) {
    const near = Math.max(from, at - 60);
    const before = text.slice(near, at);
    const start = near + Math.max(before.lastIndexOf('-----BEGIN'), before.lastIndexOf('---- BEGIN'));
    const header = start < near ? undefined : HEADER.exec(text.slice(start, at + 40))?.[0];
    if (header === undefined) {
      const rest = keyRest(text, from, near, at);
      if (rest) return rest;
      continue;
    }
    const body = start + header.length;
    const end = keyEnd(text, body, cursor);
    if (/[A-Za-z0-9+/]{16}/.test(text.slice(body, Math.min(end, body + 400)))) return { start, end };
  }
  return undefined;
}

/** A line of a key, and what stands around it. */
const LEAST = 30;

/** The last lines of a key whose beginning is not there, up to its end line. */
function keyRest(text: string, from: number, near: number, at: number): SecretRange | undefined {
  const before = text.slice(near, at);
  const sign = Math.max(before.lastIndexOf('-----END'), before.lastIndexOf('---- END'));
  if (sign === -1) return undefined;
  const floor = Math.max(from, near + sign - REST_MAX);
  const lines = KEY_REST.exec(text.slice(floor, near + sign))?.[0];
  const end = text.slice(at, at + 24).search(/-{4,5}/);
  return lines === undefined
    ? undefined
    : { start: near + sign - lines.length, end: end === -1 ? at : at + end + 5 };
}

/** The longest part of a key that is looked for before its end line. */
const REST_MAX = 8000;
const KEY_REST = /(?:(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{16,80}={0,2}(?:\r?\n|\\n| )[ \t>+#|]{0,6})+$/;

const HEADER =
  /^(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY ----)/;

function keyEnd(text: string, body: number, cursor: Cursor): number {
  const close = nearest(cursor.indexOf('-----END', body), cursor.indexOf('---- END', body));
  const reopen = cursor.indexOf('-----BEGIN', body);
  if (close !== -1 && (reopen === -1 || reopen > close)) {
    const line = /^-{4,5} ?END[^\n-]{0,60}-{4,5}/.exec(text.slice(close, close + 90));
    return line ? close + line[0].length : close + 8;
  }
  let end = body;
  while (end < text.length && (isAlnum(text.charCodeAt(end)) || KEY_BODY.has(text.charCodeAt(end)))) end += 1;
  return end;
}

const nearest = (a: number, b: number): number => (a === -1 ? b : b === -1 ? a : Math.min(a, b));

const KEY_BODY = new Set([...'+/=\r\n\\ '].map((char) => char.charCodeAt(0)));
