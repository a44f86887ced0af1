import { isAlnum } from './chars.js';
import { base32Forms, encodedForms } from './encoded.js';
import type { SecretRange } from './secret/secret-value.js';

// A known secret in an encoding whose pieces stand apart: strings that a program puts together, cells of a table, lines
// with numbers or signs, tags between. All that cuts is no letter and no digit, or has a form of its own. So a text is
// read by its letters and digits alone, and so is every form of the secret: what they hold in this order is told.

/** Finds known secrets by the letters and digits of their encodings, whatever stands between. */
export function compileCut(credentials: readonly string[]): (text: string) => readonly SecretRange[] {
  if (credentials.length === 0) return () => NONE;
  let forms: Forms | undefined;
  let gate: Gate | undefined;
  return (text) => {
    forms ??= formsOf(credentials);
    if (forms.all.length === 0 || forms.shortest > text.length) return NONE;
    gate ??= gateOf(forms.all);
    const known = gate;
    const all = [text, ...bareOf(text)].flatMap((each) => foundIn(each, known));
    const found = all.filter(({ start, end }) => !isMasked(text, start, end));
    // In a whole document what stands between two strings is its form: each string is looked at by itself.
    return found.length > 0 && isJson(text) ? NONE : found;
  };
}

/**
 * Where the letters and digits of a known secret may have begun that goes on behind the text, or the text's length. What
 * cuts may itself have begun there.
 */
export function compileCutOpen(credentials: readonly string[]): (text: string) => number {
  let forms: Forms | undefined;
  return (text) => {
    forms ??= formsOf(credentials);
    const from = Math.max(0, text.length - OPEN_MAX);
    const tail = text.slice(from);
    const ended = tail.replace(NOISE_BEGUN, '');
    let least = tail.length;
    for (const each of new Set([tail, ended, ...bareOf(tail), ...bareOf(ended)]))
      least = Math.min(least, openIn(each, forms, tail.length));
    return from + least;
  };
}

/** How much of the end of a text is looked at. */
const OPEN_MAX = 2_000;
/** A beginning of fewer letters and digits is too common to be held back. */
const BEGUN = 4;
/** Fewer letters and digits are there by chance. */
const LEAST = 12;
const LEAST_BASE64 = 10;
/** A shorter secret is known by its words alone. */
const LEAST_SECRET = 8;

const NONE: readonly SecretRange[] = [];

