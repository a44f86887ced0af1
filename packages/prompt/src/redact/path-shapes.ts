import { isAlnum, isInner, isLetter, isLower, isSeparator, isSpace, isUpper, isWord } from './chars.js';
import { hasExtension, type PathHead } from './extent.js';
import { FOLDERS, type FolderNode, type FolderRule } from './folder-rules.js';
import { isPathStart } from './path-start.js';
import type { Shadow } from './shadow.js';

/** Where the scan stands and how strict it is. */
export interface ShapeQuery {
  readonly shadow: Shadow;
  /** The place of a separator in the shadow. */
  readonly at: number;
  /** In structured values more folders count, because a string that looks like a path is one. */
  readonly inValue: boolean;
}

/** A private path by its shape alone: a home, a temp folder, a mounted disk, a drive, a network share, `file:`. */
export function matchShape(query: ShapeQuery): PathHead | undefined {
  const { shadow, at } = query;
  const { text } = shadow;
  if (text.charCodeAt(at - 1) === 58) {
    const letter = text.charCodeAt(at - 2);
    if (isLetter(letter) && !isWord(text.charCodeAt(at - 3)) && !isInner(text.charCodeAt(at - 3)))
      return drive(query);
    if (text.charCodeAt(at + 1) === 47 || startsWithFile(text, at)) return url(query);
  }
  if (!mayStart(shadow, at)) return undefined;
  if (!isPathStart(text, at)) return undefined;
  return network(query) ?? folder(query);
}

/** Cheap and true for every place where a rule or a network path could start. */
function mayStart(shadow: Shadow, at: number): boolean {
  const next = shadow.text.charCodeAt(at + 1);
  return (
    FIRST_CODES[next] === 1 ||
    isSeparator(shadow.text.charCodeAt(at + 2)) ||
    shadow.endOf(at + 1) - shadow.startOf(at) > 1
  );
}

/** By ASCII code: 1 for what the first folder of a rule starts with, or `?` of a device path. */
export const FIRST_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  ['?', ...FOLDERS.next.keys()].some((name) => name.charCodeAt(0) === code) ? 1 : 0,
);

/** `~quinn/x`. `~/x` names nobody. */
export function matchTilde(text: string, at: number): PathHead | undefined {
  if (!isPathStart(text, at)) return undefined;
  let end = at + 1;
  while (end - at < 33 && isUserCode(text.charCodeAt(end))) end += 1;
  const isUser = end - at > 2 && isLetter(text.charCodeAt(at + 1)) && isSeparator(text.charCodeAt(end));
  return isUser && isNameCode(text.charCodeAt(end + 1)) ? { start: at, from: end + 1 } : undefined;
}

const isUserCode = (code: number): boolean => isAlnum(code) || code === 45 || code === 46 || code === 95;

/** A segment starts like a name, not like a placeholder (`{id}`, `:id`, `<you>`, `$USER`, `*`, `...`). */
const isNameCode = (code: number): boolean => isWord(code) || isInner(code);

const isSegmentStart = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return (
    isNameCode(code) ||
    ((code === 46 || code === 45 || code === 43 || code === 35) && isNameCode(text.charCodeAt(at + 1)))
  );
};

/** The end of the segment that starts at `from`: at a separator, or where no name goes on. */
function segmentEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < 256) {
    const code = text.charCodeAt(at);
    if (isSeparator(code) || isSpace(code) || SEGMENT_STOPS.has(code)) break;
    at += 1;
  }
  return at;
}

const SEGMENT_STOPS = new Set([...'"\'`<>|*?:;,()[]{}$&=!'].map((char) => char.charCodeAt(0)));

function folder({ shadow, at, inValue }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  // A single backslash starts a path only in `\Users\x`: elsewhere it is an escape.
  if (text.charCodeAt(at) === 92 && !text.startsWith('Users\\', at + 1)) return undefined;
  const rule = ruleAt(text, at);
  if (!rule) return undefined;
  const more = inValue ? rule.rule.moreInValues : rule.rule.more;
  if (more === 0 || isRequestLine(text, at)) return undefined;
  const from = moreSegments(text, rule.end, more, rule.rule);
  return from === -1 ? undefined : { start: at, from };
}

