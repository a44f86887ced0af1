import { guarded } from '@cuebook/guard';
import { hexValue, isAlnum, isSpace } from './chars.js';
import { compileCutOpen } from './cut-encoded.js';
import { compileDumpOpen } from './dump-secret.js';
import { base32Forms, encodedForms } from './encoded.js';
import type { LeakContext } from './leak-context.js';
import { openBehindAt } from './live-behind.js';
import { BEGUN_MIN, PLACE_MIN } from './live-known.js';
import { linesOpen, type Opens } from './live-lines.js';
import { longRunFrom } from './long-run.js';
import { packedEncoding } from './packed.js';
import { openChosenAt } from './secret/chosen.js';
import { openPhraseAt } from './secret/phrase.js';
import { compileOpen } from './split-secret.js';

/**
 * Where something known may have begun that is spread over places at which a text may be cut, and goes on in what follows:
 * a secret in pieces, in an encoding that is wrapped, in a list or a dump of bytes, in what was packed, in the words of a phrase. The text's length
 * when there is none. Held back is only what agrees with a known value up to the end of the text, so no text is held for long.
 */
export function compileOpens(context: LeakContext): Opens {
  const { names, credentials = [] } = context;
  const all: Opens[] = [packedOpen, openPhraseAt, openChosenAt, openFieldAt];
  all.push((text) => guarded('live.behind', () => openBehindAt(text), text.length));
  if (credentials.length > 0)
    all.push(
      compileOpen(credentials),
      listOpen(credentials),
      compileDumpOpen(credentials),
      compileCutOpen(credentials),
      linesOpen(credentials),
    );
  if (credentials.length > 0) all.push(encodedOpen(credentials, BEGUN_MIN));
  if (names.length > 0) all.push(encodedOpen(names, PLACE_MIN));
  return (text) => all.reduce((least, opens) => Math.min(least, opens(text)), text.length);
}

/** Where a field of a page begins that is not at its end: what it holds may stand before what it is. */
function openFieldAt(text: string): number {
  const at = text.lastIndexOf('<');
  return at !== -1 &&
    text.length - at < FIELD_MAX &&
    /^<(?:i(?:n(?:p(?:u(?:t\b[^>]*)?)?)?)?)?$/i.test(text.slice(at))
    ? at
    : text.length;
}

const FIELD_MAX = 400;

/** The end of a text as the characters of an encoding, without what wraps it; by place in the text. */
interface Tail {
  readonly chars: string;
  readonly places: readonly number[];
}

/** Between two characters of an encoding that is wrapped stands no more. */
const GAP_MAX = 24;
/** `least`: fewer characters of a form say nothing. */
function encodedOpen(values: readonly string[], least: number): Opens {
  let byStart: { readonly plain: Forms; readonly hex: Forms } | undefined;
  return (text) => {
    byStart ??= formsOf(values, least);
    return Math.min(openIn(text, byStart.plain, isBase64), openIn(text, byStart.hex, isHex));
  };
}

