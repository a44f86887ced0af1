import { guard, guarded } from '@cuebook/guard';
import { ASSIGN, classTable, FLAG, LOGIN, SEPARATOR, SPECIAL, TILDE, WORD } from './class-table.js';
import { type Codes, codesOf, LONG_RUN, longRuns, nextMarked } from './codes.js';
import { compileCut } from './cut-encoded.js';
import { isReadable, textOf, worthOf } from './decoded.js';
import { isDullRun } from './dull-run.js';
import { compileDump } from './dump-secret.js';
import { aroundBase64, base64Run, type EncodedRun, hexRuns } from './encoded.js';
import { foldsToItself } from './fold.js';
import { homesOfDrives } from './home-of-drive.js';
import { type LeakContext, placeholderOf, type Replacement } from './leak-context.js';
import { packedEncoding, packedRun } from './packed.js';
import { compilePathNeedles } from './path-needles.js';
import { createQuickScan, quickMarks } from './quick-scan.js';
import { readHeld, widened } from './read-held.js';
import { pendingAt, separatorAt, tildeAt } from './scan-paths.js';
import { matchAssignment } from './secret/assignment.js';
import { isFlagStart, matchFlag } from './secret/command.js';
import { handedSecrets } from './secret/handed.js';
import { composerSecrets, isAfterPort, matchNetrc, matchPgpass } from './secret/login-file.js';
import { nextPrivateKey } from './secret/private-key.js';
import type { SecretRange } from './secret/secret-value.js';
import { matchToken } from './secret/token.js';
import { isSpecialAt, nextSpecial, plainShadow, type Shadow, shadowOf, shadowOfLines } from './shadow.js';
import { compileSplit } from './split-secret.js';
import { storePaths } from './store-path.js';
import type { Marks } from './survey.js';
import {
  addSecret,
  type Compiled,
  type Found,
  type Hit,
  mask,
  type ScanMode,
  type Scanner,
  startWalk,
  type Walk,
} from './walk.js';
import { compileWordNeedles, matchWord } from './word-needles.js';

/** Base64 inside base64 is looked into this deep. */
const DEPTH_MAX = 2;

/** Compiles a context. The scan reads each character once and stops only where its class says so. */
export function createScanner(context: LeakContext): Scanner {
  const paths = compilePathNeedles(context);
  const words = compileWordNeedles(context);
  const least = Math.min(paths.least, words.least, LONG_RUN);
  const quickNeedles = {
    afterSeparator: paths.afterGate,
    afterSeparatorPairs: paths.afterPairs,
    wordPairs: words.pairs,
    hasHomeNames: words.homeNames.size > 0,
  };
  let marks: Marks | undefined;
  const marksOf = (): Marks => {
    marks ??= quickMarks({ ...quickNeedles, withShapes: true });
    return marks;
  };
  const compile = (withShapes: boolean): Compiled => ({
    scanner: { scan: (source, mode) => scan(source, mode) },
    paths,
    words,
    least,
    table: classTable(words, withShapes),
    quick: createQuickScan({ ...quickNeedles, withShapes }, marksOf()),
  });
  // Made when a text first needs them: many redactors see none.
  let all: Compiled | undefined;
  let known: Compiled | undefined;
  // The last text in which the full search found nothing: what is known is part of the full search, so the last
  // check has nothing to add there.
  let clean: string | undefined;
  const knownParts = (): Compiled => {
    known ??= compile(false);
    return known;
  };
  const split = compileSplit(context.credentials ?? []);
  const dumped = compileDump(context.credentials ?? []);
  const cut = compileCut(context.credentials ?? []);
  const hidden = (text: string): readonly SecretRange[] => {
    const more = [...dumped(text), ...guarded('redact.cut', () => cut(text), [])];
    return more.length === 0 ? split(text) : [...split(text), ...more];
  };
  const scanWhole = (source: string, mode: ScanMode): Found => {
    if (mode.knownOnly)
      return { found: searchKnown(knownParts(), source, mode), isStraight: false, runs: NO_RUNS };
    all ??= compile(true);
    return search(all, knownParts, source, mode);
  };
  const scan: Scanner['scan'] = (source, mode) => {
    if (mode.knownOnly && source === clean) return NOTHING;
    const written = scanWhole(source, mode);
    const isOuter = !mode.knownOnly && mode.depth === 0;
    const whole = isOuter
      ? widened(written.found, readHeld(scanWhole, source, mode, written))
      : written.found;
    const pieces = guarded(
      'redact.split',
      () => (mode.depth === 0 ? piecesIn(hidden, source) : NOTHING),
      NOTHING,
    );
    const found = pieces.length === 0 ? whole : covered(whole, pieces);
    if (isOuter && found.length === 0) clean = source;
    return found;
  };
  return { scan };
}

