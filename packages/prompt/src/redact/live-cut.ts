import type { Replacement } from './leak-context.js';

/**
 * The last place in a text that goes on, behind `from`, at which it may be cut: whatever follows, nothing before the
 * place becomes a part of something private that is not found yet. `from` when there is none before the limit.
 */
export function lastSafeCut(
  text: string,
  from: number,
  found: readonly Replacement[],
  limit: number,
): number {
  for (let at = limit; at > from; at -= 1) {
    const inside = found.find((hit) => hit.start < at && at < hit.end);
    if (inside) at = inside.start + 1;
    else if (isCut(text, at)) return at;
  }
  return from;
}

/** Nothing behind this place is told yet, whatever stands there. */
export function limitOf(text: string, from: number, found: readonly Replacement[], reach: number): number {
  const key = openKeyAt(text, from) ?? text.length;
  const path = found.find((hit) => hit.end > from && isPath(hit) && !isEnded(text, hit.end));
  return Math.max(from, Math.min(key, path?.start ?? text.length, text.length - reach));
}

const isPath = ({ kind }: Replacement): boolean => kind === 'path' || kind === 'root';

/** A path may go on over spaces, as far as its line and a quote that it stands in go. */
const isEnded = (text: string, end: number): boolean =>
  text.length - end > PATH_REACH || text.indexOf('\n', end) !== -1;

/** Farther than a path is followed: five words, or the closing quote. */
const PATH_REACH = 700;

/** Where a private key begins that has not ended. */
export function openKeyAt(text: string, from: number): number | undefined {
  const at = Math.max(text.lastIndexOf('-----BEGIN'), text.lastIndexOf('---- BEGIN'));
  if (at < from) return undefined;
  return CLOSED.test(text.slice(at)) ? undefined : at;
}

const CLOSED = /-{4,5} ?END[^-\n]{0,60}-{4,5}/;

/** A place between words, or between characters of a writing without spaces. */
function isCut(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  if (isWide(code)) return at < text.length && !isLowSurrogateOrMark(text.charCodeAt(at));
  if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return false;
  // A line may end in two characters.
  if (code === 13 && (at === text.length || text.charCodeAt(at) === 10)) return false;
  let line = at;
  while (line > 0 && isBlank(text.charCodeAt(line - 1))) line -= 1;
  return text.charCodeAt(line - 1) !== 10 || !goesOnBehindLine(text, line);
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** A line that ends in `=` or a backslash goes on in the next one, and so does base64 that is wrapped. */
function goesOnBehindLine(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - LONG_LINE), at).replace(/\r?\n$/, '');
  const isWrapped = /[A-Za-z0-9+/_-]{60}={0,2}$/.test(line);
  if (/[=\\]$/.test(line)) return true;
  if (!isWrapped) return false;
  const next = /^\S*(?=\s)/.exec(text.slice(at, at + LONG_LINE))?.[0];
  return next === undefined || /^[A-Za-z0-9+/_-]{4,}={0,2}$/.test(next);
}

const LONG_LINE = 2_000;

const isWide = (code: number): boolean =>
  (code >= 0x3001 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7a3);

const isLowSurrogateOrMark = (code: number): boolean =>
  (code >= 0xdc00 && code <= 0xdfff) ||
  (code >= 0x0300 && code <= 0x036f) ||
  code === 0x3099 ||
  code === 0x309a;
