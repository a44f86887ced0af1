import { guard } from '../guard.js';
import { isAlnum, isSeparator, isWord } from './chars.js';
import { ASSIGN, classTable, SEPARATOR, SPECIAL, TILDE, WORD } from './class-table.js';
import { type Codes, codesOf, longRuns, nextMarked } from './codes.js';
import { matchAssignment, matchToken, matchUserInfo, nextPrivateKey } from './credentials.js';
import { type Cursor, createCursor } from './cursor.js';
import { aroundBase64, base64Run, type EncodedRun, hexRuns, isReadable } from './encoded.js';
import { extentEnd, type PathHead } from './extent.js';
import { foldsToItself } from './fold.js';
import { type LeakContext, placeholderOf, type ReplacementKind } from './leak-context.js';
import { compilePathNeedles, type PathMatch, type PathNeedles } from './path-needles.js';
import { matchShape, matchTilde } from './path-shapes.js';
import { isPathStart } from './path-start.js';
import { displayRest, extendStart, isPathPrefix } from './path-text.js';
import { createQuickScan, type QuickScan } from './quick-scan.js';
import { isSpecialAt, plainShadow, type Shadow, shadowOf } from './shadow.js';
import { compileWordNeedles, matchWord, type WordNeedles } from './word-needles.js';

/** Something found, as a range of the shadow. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: ReplacementKind;
  readonly known: boolean;
}

export interface ScanMode {
  /** Only what the context names: the last check before sending. */
  readonly knownOnly: boolean;
  /** The text is a leaf or a key of a structured value. */
  readonly inValue: boolean;
  /** How many encodings deep the text was found. */
  readonly depth: number;
}

export interface Scanner {
  /** Sorted hits that do not overlap, with the shadow they are ranges of. */
  scan(source: string, mode: ScanMode): { readonly shadow: Shadow; readonly hits: readonly Hit[] };
}

/** Base64 inside base64 is looked into this deep. */
const DEPTH_MAX = 2;

/** Compiles a context. The scan reads each character once and stops only where its class says so. */
export function createScanner(context: LeakContext): Scanner {
  const paths = compilePathNeedles(context);
  const words = compileWordNeedles(context);
  const compile = (withShapes: boolean) => ({
    table: classTable(words, withShapes),
    quick: createQuickScan({
      afterSeparator: paths.afterGate,
      afterSeparatorPairs: paths.afterPairs,
      wordPairs: words.pairs,
      hasHomeNames: words.homeNames.size > 0,
      withShapes,
    }),
  });
  const all = compile(true);
  const known = compile(false);
  const scanner: Scanner = {
    scan(source, mode) {
      const compiled = { scanner, paths, words, ...(mode.knownOnly ? known : all) };
      const plain = plainShadow(source);
      const quick = walkShadow(compiled, plain, mode, true);
      if (quick.special === -1) return { shadow: plain, hits: quick.hits };
      const shadow = shadowOf(source, quick.special);
      return { shadow, hits: walkShadow(compiled, shadow, mode, false).hits };
    },
  };
  return scanner;
}

interface Compiled {
  readonly scanner: Scanner;
  readonly paths: PathNeedles;
  readonly words: WordNeedles;
  readonly table: Uint8Array;
  readonly quick: QuickScan;
}

/** One walk over one shadow. Hits come in rising order; nothing before `lastEnd` is touched again. */
interface Walk {
  readonly compiled: Compiled;
  readonly shadow: Shadow;
  readonly mode: ScanMode;
  readonly cursor: Cursor;
  readonly hits: Hit[];
  /** Inside the rest of an aliased path only the prefix of a root is replaced. */
  readonly inRest: boolean;
  /** Long runs that are still to be looked at, as pairs of start and end. */
  readonly runs: readonly number[];
  nextRun: number;
  lastEnd: number;
}

function walkShadow(compiled: Compiled, shadow: Shadow, mode: ScanMode, stopAtSpecial: boolean) {
  const { text } = shadow;
  const codes = codesOf(text, mode.depth === 0);
  const run = { ...startWalk(compiled, shadow, mode), runs: longRuns(codes) };
  let from = 0;
  for (;;) {
    const key = mode.knownOnly ? undefined : nextPrivateKey(text, from, run.cursor);
    const special = walk(run, codes, from, key?.start ?? text.length, stopAtSpecial);
    if (special !== -1 || !key) return { special, hits: run.hits };
    addSecret(run, key);
    from = key.end;
  }
}

