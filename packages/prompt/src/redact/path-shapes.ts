import { isDigit, isLetter, isSeparator, isSpace } from './chars.js';
import { hasExtension, type PathHead } from './extent.js';
import { FOLDERS, type FolderNode, type FolderRule } from './folder-rules.js';
import { matchSigns } from './path-signs.js';
import { isPathStart } from './path-start.js';
import { isNameCode, isSegmentStart, isUserCode, segmentEnd } from './segments.js';
import type { Shadow } from './shadow.js';
import type { ShapeQuery } from './shape-query.js';
import { drive, isDriveStart, network, ntObject } from './windows-shapes.js';

/** A private path by its shape alone: a home, a temp folder, a mounted disk, a drive, a network share, `file:`. */
export function matchShape(query: ShapeQuery): PathHead | undefined {
  const { shadow, at } = query;
  const { text } = shadow;
  if (text.charCodeAt(at - 1) === 58) {
    const letter = text.charCodeAt(at - 2);
    // `./x:/workspace/y` of a volume and `x:/workspace/y` of a copy have no drive.
    const isVolume = text.startsWith('./', at - 4);
    if (!isVolume && isLetter(letter) && isDriveStart(text, at - 2)) {
      const onDrive = drive(query);
      return onDrive || text.charCodeAt(at) === 92 ? onDrive : folder(query);
    }
    if (text.charCodeAt(at + 1) === 47 || startsWithFile(text, at)) return url(query);
    if (text.startsWith('dbfs', at - 5)) return dataPath(text, at);
  }
  if (!mayStart(shadow, at)) return undefined;
  if (!isPathStart(text, at)) return undefined;
  return network(query) ?? ntObject(query) ?? folder(query) ?? signs(query);
}

/** Any other path from the root that shows what it is by its names or its place. */
function signs({ shadow, at }: ShapeQuery): PathHead | undefined {
  const isRoute = isElementEnd(shadow.text, at) || isRequestLine(shadow.text, at);
  const isDoubled = shadow.source.startsWith('//', shadow.startOf(at));
  return isRoute ? undefined : matchSigns(shadow.text, at, isDoubled);
}

/** `</name>`: the end of an element. */
const isElementEnd = (text: string, at: number): boolean => text.charCodeAt(at - 1) === 60;

/** Cheap and true for every place where a rule or a network path could start. */
function mayStart(shadow: Shadow, at: number): boolean {
  const next = shadow.text.charCodeAt(at + 1);
  return !(next < 128) || FIRST_CODES[next] === 1 || shadow.endOf(at + 1) - shadow.startOf(at) > 1;
}

/** By ASCII code: 1 for what the first folder of a path starts with, or `?` of a device path. */
export const FIRST_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  isNameCode(code) || code === 46 || code === 45 || code === 63 ? 1 : 0,
);

/** By two ASCII codes: 1 for what the first folder of a rule starts with. */
export const FOLDER_PAIRS = new Uint8Array(128 * 128);
for (const name of FOLDERS.next.keys()) {
  const second = name.charCodeAt(1);
  const row = name.charCodeAt(0) * 128;
  if (name.startsWith('?')) for (let code = 65; code < 123; code += 1) FOLDER_PAIRS[code * 128 + 47] = 1;
  else if (second === 35) FOLDER_PAIRS.fill(1, row + 48, row + 58);
  else if (second > 0) FOLDER_PAIRS[row + second] = 1;
}

/** `~quinn/x`. `~/x` names nobody. */
export function matchTilde(text: string, at: number): PathHead | undefined {
  if (!isPathStart(text, at)) return undefined;
  let end = at + 1;
  while (end - at < 33 && isUserCode(text.charCodeAt(end))) end += 1;
  const isUser = end - at > 2 && isLetter(text.charCodeAt(at + 1)) && isSeparator(text.charCodeAt(end));
  if (!isUser || SAMPLE_USERS.has(text.slice(at + 1, end))) return undefined;
  return isNameCode(text.charCodeAt(end + 1)) ? { start: at, from: end + 1 } : undefined;
}

const SAMPLE_USERS: ReadonlySet<string> = new Set(['user', 'username', 'name', 'you']);