const NOTHING: readonly Replacement[] = [];
const NO_RUNS: readonly number[] = [];

/** Known secrets that are cut into pieces, as replacements. */
const piecesIn = (hidden: ReturnType<typeof compileSplit>, source: string): readonly Replacement[] =>
  hidden(source).map((range) => ({
    ...range,
    text: placeholderOf('credential'),
    kind: 'credential',
    known: true,
  }));

/** What was found, each piece widened by what it touches. */
function covered(found: readonly Replacement[], pieces: readonly Replacement[]): readonly Replacement[] {
  const all: Replacement[] = [];
  for (const item of [...pieces, ...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || last.end <= item.start) all.push(item);
    else if (item.end > last.end) all[all.length - 1] = { ...last, end: item.end, known: true };
  }
  return all;
}

const knownAsWritten = (known: Compiled, plain: Shadow, mode: ScanMode): readonly Replacement[] =>
  toSource(plain, walkShadow(known, plain, { ...mode, knownOnly: true }, false).hits);

/** The look at the text as written is the whole look where nothing is special. */
function searchKnown(known: Compiled, source: string, mode: ScanMode): readonly Replacement[] {
  const raw = knownAsWritten(known, plainShadow(source), mode);
  const special = nextSpecial(source, 0);
  return special === source.length ? raw : withShadows(known, source, special, mode, raw);
}

function search(all: Compiled, known: () => Compiled, source: string, mode: ScanMode): Found {
  const plain = plainShadow(source);
  const quick = walkShadow(all, plain, mode, true);
  const { runs } = quick;
  const beside = besideOf(source);
  if (quick.special === -1) {
    // What was found is not looked at any further: an escape may stand in it.
    const isStraight = quick.hits.length === 0;
    return { found: union(toSource(plain, quick.hits), beside), isStraight, runs };
  }
  // An escape that is undone before a token, or what only looks like one, glues it to the word before it.
  const hits = walkShadow(all, plain, mode, false).hits;
  const asWritten = hits.filter((hit) => hit.known || hit.kind === 'credential');
  const certain = toSource(plain, asWritten);
  // A path by its shape, which may be chance as written, covers what is known inside of it.
  const isAll = asWritten.length === hits.length;
  const raw = isAll ? certain : union(certain, knownAsWritten(known(), plain, mode));
  const found = union(withShadows(all, source, quick.special, mode, raw), beside);
  return { found, isStraight: false, runs };
}

/** No secret is shorter together with the words around it that give it away. */
const BESIDE_MIN = 8;

/** What no single character gives away, but the words around it do. */
function besideOf(source: string): readonly Replacement[] {
  if (source.length < BESIDE_MIN) return NOTHING;
  const secrets = guarded(
    'redact.credential',
    () => union(handedSecrets(source), composerSecrets(source)),
    [],
  );
  const paths = union(storePaths(source), homesOfDrives(source));
  if (secrets.length === 0 && paths.length === 0) return NOTHING;
  const found = (kind: 'credential' | 'path') => (range: SecretRange) => ({
    ...range,
    text: placeholderOf(kind),
    kind,
    known: false,
  });
  return union(secrets.map(found('credential')), paths.map(found('path')));
}