const startWalk = (compiled: Compiled, shadow: Shadow, mode: ScanMode): Walk => ({
  compiled,
  shadow,
  mode,
  cursor: createCursor(shadow.text),
  hits: [],
  inRest: false,
  runs: [],
  nextRun: 0,
  lastEnd: 0,
});

/** Where the text has a character that needs a shadow, when `stopAtSpecial` is set; else -1. */
function walk(run: Walk, codes: Codes, from: number, to: number, stopAtSpecial: boolean): number {
  const { table, quick } = run.compiled;
  const bytes = stopAtSpecial ? codes.bytes : undefined;
  for (let at = from; ; at += 1) {
    at = bytes ? quick.next(bytes, at, to) : nextMarked(codes, table, at, to);
    if (run.nextRun < run.runs.length && run.runs[run.nextRun]! < Math.min(at + 1, to))
      longRunsBefore(run, at, to);
    if (at >= to) return -1;
    if (at >= run.lastEnd) {
      if (!visit(run, at, stopAtSpecial)) return at;
    } else if (stopAtSpecial && isSpecialAt(run.shadow.text, at)) return at;
    // What is covered needs no second visit, but it may hold the first special character.
    if (run.lastEnd > at && !stopAtSpecial) at = run.lastEnd - 1;
  }
}

/** False when the character at `at` needs a shadow. */
function visit(run: Walk, at: number, stopAtSpecial: boolean): boolean {
  const { text } = run.shadow;
  const { table } = run.compiled;
  const code = text.charCodeAt(at);
  const bits = table[code]!;
  if (stopAtSpecial && (bits & SPECIAL) !== 0 && isSpecialAt(text, at)) return false;
  if ((bits & WORD) !== 0) wordAt(run, at);
  if (run.lastEnd <= at && (bits & SEPARATOR) !== 0) separatorAt(run, at);
  if (run.lastEnd <= at && (bits & ASSIGN) !== 0) addSecret(run, matchAssignment(text, at));
  if (run.lastEnd <= at && (bits & TILDE) !== 0) tildeAt(run, at);
  if (bits === SPECIAL && isLastingPlain(code)) table[code] = 0;
  return true;
}

/** Looks at the long runs that start before `at`, or before `to` when the walk ends. */
function longRunsBefore(run: Walk, at: number, to: number): void {
  while (run.nextRun < run.runs.length && run.runs[run.nextRun]! < Math.min(at + 1, to)) {
    longRunAt(run, run.runs[run.nextRun]!, run.runs[run.nextRun + 1]!);
    run.nextRun += 2;
  }
}

/** A character beyond ASCII that stands for itself needs no second look, now or in later texts. */
const isLastingPlain = (code: number): boolean => code >= 128 && foldsToItself(code);

function add(run: Walk, hit: Hit): void {
  if (hit.start < run.lastEnd || hit.end <= hit.start) return;
  run.hits.push(hit);
  run.lastEnd = hit.end;
}

function mask(
  run: Walk,
  start: number,
  end: number,
  kind: Exclude<ReplacementKind, 'root'>,
  known: boolean,
): void {
  add(run, { start, end, text: placeholderOf(kind), kind, known });
}

function wordAt(run: Walk, at: number): void {
  const { shadow, compiled } = run;
  for (const needle of compiled.words.byAnchor.get(shadow.text.charCodeAt(at)) ?? []) {
    const start = at - needle.anchor;
    if (start < run.lastEnd) continue;
    const end = matchWord(shadow, at, needle);
    if (end === -1) continue;
    const guardName = needle.kind === 'name' ? 'redact.name' : 'redact.credential';
    if (!guard(guardName, true)) continue;
    const whole =
      needle.encoding === 'none' ? { start, end } : aroundBase64(shadow.text, start, end, run.lastEnd);
    mask(run, whole.start, whole.end, needle.kind, true);
  }
}

