import { isAlnum, plainOf } from './chars.js';
import { isCommonName } from './common-names.js';
import { leastOf } from './decoded.js';
import { base32Forms, encodedForms, matchEncodedForm } from './encoded.js';
import type { LeakContext } from './leak-context.js';
import { shortNameOf } from './path-needles.js';
import { isFlank, type Shadow, shadowOf } from './shadow.js';

/** A known name or credential: the words of its matching form and what may stand between them. */
export interface WordNeedle {
  readonly kind: 'name' | 'credential';
  readonly words: readonly string[];
  /** Where in the first word the rarest character is: the scan looks closer only there. */
  readonly anchor: number;
  /** Counts only where no letter or digit is beside it. */
  readonly flanked: boolean;
  /** A digit must follow, as in `QUINNR~1`. */
  readonly digit: boolean;
  /** The needle is the encoded form of a value: all of the encoding around it goes. */
  readonly encoding: 'none' | 'base64' | 'hex';
  /** What goes along where it follows: the domain of a host known by its first label. */
  readonly rest: string;
}

export interface WordNeedles {
  /** Needles by the code of their anchor, both cases. */
  readonly byAnchor: ReadonlyMap<number, readonly WordNeedle[]>;
  /** By two ASCII codes, anchor and right neighbour in lower case: 0 when no needle has them. */
  readonly pairs: Uint8Array;
  /** Short and common names, which count only inside a home path. */
  readonly homeNames: ReadonlySet<string>;
  /** The length of the shortest needle (see `leastOf`). */
  readonly least: number;
}

/** Compiles names and known credentials. */
export function compileWordNeedles(context: LeakContext): WordNeedles {
  const homeNames = new Set<string>();
  const needles = [
    ...context.names.flatMap((name) => nameNeedles(name, homeNames)),
    ...(context.credentials ?? []).flatMap(credentialNeedles),
  ];
  const byAnchor = new Map<number, WordNeedle[]>();
  for (const needle of needles) {
    const char = needle.words[0]!.charAt(needle.anchor);
    for (const code of new Set([char.charCodeAt(0), char.toUpperCase().charCodeAt(0)])) {
      const list = byAnchor.get(code) ?? [];
      list.push(needle);
      byAnchor.set(code, list);
    }
  }
  const known = [
    ...needles.map((needle) => needle.words.join('')),
    ...[...homeNames].map((name) => `~${name}/x`),
  ];
  return { byAnchor, pairs: pairsOf(needles), homeNames, least: leastOf(known) };
}

function pairsOf(needles: readonly WordNeedle[]): Uint8Array {
  const pairs = new Uint8Array(128 * 128);
  for (const { words, anchor } of needles) {
    const word = words[0]!;
    const first = word.charCodeAt(anchor);
    if (first >= 128) continue;
    const second = anchor + 1 < word.length ? word.charCodeAt(anchor + 1) : Number.NaN;
    const row = first * 128;
    // Another word, or anything, may follow the last character.
    if (second < 128) pairs[row + second] = 1;
    else pairs.fill(1, row, row + 128);
  }
  return pairs;
}

/** A stretch of the shadow. */
export interface WordMatch {
  readonly start: number;
  readonly end: number;
}

/** The needle in the shadow when its anchor stands at `at`. */
export function matchWord(shadow: Shadow, at: number, needle: WordNeedle): WordMatch | undefined {
  if (needle.encoding !== 'none') return matchEncoded(shadow.text, at, needle);
  const start = at - needle.anchor;
  const end = start < 0 ? -1 : wordEnd(shadow, start, needle);
  return end === -1 ? undefined : { start, end };
}

/** The end of the needle's words, which start at `start`, or -1. */
function wordEnd(shadow: Shadow, start: number, needle: WordNeedle): number {
  if (!looksLike(shadow.text, start, needle.words[0]!)) return -1;
  const lower = shadow.lower();
  if (!lower.startsWith(needle.words[0]!, start)) return -1;
  let end = start + needle.words[0]!.length;
  for (let index = 1; index < needle.words.length; index += 1) {
    const word = needle.words[index]!;
    const joined = JOINERS.has(lower.charCodeAt(end)) ? end + 1 : end;
    if (!lower.startsWith(word, joined)) return -1;
    end = joined + word.length;
  }
  if (needle.digit) return isAlnum(lower.charCodeAt(end)) ? end + 1 : -1;
  if (needle.rest !== '' && lower.startsWith(needle.rest, end)) end += needle.rest.length;
  if (!needle.flanked) return end;
  return isFlank(shadow, end, 'after') && isLeftFlank(shadow, start) ? end : -1;
}

function matchEncoded(
  text: string,
  at: number,
  { words, anchor, encoding }: WordNeedle,
): WordMatch | undefined {
  return matchEncodedForm(text, at, { form: words[0]!, anchor, isHex: encoding === 'hex' });
}

/** A test without making the lower-case text: most places fail it. */
function looksLike(text: string, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (code < 128 && testCode(text.charCodeAt(start + index)) !== (code | 32)) return false;
  }
  return true;
}

/** The same number for an ASCII character in either case, escaped or not, and for both separators. */
const testCode = (code: number): number => (code === 92 ? 47 : plainOf(code)) | 32;

/** `\nalice` in a string literal is a line break and `alice`. */
function isLeftFlank(shadow: Shadow, start: number): boolean {
  if (isFlank(shadow, start, 'before')) return true;
  const isEscape = shadow.text.charCodeAt(start - 2) === 92;
  return isEscape && ESCAPE_LETTERS.has(shadow.text.charCodeAt(start - 1));
}