/** What cuts and has letters or digits: tags, entities, colours, escapes of ends of lines, what lines begin with. */
const NOISE =
  /<\/?[A-Za-z][^<>\n]{0,200}>|&(?:quot|apos|nbsp|lt|gt|amp|#34|#39|#10);|\x1b\[[0-9;]{0,12}[A-Za-z]|(?<!\\)\\+(?:[nrt"']|x1b\[[0-9;]{0,12}m|u001b\[[0-9;]{0,12}m)|(?<=\n)(?:[ \t]{0,12}\d{1,6}(?:[ \t]{0,4}[:|\u2192]|\t)|[\w.@/-]{1,160}:\d{1,6}[:-](?:\d{1,6}[:-])?)/g;
/** The same, where a number behind that of a line is no column. */
const NOISE_TO_LINE = new RegExp(NOISE.source.replace('(?:\\d{1,6}[:-])?', ''), 'g');
/** The beginning of that, at the end of a text. */
const NOISE_BEGUN =
  /(?:<\/?(?:[A-Za-z][^<>\n]{0,200})?|&#?[a-z0-9]{0,5}|\x1b(?:\[[0-9;]{0,12})?|(?<!\\)\\+(?:x1?b?|u0{0,2}1?b?)?(?:\[[0-9;]{0,12})?|\n[ \t]{0,12}\d{0,6}|\n[\w.@/-]{1,160}(?::\d{0,6})?)$/;
/**
 * The shortest beginning of each alternative of `NOISE`: `<b`, `</`, `&q`, `&#`, an escape character, a backslash, `:1` and a
 * number at the start of a line. `NOISE` can match nowhere in a text that this does not match, so such a text is read as it
 * is, and the two replacements, which copy the whole text, are left out.
 */
const MAY_CUT = /[<&][A-Za-z/#]|[\x1b\\]|:\d|\n[ \t]{0,12}\d/;

/** The text with blanks for what cuts, each as long, in each way to read it. */
function bareOf(text: string): readonly string[] {
  if (!MAY_CUT.test(text)) return [];
  const read = [NOISE, NOISE_TO_LINE].map((noise) => text.replace(noise, (cut) => ' '.repeat(cut.length)));
  return [...new Set(read)].filter((bare) => bare !== text);
}

/** What was removed says nothing: its letters begin no secret. */
const isMasked = (text: string, start: number, end: number): boolean =>
  text.slice(start, end).includes('[removed:') ||
  /\[removed:?[a-z]*$/.test(text.slice(Math.max(0, start - 20), start + 1));

function isJson(text: string): boolean {
  if (!/^\s*["[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The question was whether it can be read.
    return false;
  }
}

/** The letters and digits of a secret in one encoding. */
interface Form {
  readonly letters: string;
  /** Digits of numbers, in either case. */
  readonly anyCase: boolean;
}

interface Forms {
  readonly all: readonly Form[];
  readonly shortest: number;
}

function formsOf(credentials: readonly string[]): Forms {
  const known = [...new Set(credentials)].filter(({ length }) => length >= LEAST_SECRET);
  const cased = known.flatMap((secret) => {
    const base64 = encodedForms(secret).flatMap(({ form, hex }) => (hex ? [] : [form]));
    return [
      ...longer([secret, encodeURIComponent(secret.toWellFormed())], LEAST),
      ...longer([...base64, ...base32Forms(secret)], LEAST_BASE64),
    ];
  });
  const lower = known.flatMap((secret) => {
    const bytes = [...new TextEncoder().encode(secret)];
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
    const written = ['', 'x', '0x', 'u', 'u00'].map((sign) => hex.map((digits) => sign + digits).join(''));
    return [...written, bytes.join('')];
  });
  const all = [
    ...[...new Set(cased)].map((letters) => ({ letters, anyCase: false })),
    ...[...new Set(lower)].map((letters) => ({ letters, anyCase: true })),
  ];
  return { all, shortest: Math.min(...all.map(({ letters }) => letters.length)) };
}

const longer = (forms: readonly string[], least: number): readonly string[] =>
  forms.map((form) => form.replaceAll(/[^A-Za-z0-9]/g, '')).filter(({ length }) => length >= least);

const isKept = (code: number): boolean => code < 128 && isAlnum(code);

/** The rarest character of each form: a closer look is worth it only there. */
interface Gate {
  /** Finds one of them. */
  readonly rare: RegExp;
  readonly anchors: ReadonlyMap<number, readonly Anchor[]>;
}

interface Anchor {
  readonly form: Form;
  /** Where in the form the character stands. */
  readonly at: number;
}

function gateOf(forms: readonly Form[]): Gate {
  const anchors = new Map<number, Anchor[]>();
  for (const form of forms) {
    const at = rarestIn(form.letters);
    const char = form.letters.charAt(at);
    for (const each of new Set(form.anyCase ? [char, char.toUpperCase()] : [char])) {
      const code = each.charCodeAt(0);
      anchors.set(code, [...(anchors.get(code) ?? []), { form, at }]);
    }
  }
  return { rare: new RegExp(`[${String.fromCharCode(...anchors.keys())}]`, 'g'), anchors };
}

/** From frequent to rare. */
const FREQUENT = 'etaoinsrlcdupmhgfybwvkxjzq0123456789STACIEPRNMDLBOFHGUWVYKJXQZ';

/** Not the first one, so that its left neighbour is known too. */
function rarestIn(letters: string): number {
  let best = 1;
  for (let at = 2; at < letters.length; at += 1)
    if (FREQUENT.indexOf(letters.charAt(at)) > FREQUENT.indexOf(letters.charAt(best))) best = at;
  return best;
}

function foundIn(text: string, { rare, anchors }: Gate): readonly SecretRange[] {
  const found: SecretRange[] = [];
  rare.lastIndex = 0;
  while (rare.test(text)) {
    const at = rare.lastIndex - 1;
    for (const anchor of anchors.get(text.charCodeAt(at))!) {
      const range = matchAt(text, at, anchor);
      if (range) found.push(range);
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/** The form around its anchor, which stands at `at`. */
function matchAt(text: string, at: number, { form, at: anchor }: Anchor): SecretRange | undefined {
  const { letters, anyCase } = form;
  const isSame = (code: number, index: number): boolean => {
    const wanted = letters.charCodeAt(index);
    return code === wanted || (anyCase && (code | 32) === wanted);
  };
  let first = at;
  for (let index = anchor; index >= 0; first -= 1) {
    if (first < 0) return undefined;
    if (!isKept(text.charCodeAt(first))) continue;
    if (!isSame(text.charCodeAt(first), index)) return undefined;
    index -= 1;
  }
  let last = at + 1;
  for (let index = anchor + 1; index < letters.length; last += 1) {
    if (last >= text.length) return undefined;
    if (!isKept(text.charCodeAt(last))) continue;
    if (!isSame(text.charCodeAt(last), index)) return undefined;
    index += 1;
  }
  const beside = anyCase ? OF_ESCAPE : OF_BASE64;
  const start = first + 1;
  const before = [...text.slice(Math.max(0, start - BESIDE), start)].reverse().join('');
  const lengthOf = (edge: string): number => beside.exec(edge)?.[0].length ?? 0;
  return { start: start - lengthOf(before), end: last + lengthOf(text.slice(last, last + BESIDE)) };
}

/** What the first or the last character of a secret goes into, beside its letters. */
const BESIDE = 4;
const OF_BASE64 = /^[A-Za-z0-9+/=_-]*/;
const OF_ESCAPE = /^(?:[;}]|[{0]*[xu]?[#&\\%]*)/;

function openIn(text: string, { all }: Forms, none: number): number {
  const places: number[] = [];
  const chars: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isKept(text.charCodeAt(at))) continue;
    places.push(at);
    chars.push(text.charAt(at));
  }
  const letters = chars.join('');
  const lower = letters.toLowerCase();
  let least = letters.length;
  for (const { letters: form, anyCase } of all)
    least = Math.min(least, begunIn(anyCase ? lower : letters, form));
  return least >= letters.length ? none : Math.max(0, places[least]! - BESIDE);
}

/** Where the longest beginning of a form stands that the letters end with. */
function begunIn(letters: string, form: string): number {
  const head = form.slice(0, BEGUN);
  let at = letters.indexOf(head, Math.max(0, letters.length - form.length + 1));
  while (at !== -1 && !form.startsWith(letters.slice(at))) at = letters.indexOf(head, at + 1);
  return at === -1 ? letters.length : at;
}
