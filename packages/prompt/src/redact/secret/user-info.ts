import { isSpace } from '../chars.js';
import { isOpaque, isPlaceholder, SAMPLES, type SecretRange } from './secret-value.js';

/** The longest name and password of an address. */
const USER_INFO_MAX = 300;

/** The password of `scheme://user:password@host`, or a token in the user's place; `at` is the first slash. */
export function matchUserInfo(text: string, at: number): SecretRange | undefined {
  if (text.charCodeAt(at - 1) !== 58 || text.charCodeAt(at + 1) !== 47) return undefined;
  let colon = -1;
  let sign = -1;
  for (let index = at + 2; index < text.length && index - at < USER_INFO_MAX; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 58 && colon === -1) colon = index;
    if (code === 64) sign = index;
    if (isSpace(code) || STOPS.has(code)) break;
  }
  if (sign === -1) return undefined;
  if (colon !== -1 && colon < sign) return secretPart(text, colon + 1, sign);
  if (PUBLIC_USER.test(text.slice(Math.max(0, at - 6), at))) return undefined;
  return isOpaque(text.slice(at + 2, sign), 20) && !isPlaceholder(text.slice(at + 2, sign))
    ? { start: at + 2, end: sign }
    : undefined;
}

/** Servers of SimpleX: in the place of the user stands the digest of their public key. */
const PUBLIC_USER = /\b(?:smp|xftp):$/;

const STOPS = new Set([...'/"\'`<>,?'].map((char) => char.charCodeAt(0)));

function secretPart(text: string, start: number, end: number): SecretRange | undefined {
  const value = text.slice(start, end);
  if (value.length < 3 || text.startsWith('[removed', start - 9) || value.startsWith('[removed'))
    return undefined;
  return isPlaceholder(value) || SAMPLES.has(value.toLowerCase()) ? undefined : { start, end };
}