function separatorAt(run: Walk, at: number): void {
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
  const root = rootBehindPrefix(run, head);
  if (root) {
    knownPath(run, root, head.start);
    return;
  }
  if (guard('redact.shape', true)) maskPath(run, head, false);
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
  const { kind, alias } = match.needle;
  if (kind === 'public') {
    run.lastEnd = match.end;
    return;
  }
  const start = extendStart(run.shadow.text, Math.min(outer, match.start), run.lastEnd);
  if (kind === 'private') {
    if (!guard('redact.private', true)) return;
    if (run.mode.knownOnly) {
      mask(run, start, match.end, 'path', true);
      return;
    }
    maskPath(run, { start, from: match.end }, true);
    return;
  }
  if (!guard('redact.root', true)) return;
  const hit = { start, kind: 'root', known: true } as const;
  const isPlainRest =
    !isSeparator(run.shadow.text.charCodeAt(match.end)) ||
    (isPlainSlash(run.shadow, match.end) && !/^file:/i.test(run.shadow.text.slice(start, start + 5)));
  if (run.mode.knownOnly || run.inRest || isPlainRest) {
    add(run, { ...hit, end: match.end, text: alias });
    return;
  }
  const end = extentEnd(run.shadow, { start: match.start, from: match.end }, run.cursor);
  const rest = { ...startWalk(run.compiled, run.shadow, run.mode), inRest: true };
  walk(rest, { text: run.shadow.text, bytes: undefined }, match.end, end, false);
  add(run, { ...hit, end, text: alias + displayRest(run.shadow, match.end, end, rest.hits) });
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

/** A short or common name right after `/home/` or `Users/`. */
function homeNameAt(run: Walk, at: number): boolean {
  const { homeNames } = run.compiled.words;
  const { text } = run.shadow;
  if (homeNames.size === 0 || !(text.startsWith('Users', at - 5) || text.startsWith('/home', at - 5)))
    return false;
  let end = at + 1;
  while (end - at < 64 && isUserCode(text.charCodeAt(end))) end += 1;
  const name = run.shadow.lower().slice(at + 1, end);
  if (!homeNames.has(name) && !homeNames.has(name.replace(/\.+$/, ''))) return false;
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
  if (guard('redact.name', true)) mask(run, at + 1, end, 'name', true);
  return true;
}

const isUserCode = (code: number): boolean =>
  isAlnum(code) || code === 45 || code === 46 || code === 95 || code > 0xbf;

function addSecret(run: Walk, range: { readonly start: number; readonly end: number } | undefined): void {
  if (range && guard('redact.credential', true)) mask(run, range.start, range.end, 'credential', false);
}

/** A run too long for a word: a token, or something encoded. */
function longRunAt(run: Walk, start: number, end: number): void {
  const { text } = run.shadow;
  if (end <= run.lastEnd) return;
  const from = Math.max(start, run.lastEnd);
  if (!run.mode.knownOnly) addSecret(run, matchToken(text, from, end, run.lastEnd));
  if (run.lastEnd >= end || run.mode.depth >= DEPTH_MAX) return;
  maskEncoded(run, base64Run(text, Math.max(from, run.lastEnd), end));
  for (const hex of hexRuns(text, Math.max(from, run.lastEnd), end)) maskEncoded(run, hex);
}

/** An encoded run whose meaning must not be told goes as a whole. */
function maskEncoded(run: Walk, { start, end, decoded }: EncodedRun): void {
  for (const text of decoded) {
    const mode = {
      knownOnly: run.mode.knownOnly || !isReadable(text),
      inValue: false,
      depth: run.mode.depth + 1,
    };
    const found = run.compiled.scanner.scan(text, mode).hits.find((hit) => hit.known || hit.kind === 'path');
    if (!found || !guard('redact.base64', true)) continue;
    mask(run, start, end, found.kind === 'root' ? 'path' : found.kind, found.known);
    return;
  }
}

function tildeAt(run: Walk, at: number): void {
  const head = matchTilde(run.shadow.text, at);
  if (!head) return;
  const name = run.shadow.lower().slice(at + 1, head.from - 1);
  const known = run.compiled.words.homeNames.has(name);
  if (known || !run.mode.knownOnly) maskPath(run, head, known);
}