/** The deepest rule whose folders are at `at`, and where they end. */
function ruleAt(text: string, at: number): { readonly rule: FolderRule; readonly end: number } | undefined {
  let node: FolderNode = FOLDERS;
  let found: { readonly rule: FolderRule; readonly end: number } | undefined;
  for (let from = at; isSeparator(text.charCodeAt(from)); ) {
    const end = segmentEnd(text, from + 1);
    if (end - from > 24) break;
    const next = childOf(node, text, from + 1, end);
    if (!next) break;
    const stop = next.end;
    node = next.node;
    if (node.rule) found = { rule: node.rule, end: stop };
    from = stop;
  }
  return found;
}

function childOf(node: FolderNode, text: string, from: number, end: number) {
  const name = text.slice(from, end);
  const child =
    node.next.get(name) ??
    (name.length === 1 && isLetter(name.charCodeAt(0)) ? node.next.get('?') : undefined);
  if (child) return { node: child, end };
  const spaced = 'Documents and Settings';
  if (name !== 'Documents' || !text.startsWith(spaced, from)) return undefined;
  const settings = node.next.get(spaced);
  return settings ? { node: settings, end: from + spaced.length } : undefined;
}

/** The end of `more` further segments, or -1 when they are missing, public or placeholders. */
function moreSegments(text: string, start: number, more: number, rule: FolderRule): number {
  let at = start;
  for (let count = 0; count < more; count += 1) {
    if (!isSeparator(text.charCodeAt(at)) || !isSegmentStart(text, at + 1)) return -1;
    const end = segmentEnd(text, at + 1);
    if (count === 0 && isPublicSegment(text, at + 1, end, rule)) return -1;
    at = end;
  }
  return at;
}

function isPublicSegment(text: string, from: number, end: number, rule: FolderRule): boolean {
  const segment = text.slice(from, end);
  if (rule.except.has(segment)) return true;
  if (!rule.home) return false;
  if (PLACEHOLDER_NAMES.has(segment)) return true;
  return (
    !isSeparator(text.charCodeAt(end)) && hasExtension(text, from, end) && !isSpace(text.charCodeAt(end - 1))
  );
}

const PLACEHOLDER_NAMES: ReadonlySet<string> = new Set(
  (
    'USER USERNAME YOUR_NAME YOUR_USER YOUR_USERNAME YOURNAME NAME username yourname your-name your_name ' +
    'yourusername your-username your_username'
  ).split(' '),
);

/** `GET /Users/42`: a route of some interface. */
function isRequestLine(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 1) === 32 &&
    /(?:^|[^A-Z])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) $/.test(text.slice(Math.max(0, at - 9), at))
  );
}

/** `C:\Users\x`, `D:\work\x`; `C:/Users/x`. Windows' own folders are nobody's secret. */
function drive({ shadow, at, inValue }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  const start = at - 2;
  const isForward = text.charCodeAt(at) === 47;
  if (!isSegmentStart(text, at + 1)) return undefined;
  const end = segmentEnd(text, at + 1);
  const first = text.slice(at + 1, end).toLowerCase();
  if (first === 'users' || text.slice(at + 1, at + 23).toLowerCase() === 'documents and settings') {
    const from = first === 'users' ? end : at + 23;
    const next = from + 1;
    const hasName = isSeparator(text.charCodeAt(from)) && isSegmentStart(text, next);
    return hasName ? { start, from: segmentEnd(text, next) } : undefined;
  }
  if (WINDOWS_FOLDERS.has(first)) return undefined;
  const isDeep = isSeparator(text.charCodeAt(end)) && isSegmentStart(text, end + 1);
  if (isForward && !(isUpper(text.charCodeAt(start)) && isPathStart(text, start))) return undefined;
  if (!isDeep && !inValue) return undefined;
  if (!isForward && looksLikeText(text, at, end)) return undefined;
  return { start, from: isDeep ? segmentEnd(text, end + 1) : end };
}

const WINDOWS_FOLDERS: ReadonlySet<string> = new Set([
  'windows',
  'winnt',
  'program',
  'programdata',
  'progra~1',
  'progra~2',
  'system32',
]);

/** `A:\nfoo\nB:\n`: a letter, a colon and escapes of a string literal. */
function looksLikeText(text: string, at: number, end: number): boolean {
  const letter = text.charCodeAt(at + 1);
  const isEscape = letter === 110 || letter === 116 || letter === 114;
  if (isEscape && !isLower(text.charCodeAt(at + 2))) return true;
  const second = segmentEnd(text, end + 1);
  return text.charCodeAt(second) === 58 && !/^:\d/.test(text.slice(second, second + 2));
}