const ESCAPE_LETTERS = new Set([...'nrtbfv0ae'].map((char) => char.charCodeAt(0)));
const JOINERS = new Set([...' ._-+,'].map((char) => char.charCodeAt(0)));

/** Names this long are found anywhere; shorter ones need flanks; the shortest count only in a home path. */
const ANYWHERE = 8;
const ALONE = 5;

function nameNeedles(name: string, homeNames: Set<string>): readonly WordNeedle[] {
  const form = shadowOf(name).lower().trim();
  const words = form.split(/[\s+]+/).filter((word) => word.length > 0);
  const solid = words.join('');
  if (solid.length === 0) return [];
  if (isWeak(solid) || isWeak(form)) {
    homeNames.add(form);
    return [];
  }
  const needles = [needleOf('name', words, solid.length < ANYWHERE), ...encodedNeedles('name', name)];
  const label = /^([a-z0-9-]+)\.[a-z0-9.-]+$/.exec(form)?.[1];
  if (label && isDistinctive(label)) {
    needles.push({ ...needleOf('name', [label], label.length < ANYWHERE), rest: form.slice(label.length) });
  }
  const short =
    shortNameOf(form) ?? (solid.length >= 7 ? solid.replace(/[^a-z0-9]/g, '').slice(0, 6) : undefined);
  if (short && short.length === 6) needles.push({ ...needleOf('name', [`${short}~`], false), digit: true });
  return needles;
}

const isWeak = (form: string): boolean =>
  countOf(form) < (hasWideLetters(form) ? 2 : ALONE) || isCommonName(form);

const countOf = (form: string): number => [...form].length;
const hasWideLetters = (form: string): boolean => /[\u0370-\uffff]/.test(form);

/** A host's first label stands for it when no dictionary would hold it. */
const isDistinctive = (label: string): boolean =>
  label.length >= ALONE && !isCommonName(label) && (/[0-9-]/.test(label) || label.length >= ANYWHERE);

function credentialNeedles(value: string): readonly WordNeedle[] {
  const lines = value.split(/[\r\n]+/).filter((line) => line.trim().length > 0);
  const parts = lines.length > 1 ? lines.filter((line) => line.length >= 16) : lines;
  return parts
    .map((line) => line.trim())
    .filter((line) => line.length >= 4 && !PLACEHOLDERS.includes(line.toLowerCase()))
    .flatMap((line) => [
      needleOf('credential', [shadowOf(line).lower()], line.length < ANYWHERE),
      ...encodedNeedles('credential', line),
      ...base32Needles(line),
    ]);
}

/** A secret that is part of what redaction itself writes could never be removed. */
const PLACEHOLDERS = '[removed:path] [removed:name] [removed:credential]';

/** Shorter encoded forms would be found in words by chance. */
const ENCODED_MIN = 9;

function encodedNeedles(kind: WordNeedle['kind'], value: string): readonly WordNeedle[] {
  const values = new Set([value, value.toLowerCase()]);
  return [...values].flatMap((each) =>
    encodedForms(each)
      .filter(({ form }) => form.length >= ENCODED_MIN)
      .flatMap(({ form, hex }) => {
        const needle = needleOf(kind, [form.toLowerCase()], false);
        const encoding = hex ? ('hex' as const) : ('base64' as const);
        // Where a line ends right behind an anchor of a secret another one is whole. A name has one: each costs time.
        const anchors = kind === 'credential' ? anchorsIn(form.toLowerCase()) : [needle.anchor];
        return anchors.map((anchor) => ({ ...needle, anchor, encoding }));
      }),
  );
}

/** One anchor each: base32 is seldom wrapped into lines. */
const base32Needles = (value: string): readonly WordNeedle[] =>
  [...new Set(base32Forms(value))]
    .filter((form) => form.length >= BASE32_MIN)
    .map((form) => ({ ...needleOf('credential', [form.toLowerCase()], false), encoding: 'base64' }));

/** Base32 is words in one case: shorter forms would be found in these by chance. */
const BASE32_MIN = 11;

function needleOf(kind: WordNeedle['kind'], words: readonly string[], flanked: boolean): WordNeedle {
  return { kind, words, anchor: rarestIn(words[0]!), flanked, digit: false, encoding: 'none', rest: '' };
}

/** The three rarest characters of an encoded form that stand apart from each other. */
function anchorsIn(form: string): readonly number[] {
  const places = Array.from({ length: form.length - 1 }, (_, index) => index);
  const anchors: number[] = [];
  for (const place of places.sort((one, other) => rankOf(form.charAt(other)) - rankOf(form.charAt(one)))) {
    if (anchors.every((anchor) => Math.abs(anchor - place) > 1)) anchors.push(place);
    if (anchors.length === 3) break;
  }
  return anchors;
}

/** Letters from frequent to rare in prose and code; anything not listed is rarer still. */
const FREQUENT = 'etaoinsrlcdupmhgfybwvkxjzq';

/** Greater for rarer characters. */
function rankOf(char: string): number {
  const place = FREQUENT.indexOf(char);
  if (place >= 0) return place;
  return isAlnum(char.charCodeAt(0)) || char > '\x7f' ? 26 : 10;
}

function rarestIn(word: string): number {
  let best = 0;
  let bestRank = -1;
  // Not the last one, so that its right neighbour is known too.
  for (let index = 0; index < Math.max(1, word.length - 1); index += 1) {
    const char = word.charAt(index);
    const rank = rankOf(char);
    if (rank > bestRank) {
      best = index;
      bestRank = rank;
    }
  }
  return best;
}