/** What the shadows give, and what is known of the text as written. `special`: nothing before it is. */
function withShadows(
  compiled: Compiled,
  source: string,
  special: number,
  mode: ScanMode,
  raw: readonly Replacement[],
): readonly Replacement[] {
  const foundIn = (shadow: Shadow): readonly Replacement[] =>
    toSource(shadow, walkShadow(compiled, shadow, mode, false).hits);
  const undone = (found: readonly Replacement[]): readonly Replacement[] => {
    const lines = shadowOfLines(source, special);
    const joined = foundIn(shadowOf(source, special));
    return union(lines === undefined ? joined : longest(joined, foundIn(lines)), found);
  };
  return guarded('redact.encoded', undone, raw);
}

/** Hits of a shadow as replacements in its source. */
function toSource(shadow: Shadow, hits: readonly Hit[]): readonly Replacement[] {
  if (hits.length === 0) return NOTHING;
  let last = 0;
  return hits.map((hit) => {
    let start = shadow.startOf(hit.start);
    const end = shadow.endOf(hit.end);
    // An escape whose letter is removed loses its backslash too, or what follows would be escaped instead.
    let slashes = start;
    while (slashes > last && shadow.source.charCodeAt(slashes - 1) === 92) slashes -= 1;
    if ((start - slashes) % 2 === 1 && 'bfnrtu'.includes(shadow.source.charAt(start))) start -= 1;
    last = end;
    return { start, end, text: hit.text, kind: hit.kind, known: hit.known };
  });
}

/**
 * What the shadow gave, and what stands in the text as written and the shadow did not give: undoing what only
 * looked like an escape must not hide a name.
 */
function union<Found extends SecretRange>(
  first: readonly Found[],
  second: readonly Found[],
): readonly Found[] {
  if (second.length === 0) return first;
  const all = [...first];
  let next = 0;
  for (const item of second) {
    while (next < first.length && first[next]!.end <= item.start) next += 1;
    const other = first[next];
    if (!other || item.end <= other.start) all.push(item);
  }
  return all.length === first.length ? first : all.sort((a, b) => a.start - b.start);
}

/** Of two readings of a text: what covers most, without overlaps. */
function longest(first: readonly Replacement[], second: readonly Replacement[]): readonly Replacement[] {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  const kept: Replacement[] = [];
  for (const item of [...first, ...second].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= item.start) kept.push(item);
    else if (item.end - item.start > last.end - last.start) kept[kept.length - 1] = item;
  }
  return kept;
}

function walkShadow(compiled: Compiled, shadow: Shadow, mode: ScanMode, stopAtSpecial: boolean) {
  const { text } = shadow;
  const codes = codesOf(text, mode.depth === 0 ? 'outer' : 'inner');
  const findInRest: Walk['findInRest'] = (from, to) => {
    const rest = startWalk(compiled, shadow, mode, findInRest, { bytes: undefined, inRest: true, runs: [] });
    walk(rest, nextIn(compiled, codesOf(text, 'part')), from, to, false);
    return rest.hits;
  };
  const run = startWalk(compiled, shadow, mode, findInRest, {
    bytes: codes.ascii?.bytes,
    inRest: false,
    runs: longRuns(codes),
  });
  // One for the whole text, however many keys part it.
  const next = nextIn(compiled, codes);
  let from = 0;
  for (;;) {
    const key = mode.knownOnly ? undefined : nextPrivateKey(text, from, run.cursor);
    const special = walk(run, next, from, key?.start ?? text.length, stopAtSpecial);
    if (special !== -1 || !key) return { special, hits: run.hits, runs: run.runs };
    addSecret(run, key);
    from = key.end;
  }
}

/** By a place, the next one at or after it that has to be visited, or `to`. Places only grow. */
type Next = (from: number, to: number) => number;

const nextIn = ({ quick, table }: Compiled, codes: Codes): Next =>
  codes.ascii ? quick.over(codes.text, codes.ascii) : (from, to) => nextMarked(codes, table, from, to);

