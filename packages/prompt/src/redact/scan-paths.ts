import { guard } from '@cuebook/guard';
import { isSeparator, isWord } from './chars.js';
import { extentEnd, type PathHead } from './extent.js';
import type { PathMatch } from './path-needles.js';
import { matchShape, matchTilde } from './path-shapes.js';
import { isPathStart } from './path-start.js';
import { displayRest, extendStart, isPathPrefix } from './path-text.js';
import { matchUserInfo } from './secret/user-info.js';
import { isUserCode } from './segments.js';
import type { Shadow } from './shadow.js';
import { add, addSecret, mask, type Walk } from './walk.js';

/** What the separator at `at` may be part of: a known path, a home with a known name, a private shape. */
export function separatorAt(run: Walk, at: number): void {
  const { shadow, compiled, mode } = run;
  const { text } = shadow;
  const match = compiled.paths.matchAt(shadow, at);
  if (match && match.start >= run.lastEnd) {
    knownPath(run, match, match.start);
    return;
  }
  if (homeNameAt(run, at)) return;
  if (mode.knownOnly) return;
  addSecret(run, matchUserInfo(text, at));
  const head = matchShape({ shadow, at, inValue: mode.inValue });
  if (!head || head.start < run.lastEnd) return;
  if (head.start > at) run.pending = head;
  else shapeAt(run, head);
}

/** Looks at the path that an earlier separator announced. */
export function pendingAt(run: Walk): void {
  const head = run.pending;
  run.pending = undefined;
  if (head && head.start >= run.lastEnd) shapeAt(run, head);
}

function shapeAt(run: Walk, head: PathHead): void {
  const root = rootBehindPrefix(run, head);
  if (guard('redact.shape', root === undefined)) maskPath(run, head, false);
  if (root) knownPath(run, root, head.start);
}

/** A known root inside a path whose beginning only says how to get there: `file://`, `\\\\?\\`, `\\\\wsl$\\x`. */
function rootBehindPrefix({ shadow, compiled }: Walk, { start, from }: PathHead): PathMatch | undefined {
  for (let at = start; at <= from; at += 1) {
    if (!isSeparator(shadow.text.charCodeAt(at))) continue;
    const match = compiled.paths.matchAt(shadow, at);
    if (match?.needle.kind === 'root' && isPathPrefix(shadow.text.slice(start, match.start))) return match;
  }
  return undefined;
}

function knownPath(run: Walk, match: PathMatch, outer: number): void {
  const { kind } = match.needle;
  if (kind === 'public') {
    run.lastEnd = match.end;
    return;
  }
  const start = extendStart(run.shadow.text, Math.min(outer, match.start), run.lastEnd);
  if (guard('redact.private', kind === 'private')) privatePath(run, match, start);
  if (guard('redact.root', kind === 'root')) rootPath(run, match, start);
}

function privatePath(run: Walk, { end }: PathMatch, start: number): void {
  if (run.mode.knownOnly) mask(run, start, end, 'path', true);
  else maskPath(run, { start, from: end }, true);
}

function rootPath(run: Walk, match: PathMatch, start: number): void {
  const { alias } = match.needle;
  const hit = { start, kind: 'root', known: true } as const;
  const isPlainRest =
    !isSeparator(run.shadow.text.charCodeAt(match.end)) ||
    (isPlainSlash(run.shadow, match.end) && !/^file:/i.test(run.shadow.text.slice(start, start + 5)));
  if (run.mode.knownOnly || run.inRest || isPlainRest) {
    add(run, { ...hit, end: match.end, text: alias });
    return;
  }
  const end = extentEnd(run.shadow, { start: match.start, from: match.end }, run.cursor);
  const rest = run.findInRest(match.end, end);
  add(run, { ...hit, end, text: alias + displayRest(run.shadow, match.end, end, rest) });
}

const isPlainSlash = (shadow: Shadow, at: number): boolean => {
  const start = shadow.startOf(at);
  return shadow.source.charCodeAt(start) === 47 && shadow.endOf(at + 1) === start + 1;
};

function maskPath(run: Walk, head: PathHead, known: boolean): void {
  const { text } = run.shadow;
  // Inside a word the separator stays: `@pkg/Users/x` becomes `@pkg/[removed:path]`.
  const isInside =
    text.charCodeAt(head.start) === 47 &&
    isWord(text.charCodeAt(head.start - 1)) &&
    !isPathStart(text, head.start);
  mask(run, isInside ? head.start + 1 : head.start, extentEnd(run.shadow, head, run.cursor), 'path', known);
}

const isNameUnit = (code: number): boolean => isUserCode(code) || code > 0xbf;

/** A short or common name right after `/home/` or `Users/`. */
function homeNameAt(run: Walk, at: number): boolean {
  const { homeNames } = run.compiled.words;
  const { text } = run.shadow;
  if (homeNames.size === 0 || !(text.startsWith('Users', at - 5) || text.startsWith('/home', at - 5)))
    return false;
  let end = at + 1;
  while (end - at < 64 && isNameUnit(text.charCodeAt(end))) end += 1;
  const name = run.shadow.lower().slice(at + 1, end);
  const isKnown = homeNames.has(name) || homeNames.has(name.replace(/\.+$/, ''));
  if (!guard('redact.name', isKnown)) return false;
  if (!run.mode.knownOnly) {
    // A whole home path is masked as a path; the name alone is masked in a relative one.
    const head = matchShape({
      shadow: run.shadow,
      at: at - (text.charCodeAt(at - 5) === 85 ? 6 : 5),
      inValue: false,
    });
    if (head && head.start >= run.lastEnd) {
      maskPath(run, head, true);
      return true;
    }
  }
  mask(run, at + 1, end, 'name', true);
  return true;
}

/** `~quinn/x`: by its shape, or because the name is known. */
export function tildeAt(run: Walk, at: number): void {
  const head = matchTilde(run.shadow.text, at);
  if (!head) return;
  const name = run.shadow.lower().slice(at + 1, head.from - 1);
  const known = run.compiled.words.homeNames.has(name);
  if (known || !run.mode.knownOnly) maskPath(run, head, known);
}
