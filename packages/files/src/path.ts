import { guard } from '@cuebook/guard';
import type { ViolationReason } from './error.js';
import { type FileResult, fail, ok } from './result.js';
import { isTemporaryName } from './temporary.js';

/** A path after the lexical rules: no `.`, no `..`, no empty part, one separator. */
export interface CleanPath {
  /** The mount, `''` for the one unnamed root of a folder. */
  readonly alias: string;
  readonly segments: readonly string[];
  /** The one spelling of this path: compare this, never the path as given. */
  readonly text: string;
  /** `text`, or only the alias where `text` spells a private place. Errors carry this. */
  readonly shown: string;
}

export interface PathRules {
  /** The known mounts; `null` for one unnamed root, whose paths are relative and where `@` means nothing. */
  readonly aliases: ReadonlySet<string> | null;
  readonly windows: boolean;
  /** Real places that no error may spell, in the form `privatePlaces` gives. */
  readonly hidden: readonly string[];
}

/**
 * Applies the lexical rules; touches no disk. `/` and `\` both separate. `%2e%2e` is a literal name, and so
 * is `..foo`. What only Windows misreads (streams, devices, trailing dots) is refused for reading on Windows
 * and for writing everywhere, so that what is written here can be checked out there.
 */
export function parsePath(path: string, rules: PathRules, intent: 'read' | 'write'): FileResult<CleanPath> {
  const [alias, rest] = splitAlias(path, rules.aliases !== null);
  const refuse = (reason: ViolationReason): FileResult<CleanPath> =>
    fail({ code: 'E_SANDBOX_VIOLATION', path: nameOf(alias, rules), reason });

  if (guard('resolve.length', path.length > MAX_PATH)) return refuse('too-long');
  if (guard('resolve.malformed', LONE_SURROGATE.test(path))) return refuse('malformed');
  if (guard('resolve.nul', CONTROL.test(path))) return refuse('control');
  if (guard('resolve.absolute', /^[/\\]/.test(rest))) return refuse('absolute');
  if (guard('resolve.drive', DRIVE.test(rest))) return refuse('drive');
  if (guard('resolve.mount', rules.aliases?.has(alias) === false)) {
    return refuse(alias === '' ? 'no-mount' : 'unknown-mount');
  }

  const segments: string[] = [];
  for (const part of rest.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') {
      const reason = refuseName(part, rules.windows || intent === 'write');
      if (reason !== undefined) return refuse(reason);
      segments.push(part);
      continue;
    }
    if (guard('resolve.dotdot', segments.length === 0)) return refuse('dotdot');
    segments.pop();
  }
  return ok(cleanPath(alias, segments, rules));
}

/** The clean path of segments that already passed the rules. */
export function cleanPath(alias: string, segments: readonly string[], rules: PathRules): CleanPath {
  const text = alias === '' ? segments.join('/') || '.' : [alias, ...segments].join('/');
  const folded = foldPlace(text);
  const isPrivate = rules.hidden.some((place) => folded.includes(place));
  return { alias, segments, text, shown: guard('error.hide', isPrivate) ? alias || '.' : text };
}

/** Whether a name found on disk can be spelled in a path of ours; others are counted, never listed. */
export function isAddressable(name: string, windows: boolean): boolean {
  const spelled = name !== '' && name !== '.' && name !== '..' && !/[/\\\uFFFD]/.test(name);
  return (
    spelled && !LONE_SURROGATE.test(name) && !CONTROL.test(name) && refuseName(name, windows) === undefined
  );
}

/**
 * The places errors must not spell: the given real paths, folded and without drive or leading slash, since a
 * private path with a prefix put in front is private still. A place of one part, such as `/root`, names nobody
 * and occurs in ordinary paths, so it is left out.
 */
export function privatePlaces(paths: readonly string[]): readonly string[] {
  const places = paths.map((path) =>
    foldPlace(path)
      .replace(/^[a-z]:/, '')
      .replace(/^\/+|\/+$/g, ''),
  );
  return [...new Set(places)].filter((place) => place.includes('/'));
}

const MAX_PATH = 4096;
const MAX_NAME_BYTES = 255;

/** C0, DEL, C1 and the two Unicode line breaks: a name with one could forge a line in a listing. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const DRIVE = /^[A-Za-z]:/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const DEVICE =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])\s*(?:[.:]|$)/i;
const ALIAS = /^@[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

function refuseName(name: string, strict: boolean): ViolationReason | undefined {
  if (guard('resolve.length', new TextEncoder().encode(name).length > MAX_NAME_BYTES)) return 'too-long';
  if (guard('resolve.reserved', isTemporaryName(name))) return 'reserved';
  if (guard('resolve.drive', DRIVE.test(name))) return 'drive';
  if (!strict) return undefined;
  if (guard('resolve.device', DEVICE.test(name))) return 'device';
  if (guard('resolve.stream', name.includes(':'))) return 'stream';
  if (guard('resolve.trailing', /[. ]$/.test(name))) return 'trailing';
  return undefined;
}

function splitAlias(path: string, mounted: boolean): readonly [alias: string, rest: string] {
  if (!mounted || !path.startsWith('@')) return ['', path];
  const end = path.search(/[/\\]/);
  return end === -1 ? [path, ''] : [path.slice(0, end), path.slice(end + 1)];
}

/** How a refused path is named: never by its text, which may be a private path with a prefix in front. */
function nameOf(alias: string, rules: PathRules): string {
  if (rules.aliases === null) return '.';
  return ALIAS.test(alias) ? alias : '(path)';
}

function foldPlace(path: string): string {
  return path.replaceAll('\\', '/').normalize('NFC').toLowerCase();
}

/** Whether a mount may have this name. */
export const isAlias = (alias: string): boolean => ALIAS.test(alias);