/** `\\host\share\x`, `//HOST/share/x`, `\\?\C:\x`. */
function network({ shadow, at, inValue }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  const run = shadow.endOf(at + 1) - shadow.startOf(at);
  if (run < 2 && !isDevice(text, at)) return undefined;
  const plainEnd = segmentEnd(text, at + 1);
  const hostEnd = text.charCodeAt(plainEnd) === 36 ? plainEnd + 1 : plainEnd;
  const host = text.slice(at + 1, hostEnd);
  if (isDevice(text, at)) return device(text, at);
  const shareEnd = segmentEnd(text, hostEnd + 1);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]+$/.test(host.replace('$', '')) || !isSeparator(text.charCodeAt(hostEnd)))
    return undefined;
  if (!isSegmentStart(text, hostEnd + 1)) return undefined;
  const isForward = text.charCodeAt(at) === 47;
  const named = /[A-Z0-9]/.test(host) && !host.includes('.');
  const found = { start: at, from: shareEnd };
  if (isForward) return named && text.charCodeAt(at - 1) !== 58 ? found : undefined;
  if (run !== 2 * (shadow.endOf(hostEnd + 1) - shadow.startOf(hostEnd))) return undefined;
  const isDeep = isSeparator(text.charCodeAt(shareEnd)) && isSegmentStart(text, shareEnd + 1);
  return named || /[$.-]/.test(host) || isDeep || inValue ? found : undefined;
}

/** The shadow joins `\\?\` to `\?\` and `\\.\` to `\`. */
const isDevice = (text: string, at: number): boolean =>
  text.charCodeAt(at + 1) === 63 && isSeparator(text.charCodeAt(at + 2)) && isAlnum(text.charCodeAt(at + 3));

function device(text: string, at: number): PathHead | undefined {
  const end = segmentEnd(text, at + 3);
  const next = text.charCodeAt(end) === 58 ? end + 1 : end;
  if (!isSeparator(text.charCodeAt(next)) || !isSegmentStart(text, next + 1)) return undefined;
  return { start: at, from: segmentEnd(text, next + 1) };
}

const startsWithFile = (text: string, at: number): boolean =>
  /(?:^|[^a-z])file:$/i.test(text.slice(Math.max(0, at - 6), at));

/** `file:///x`, `file://HOST/x`, and private folders on another machine: `ssh://git@host/Users/x`. */
function url(query: ShapeQuery): PathHead | undefined {
  const { shadow, at } = query;
  const { text } = shadow;
  if (text.startsWith('http', at - 5) || text.startsWith('https', at - 6)) return undefined;
  const scheme = /[a-z][a-z0-9+.-]{1,20}$/i.exec(text.slice(Math.max(0, at - 22), at - 1))?.[0].toLowerCase();
  if (!scheme || WEB_SCHEMES.has(scheme)) return undefined;
  const start = at - 1 - scheme.length;
  if (scheme === 'file' || scheme.endsWith('+file')) return fileUrl(text, at, start);
  let path = at + 2;
  while (
    path - at < 256 &&
    path < text.length &&
    !isSeparator(text.charCodeAt(path)) &&
    !isSpace(text.charCodeAt(path))
  )
    path += 1;
  if (!isSeparator(text.charCodeAt(path))) return undefined;
  const found = ruleAt(text, path);
  if (!found) return undefined;
  const from = moreSegments(text, found.end, Math.max(1, found.rule.more), found.rule);
  return from === -1 ? undefined : { start: path, from };
}

function fileUrl(text: string, at: number, start: number): PathHead | undefined {
  let from = at;
  while (isSeparator(text.charCodeAt(from))) from += 1;
  if (!isSegmentStart(text, from)) return undefined;
  const end = segmentEnd(text, from);
  const first = text.slice(from, end);
  if (PLACEHOLDER_FOLDERS.has(first.toLowerCase())) return undefined;
  const next = text.charCodeAt(end) === 58 ? end + 1 : end;
  const isDeep = isSeparator(text.charCodeAt(next)) && isSegmentStart(text, next + 1);
  return isDeep ? { start, from: segmentEnd(text, next + 1) } : undefined;
}

const WEB_SCHEMES: ReadonlySet<string> = new Set(
  'http https ws wss ftp npm node bun deno data mailto urn'.split(' '),
);
const PLACEHOLDER_FOLDERS: ReadonlySet<string> = new Set(
  'path foo a b x dir some usr etc bin dev lib'.split(' '),
);