/** Forms by their first `least` characters, and how long the longest one is. */
interface Forms {
  readonly least: number;
  readonly starts: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

function formsOf(values: readonly string[], least: number) {
  const each = values.flatMap((value) => [...new Set([value, value.toLowerCase()])]);
  const forms = each.flatMap(encodedForms);
  const plain = [...forms.filter(({ hex }) => !hex).map(({ form }) => form), ...each.flatMap(base32Forms)];
  const hex = forms.filter((each) => each.hex).map(({ form }) => form);
  return { plain: indexed(plain, least), hex: indexed(hex, least) };
}

function indexed(forms: readonly string[], least: number): Forms {
  const starts = new Map<string, string[]>();
  for (const form of new Set(forms.map((each) => each.toLowerCase()))) {
    const start = form.slice(0, least);
    starts.set(start, [...(starts.get(start) ?? []), form]);
  }
  return { least, starts, longest: forms.reduce((longest, { length }) => Math.max(longest, length), 0) };
}

function openIn(text: string, { least, starts, longest }: Forms, isDigit: (code: number) => boolean): number {
  const { chars, places } = tailOf(text, longest, isDigit);
  for (let at = 0; at + least <= chars.length; at += 1) {
    const rest = chars.slice(at);
    if (starts.get(rest.slice(0, least))?.some((form) => form.startsWith(rest))) return places[at]!;
  }
  return text.length;
}

function tailOf(text: string, longest: number, isDigit: (code: number) => boolean): Tail {
  const chars: string[] = [];
  const places: number[] = [];
  let gap = 0;
  for (let at = text.length - 1; at >= 0 && chars.length < longest && gap <= GAP_MAX; at -= 1) {
    const code = text.charCodeAt(at);
    const isBreak = (code === 110 || code === 114) && text.charCodeAt(at - 1) === 92;
    if (isDigit(code) && !isBreak) {
      chars.push(text.charAt(at).toLowerCase());
      places.push(at);
      gap = 0;
    } else if (isSpace(code) || WRAPS.has(code) || isBreak) gap += 1;
    else break;
  }
  return { chars: chars.reverse().join(''), places: places.reverse() };
}

/** What stands between two pieces of an encoding, besides spaces: quotes, commas, signs of quoted mail, `:` and `-` of hex. */
const WRAPS: ReadonlySet<number> = new Set([...'"\',>\\:-=+'].map((char) => char.charCodeAt(0)));
const isBase64 = (code: number): boolean =>
  isAlnum(code) || code === 43 || code === 47 || code === 45 || code === 95;
const isHex = (code: number): boolean => hexValue(code) >= 0;

/** The longest list of bytes that is looked at. */
const LIST_MAX = 2_000;

function listOpen(credentials: readonly string[]): Opens {
  const known = credentials.map((value) => [...new TextEncoder().encode(value)]);
  return (text) => {
    const last = text.charCodeAt(text.length - 1);
    if (!(isSpace(last) || last === 44 || last === 59 || last === 120 || hexValue(last) >= 0))
      return text.length;
    const from = Math.max(0, text.length - LIST_MAX);
    // A number that is not written to its end says nothing yet.
    const tail = text.slice(from).replace(/(?:0x[0-9a-f]?|\d{1,3}|0x[0-9a-f]{2})$/i, '');
    const bytes: number[] = [];
    const places: number[] = [];
    let end = 0;
    for (const { 0: each, 1: number = '', index } of tail.matchAll(NUMBERS)) {
      if (index !== end) bytes.length = places.length = 0;
      bytes.push(Number(number));
      places.push(from + index);
      end = index + each.length;
    }
    if (end !== tail.length) return text.length;
    const begun = bytes.findIndex((_, at) =>
      known.some(
        (secret) =>
          bytes.length - at < secret.length && bytes.slice(at).every((byte, index) => byte === secret[index]),
      ),
    );
    return begun === -1 ? text.length : places[begun]!;
  };
}

const NUMBERS = /(0x[0-9a-f]{2}|\d{1,3})[,;\s]{1,40}/gi;

/** What was packed is known when all of it is there: it is held from its first line to its last. */
const packedOpen: Opens = (text) => {
  for (let run = longRunFrom(text, 0); run; ) {
    const { start, end } = run;
    let next = end;
    // The sign of a diff, and the end of a colour of a terminal, are no part of it.
    const words = text.slice(start, end);
    const sign = /^(?:[+-]|\d{1,3}m)?/.exec(words)![0].length;
    if (packedEncoding(text, start + sign) !== undefined || TWICE.test(words.slice(sign))) {
      next = packedEnd(text, start, end);
      if (next === text.length) return start;
    }
    run = longRunFrom(text, next);
  }
  return text.length;
};

const RUN = /[A-Za-z0-9+/_-]{16,}/g;

/** What gzip or zlib has packed, in base64 of base64. */
const TWICE = /^(?:SDRz|ZUp[3-6])/;

/**
 * Where what was packed ends whose first line has the run `[start, end)`: a whole line that has no run of the length of the
 * lines before it ends it. The first line may be a shorter one, and there may be empty lines.
 */
function packedEnd(text: string, start: number, end: number): number {
  let width = end - start;
  let isFirst = true;
  for (let lineEnd = text.indexOf('\n', end); lineEnd !== -1; ) {
    const next = text.indexOf('\n', lineEnd + 1);
    if (next === -1) return text.length;
    const line = text.slice(lineEnd + 1, next);
    const widths = (line.match(RUN) ?? []).map(({ length }) => length);
    if (isFirst && widths.length > 0) {
      width = Math.max(width, ...widths);
      isFirst = false;
    }
    if (!widths.includes(width) && line.trim() !== '') return next + 1;
    lineEnd = next;
  }
  return text.length;
}