function folder({ shadow, at, inValue }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  // A single backslash starts a path only in `\Users\x`: elsewhere it is an escape.
  if (text.charCodeAt(at) === 92 && !text.startsWith('Users\\', at + 1)) return undefined;
  const rule = ruleAt(text, pastUpward(text, at));
  if (!rule) return undefined;
  const more = inValue ? rule.rule.moreInValues : rule.rule.more;
  if (more === 0 || isRequestLine(text, at)) return undefined;
  const from = moreSegments(text, rule.end, more, rule.rule);
  return from === -1 ? undefined : { start: at, from };
}

/** `/etc/../home/x`: where the path goes on after it went up to the root again. */
function pastUpward(text: string, at: number): number {
  const next = text.indexOf('/', at + 1);
  if (next === -1 || next - at > 64 || !text.startsWith('/../', next)) return at;
  return at + (UPWARD.exec(text.slice(at, at + 400))?.[0].length ?? 0);
}

const UPWARD = /^(?:\/[\w.-]{1,60}\/\.\.(?=\/))+/;

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
    (name.length === 1 && isLetter(name.charCodeAt(0)) ? node.next.get('?') : undefined) ??
    (isDigit(name.charCodeAt(name.length - 1))
      ? node.next.get(name.toLowerCase().replace(/\d+$/, '#'))
      : undefined);
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
  if (rule.except.has(segment) || rule.exceptLike?.test(segment)) return true;
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

const startsWithFile = (text: string, at: number): boolean =>
  /(?:^|[^a-z])file:$/i.test(text.slice(Math.max(0, at - 6), at));

/** `file:///x`, `file://HOST/x`, `smb://HOST/x`, and private folders on another machine: `ssh://git@host/Users/x`. */
function url(query: ShapeQuery): PathHead | undefined {
  const { shadow, at } = query;
  const { text } = shadow;
  if (text.startsWith('http', at - 5) || text.startsWith('https', at - 6)) return undefined;
  const scheme = /[a-z][a-z0-9+.-]{1,20}$/i.exec(text.slice(Math.max(0, at - 22), at - 1))?.[0].toLowerCase();
  if (!scheme || WEB_SCHEMES.has(scheme)) return undefined;
  const start = at - 1 - scheme.length;
  if (SHARE_SCHEMES.has(scheme) || scheme.endsWith('+file')) return fileUrl(text, at, start);
  const isRemote = scheme.startsWith('vscode-');
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
  const from = found ? moreSegments(text, found.end, Math.max(1, found.rule.more), found.rule) : -1;
  const head = from === -1 ? matchSigns(text, path) : { start: path, from };
  return head && isRemote ? { start, from: head.from } : head;
}

/** `dbfs:/FileStore/x`: a file of Databricks. */
const dataPath = (text: string, at: number): PathHead | undefined =>
  isSegmentStart(text, at + 1) ? { start: at - 5, from: segmentEnd(text, at + 1) } : undefined;

function fileUrl(text: string, at: number, start: number): PathHead | undefined {
  let from = at;
  while (isSeparator(text.charCodeAt(from))) from += 1;
  if (!isSegmentStart(text, from)) return undefined;
  const end = segmentEnd(text, from);
  const first = text.slice(from, end);
  if (PLACEHOLDER_FOLDERS.has(first.toLowerCase())) {
    const head = matchSigns(text, from - 1);
    return head ? { start, from: head.from } : undefined;
  }
  const next = text.charCodeAt(end) === 58 ? end + 1 : end;
  const isDeep = isSeparator(text.charCodeAt(next)) && isSegmentStart(text, next + 1);
  return isDeep ? { start, from: segmentEnd(text, next + 1) } : undefined;
}

const SHARE_SCHEMES: ReadonlySet<string> = new Set('file smb cifs afp nfs'.split(' '));
const WEB_SCHEMES: ReadonlySet<string> = new Set(
  'http https ws wss ftp npm node bun deno data mailto urn'.split(' '),
);
const PLACEHOLDER_FOLDERS: ReadonlySet<string> = new Set(
  'path foo a b x dir some usr etc bin dev lib'.split(' '),
);