/** Where the text has a character that needs a shadow, when `stopAtSpecial` is set; else -1. */
function walk(run: Walk, next: Next, from: number, to: number, stopAtSpecial: boolean): number {
  for (let at = from; ; at += 1) {
    at = next(at, to);
    if (run.nextRun < run.runs.length && run.runs[run.nextRun]! < Math.min(at + 1, to))
      longRunsBefore(run, at, to);
    if (run.pending && at >= run.pending.start) pendingAt(run);
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
  if (run.lastEnd <= at && (bits & ASSIGN) !== 0) assignmentAt(run, at);
  if ((bits & FLAG) !== 0 && run.lastEnd <= at && isFlagStart(text.charCodeAt(at - 1)))
    addSecret(run, matchFlag(text, at));
  if ((bits & LOGIN) !== 0 && run.lastEnd <= at && text.charCodeAt(at - 1) === 115)
    addSecret(run, matchNetrc(text, at));
  if (run.lastEnd <= at && (bits & TILDE) !== 0) tildeAt(run, at);
  if (bits === SPECIAL && isLastingPlain(code)) table[code] = 0;
  return true;
}

function assignmentAt(run: Walk, at: number): void {
  const { text } = run.shadow;
  for (const range of matchAssignment(text, at)) addSecret(run, range);
  if (run.lastEnd <= at && isAfterPort(text.charCodeAt(at - 1))) addSecret(run, matchPgpass(text, at));
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

function wordAt(run: Walk, at: number): void {
  const { shadow, compiled } = run;
  for (const needle of compiled.words.byAnchor.get(shadow.text.charCodeAt(at)) ?? []) {
    const match = matchWord(shadow, at, needle);
    if (!match || match.start < run.lastEnd) continue;
    const { start, end } = match;
    const isName = needle.kind === 'name';
    if (!guard('redact.name', isName) && !guard('redact.credential', !isName)) continue;
    const whole =
      needle.encoding === 'none' ? { start, end } : aroundBase64(shadow.text, start, end, run.lastEnd);
    mask(run, whole.start, whole.end, needle.kind, true);
  }
}

/** A run too long for a word: a token, or something encoded. */
function longRunAt(run: Walk, start: number, end: number): void {
  const { text } = run.shadow;
  if (end <= run.lastEnd) return;
  const { bytes, mode } = run;
  // A line before it may look like base64 that goes on here.
  const packedAs = start >= run.packedEnd && mode.depth < DEPTH_MAX ? packedEncoding(text, start) : undefined;
  if (packedAs) {
    const packed = packedRun(text, Math.max(start, run.lastEnd), end, packedAs);
    run.packedEnd = packed.end;
    maskEncoded(run, packed);
    if (run.lastEnd >= end) return;
  }
  if (bytes && start >= run.lastEnd && isDullRun({ bytes, length: text.length }, start, end, mode.knownOnly))
    return;
  const from = Math.max(start, run.lastEnd);
  if (!run.mode.knownOnly) tokensIn(run, from, end);
  if (run.lastEnd >= end || run.mode.depth >= DEPTH_MAX) return;
  if (start >= run.decodedEnd) {
    const encoded = base64Run(text, Math.max(from, run.lastEnd), end);
    run.decodedEnd = encoded.end;
    maskEncoded(run, encoded);
  }
  for (const hex of hexRuns(text, Math.max(from, run.lastEnd), end)) maskEncoded(run, hex);
}

function tokensIn(run: Walk, from: number, end: number): void {
  for (let start = from; start < end; ) {
    const found = matchToken(run.shadow.text, start, end, run.lastEnd);
    if (!found) return;
    addSecret(run, found);
    start = found.end;
  }
}

/** An encoded run whose meaning must not be told goes as a whole. */
function maskEncoded(run: Walk, { start, end, decoded }: EncodedRun): void {
  for (const bytes of decoded) {
    const knownOnly = run.mode.knownOnly || !isReadable(bytes);
    const worth = knownOnly ? worthOf(bytes, run.compiled.least) : bytes;
    if (worth.length === 0) continue;
    const found = run.compiled.scanner
      .scan(textOf(worth), { knownOnly, inValue: false, depth: run.mode.depth + 1 })
      .find((hit) => guard('redact.base64', hit.known || hit.kind === 'path' || hit.kind === 'credential'));
    if (!found) continue;
    mask(run, start, end, found.kind === 'root' ? 'path' : found.kind, found.known);
    return;
  }
}
