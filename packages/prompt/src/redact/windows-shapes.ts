import { isAlnum, isCjk, isInner, isLower, isSeparator, isUpper, isWord } from './chars.js';
import { hasExtension, type PathHead } from './extent.js';
import { isPathStart } from './path-start.js';
import { STOP_WORDS } from './path-words.js';
import { isSegmentStart, segmentEnd } from './segments.js';
import type { Shadow } from './shadow.js';
import type { ShapeQuery } from './shape-query.js';

/**
 * `C:\Users\x`, `D:\work\x`; `C:/Users/x`. Windows' own folders are nobody's secret, nor is what widely used programs
 * keep in `C:\ProgramData`.
 */
export function drive({ shadow, at, inValue }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  const start = at - 2;
  const isForward = text.charCodeAt(at) === 47;
  if (!isSegmentStart(text, at + 1)) return undefined;
  const wordEnd = segmentEnd(text, at + 1);
  const first = text.slice(at + 1, wordEnd).toLowerCase();
  const end = isForward ? wordEnd : spacedEnd(text, wordEnd);
  if (first === 'users' || text.slice(at + 1, at + 23).toLowerCase() === 'documents and settings') {
    const from = first === 'users' ? wordEnd : at + 23;
    const next = from + 1;
    const hasName = isSeparator(text.charCodeAt(from)) && isSegmentStart(text, next);
    return hasName ? { start, from: fullNameEnd(text, next, segmentEnd(text, next)) } : undefined;
  }
  if (first === 'programdata') return programData(text, start, wordEnd);
  if (WINDOWS_FOLDERS.has(first) || SAMPLE_FOLDERS.has(first)) return undefined;
  const isDeep = isSeparator(text.charCodeAt(end)) && isSegmentStart(text, end + 1);
  if (isForward && !(isUpper(text.charCodeAt(start)) && isPathStart(text, start))) return undefined;
  const isFile =
    !isForward && isUpper(text.charCodeAt(start)) && hasExtension(text, at, asciiEnd(text, at + 1, end));
  if (!isDeep && !inValue && !isFile) return undefined;
  if (!isForward && looksLikeText(text, at, isDeep ? end : -1)) return undefined;
  return { start, from: isDeep ? segmentEnd(text, end + 1) : end };
}

/** Where a first folder ends whose name has spaces, as `OneDrive - Acme` and `My Files` have, when something follows in it. */
function spacedEnd(text: string, wordEnd: number): number {
  if (text.charCodeAt(wordEnd) !== 32) return wordEnd;
  WORDS.lastIndex = wordEnd;
  return wordEnd + (WORDS.exec(text)?.[0].length ?? 0);
}

const WORDS = /(?: [\p{L}\p{N}&()+,._-]{1,40}){1,5}(?=\\[^\s\\])/uy;

/** `C:\ProgramData\acme\keys.txt`: what a program of this machine keeps. */
function programData(text: string, start: number, end: number): PathHead | undefined {
  if (!isSeparator(text.charCodeAt(end)) || !isSegmentStart(text, end + 1)) return undefined;
  const owner = segmentEnd(text, end + 1);
  const isDeep = isSeparator(text.charCodeAt(owner)) && isSegmentStart(text, owner + 1);
  if (!isDeep || PROGRAMS.test(text.slice(end + 1, owner))) return undefined;
  return { start, from: segmentEnd(text, owner + 1) };
}

const PROGRAMS =
  /^(?:microsoft|windows|package|chocolatey|docker\w*|ssh|git|scoop|nvm|nuget|(?:ana|mini)conda\d?|miniforge\d?|jenkins|amazon|google|nvidia|intel|dell|hp|lenovo|oracle|mysql|mongodb|postgresql|elastic|ssl|boxstarter|kubernetes|containerd|rancher|regid\..*)$/i;

/** `C:\\Users\\John Smith`: Windows names homes after people, so a second capitalised word is part of it. */
function fullNameEnd(text: string, from: number, end: number): number {
  const word = /^ ([A-Z][a-z]+)(?![\w\\/])/.exec(text.slice(end, end + 32))?.[1];
  if (word === undefined || !isUpper(text.charCodeAt(from)) || STOP_WORDS.has(word.toLowerCase())) return end;
  return end + 1 + word.length;
}

/** Where the ASCII letters of a name end: a full stop of another script is no part of it. */
function asciiEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) < 128) at += 1;
  return at;
}

/** What documentation calls a folder that nobody has. */
const SAMPLE_FOLDERS: ReadonlySet<string> = new Set(['path', 'foo', 'bar', 'some', 'your', 'example']);

const WINDOWS_FOLDERS: ReadonlySet<string> = new Set([
  'windows',
  'winnt',
  'program',
  'progra~1',
  'progra~2',
  'system32',
]);

/** `A:\nfoo\nB:\n`: a letter, a colon and escapes of a string literal; `end` is where the first segment does, if more follow. */
function looksLikeText(text: string, at: number, end: number): boolean {
  const letter = text.charCodeAt(at + 1);
  const isEscape = letter === 110 || letter === 116 || letter === 114;
  if (isEscape && !isLower(text.charCodeAt(at + 2))) return true;
  if (end === -1) return false;
  const second = segmentEnd(text, end + 1);
  return text.charCodeAt(second) === 58 && !/^:\d/.test(text.slice(second, second + 2));
}

/** `\\host\share\x`, `//HOST/share/x`, `\\?\C:\x`. */
export function network({ shadow, at, inValue }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  const run = shadow.endOf(at + 1) - shadow.startOf(at);
  if (run > 2 && isDeviceDot(shadow, at)) return dotDevice(text, at);
  if (run < 2 || !SAME_SEPARATORS.test(shadow.source.slice(shadow.startOf(at), shadow.startOf(at) + run))) {
    return undefined;
  }
  const plainEnd = segmentEnd(text, at + 1);
  const hostEnd = text.charCodeAt(plainEnd) === 36 ? plainEnd + 1 : plainEnd;
  const host = text.slice(at + 1, hostEnd);
  if (isDevice(text, at)) return device(text, at, at + 3);
  const nameEnd = segmentEnd(text, hostEnd + 1);
  const isHidden = text.charCodeAt(nameEnd) === 36;
  const shareEnd = isHidden ? nameEnd + 1 : nameEnd;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]+$/.test(host.replace('$', '')) || !isSeparator(text.charCodeAt(hostEnd)))
    return undefined;
  if (!isSegmentStart(text, hostEnd + 1)) return undefined;
  const isForward = text.charCodeAt(at) === 47;
  const named = /[A-Z0-9]/.test(host) && !host.includes('.');
  const found = { start: at, from: shareEnd };
  if (isForward) return named && text.charCodeAt(at - 1) !== 58 ? found : undefined;
  if (run !== 2 * (shadow.endOf(hostEnd + 1) - shadow.startOf(hostEnd))) return undefined;
  const isDeep = isSeparator(text.charCodeAt(shareEnd)) && isSegmentStart(text, shareEnd + 1);
  return named || /[$.-]/.test(host) || isHidden || isDeep || inValue ? found : undefined;
}

/** One kind of separator, twice or more, raw or escaped: `/\b` is a regular expression. */
const SAME_SEPARATORS =
  /^(?:\\{2,32}|(?:%(?:25)*5c){2,8}|(?:\\?\/|%(?:25)*2f|\\u002f|&#47;|&#x2f;|&sol;|\uff0f){2,8})$/i;

/** The shadow joins `\\?\` to `\?\` and `\\.\` to `\`. */
const isDevice = (text: string, at: number): boolean =>
  text.charCodeAt(at + 1) === 63 && isSeparator(text.charCodeAt(at + 2)) && isAlnum(text.charCodeAt(at + 3));

/** What a device path names, which starts at `name`: a drive, a volume, a share. */
function device(text: string, at: number, name: number): PathHead | undefined {
  const volume = VOLUME.exec(text.slice(name, name + 60));
  if (volume) return { start: at, from: name + volume[0].length };
  const end = segmentEnd(text, name);
  const next = text.charCodeAt(end) === 58 ? end + 1 : end;
  if (!isSeparator(text.charCodeAt(next)) || !isSegmentStart(text, next + 1)) return undefined;
  return { start: at, from: segmentEnd(text, next + 1) };
}

const VOLUME = /^Volume\{[0-9a-f-]{8,40}\}/i;

/** `\\.\D:\x`: two separators, a dot, a separator, which the shadow joins to one. */
const isDeviceDot = (shadow: Shadow, at: number): boolean =>
  shadow.endOf(at + 1) - shadow.startOf(at) < 200 &&
  DEVICE_DOT.test(shadow.source.slice(shadow.startOf(at), shadow.endOf(at + 1)));

const ONE_SEPARATOR =
  '(?:[\\\\/\uff0f\uff3c]|%(?:25)*(?:5c|2f)|\\\\u00(?:5c|2f)|&#(?:92|47|x5c|x2f);|&b?sol;)';
const DEVICE_DOT = new RegExp(`^${ONE_SEPARATOR}{2,32}(?:\\.|%(?:25)*2e)${ONE_SEPARATOR}{1,16}$`, 'i');

/** A drive or a volume; pipes, ports and disks are nobody's. */
function dotDevice(text: string, at: number): PathHead | undefined {
  const isPlace = /^(?:[a-z]:[\\/]|volume\{|globalroot[\\/]|harddiskvolume\d+[\\/])/i.test(
    text.slice(at + 1, at + 40),
  );
  return isPlace ? device(text, at, at + 1) : undefined;
}

/** `\??\C:\x`, `\Device\HarddiskVolume3\x`: names of the Windows kernel. */
export function ntObject({ shadow, at }: ShapeQuery): PathHead | undefined {
  const { text } = shadow;
  if (text.charCodeAt(at) !== 92) return undefined;
  if (text.startsWith('??\\', at + 1)) return device(text, at, at + 4);
  const match = /^Device\\(?:HarddiskVolume\w*|Mup|LanmanRedirector)\\/i.exec(text.slice(at + 1, at + 60));
  return match ? { start: at, from: segmentEnd(text, at + 1 + match[0].length) } : undefined;
}

/** A letter that no word or escape goes on into: not `\w:` of a regular expression, but `\\?\C:`. */
export function isDriveStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 92) return text.charCodeAt(at - 2) === 63;
  return (!isWord(before) || isCjk(before)) && !isInner(before);
}
