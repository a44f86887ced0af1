import { headerValueSecrets } from './header.js';
import { isNamedSecret } from './named-key.js';
import { kindsOf } from './secret-keys.js';
import type { SecretRange } from './secret-value.js';

/** `name`, `Key`, `ParameterKey`: a key whose value names what a `value` beside it holds; what it begins with. */
const nameKeyOf = (key: string): string | undefined =>
  key.length > 40 ? undefined : /^(.*?)[._-]?(?:name|key|header)$/i.exec(key)?.[1]?.toLowerCase();

/** The same of the `value`; its last letter but one says no to nearly every key. */
const valueKeyOf = (key: string): string | undefined =>
  key.length > 40 || (key.charCodeAt(key.length - 2) | 32) !== 117
    ? undefined
    : /^(.*?)[._-]?value$/i.exec(key)?.[1]?.toLowerCase();

/** Whether another key may name what a value under this one is. */
export const isValueKey = (key: string): boolean => valueKeyOf(key) !== undefined;

/** Whether a `name` says what a `value` beside it holds: `ParameterKey` that of `ParameterValue`. */
function isNameOf(nameKey: string, valueKey: string): boolean {
  const [name, value] = [nameKeyOf(nameKey), valueKeyOf(valueKey)];
  return name !== undefined && value !== undefined && (name === value || ANY_BASE.has(name));
}

/** A string of an object, and the key that it stands under. */
export interface Sibling {
  readonly key: string;
  readonly value: string;
}

/** The names of an object by what their keys begin with. */
export type SiblingNames = ReadonlyMap<string, readonly string[]>;

export function namesOf(siblings: Iterable<Sibling>): SiblingNames {
  const names = new Map<string, string[]>();
  for (const { key, value } of siblings) {
    const base = nameKeyOf(key);
    if (base === undefined) continue;
    const all = names.get(base);
    if (all === undefined) names.set(base, [value]);
    else if (all.length < ALIKE_MAX) all.push(value);
  }
  return names;
}

/** So many keys of one object that begin alike are looked at: `name`, `Name`, `key`, `header`. */
const ALIKE_MAX = 8;

/** What a value is known as: by its own key, or by the name that stands beside it in its object. */
export function ownerOf({ key, value }: Sibling, names: SiblingNames): string {
  const base = valueKeyOf(key);
  if (base === undefined) return key;
  const found = [base, ...ANY_BASE].flatMap((each) => names.get(each) ?? []);
  if (found.some((name) => kindsOf(name).includes('named') && isNamedSecret(name, value)))
    return 'secret_key';
  return found.find((name) => kindsOf(name).length > 0) ?? found[0] ?? key;
}

/** A value of a text whose key is one that another key names. */
interface NamedPlace {
  /** The key as written, and where it starts. */
  readonly key: string;
  readonly keyStart: number;
  /** Where its value ends. */
  readonly end: number;
}

/** How far from a `value` its name may stand. */
const NEAR = 300;

/**
 * What a `value` in a text is called by the `name`, `key` or `header` that stands beside it in the same object, the same
 * item of a list or the same element, before it or behind it.
 */
export function namesBeside(text: string, { key, keyStart, end }: NamedPlace): readonly string[] {
  const before = text.slice(Math.max(0, keyStart - NEAR), keyStart);
  const after = text.slice(end, end + NEAR);
  if (!NAME_KEY.test(before) && !NAME_KEY.test(after)) return NOBODY;
  const column = columnOf(before);
  const around = [pastLast(BEGIN, flat(before)), upToDedent(upToFirst(END, flat(after)), column)];
  const names = [...around.flatMap((part) => [...part.matchAll(ENTRY)]), ...elementsIn(before, after)];
  return names.flatMap(([, nameKey = '', name = '']) => (isNameOf(nameKey, key) ? [name] : []));
}

const NOBODY: readonly string[] = [];
const NAME_KEY = /name|key|header/i;
/** What stands before `name` says no more than what it names. */
const ANY_BASE: ReadonlySet<string> = new Set([
  '',
  ...'env var variable param parameter property prop setting option config secret field attribute'.split(' '),
]);

/** Without what is an object or a list of its own. */
const flat = (part: string): string => part.replaceAll('=>', '= ').replaceAll(NESTED, ' ');
const NESTED = /[{[][^{}[\]]{0,200}[}\]]/g;
/** Where an object begins: a bracket, an item of a list, an empty line. */
const BEGIN = /[{}[\]()<>]|\n[ \t]*(?=- )|\n[ \t]*\r?\n/g;
/** Where it ends. */
const END = /[{}[\]()<>]|\n[ \t]*-[ \t]|\n[ \t]*\r?\n/;

function pastLast(pattern: RegExp, part: string): string {
  const last = [...part.matchAll(pattern)].at(-1);
  return last ? part.slice(last.index + last[0].length) : part;
}

function upToFirst(pattern: RegExp, part: string): string {
  const first = pattern.exec(part);
  return first ? part.slice(0, first.index) : part;
}

/** `"name": "DB_PASSWORD"`, `name: x`, `key="x"`, `'Name' => 'x'`. */
const ENTRY =
  /(?:^|[\s,;&|])(?:-[ \t]+)?["'`]?([\w.-]{0,24}(?:name|key|header))["'`]?\s{0,3}(?:=>|[:=])\s{0,3}["'`]?([\w./-]{2,80})(?=["'`\s,;]|$)/gi;

/** Where a key stands in its line when nothing but blanks and the sign of an item stands before it, or -1. */
function columnOf(before: string): number {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return /^[ \t]*(?:- +)?$/.test(line) ? line.length : -1;
}

/** The lines up to one that stands further left: it belongs to what is around. */
function upToDedent(text: string, column: number): string {
  if (column < 1) return text;
  const out = new RegExp(String.raw`\n[ \t]{0,${column - 1}}[^\s"'\x60]`).exec(text);
  return out ? text.slice(0, out.index) : text;
}

/** `<name>x</name>` beside `<value>`, up to where two elements end or begin in a row. */
function elementsIn(before: string, after: string): readonly RegExpMatchArray[] {
  if (!before.endsWith('<')) return [];
  const parts = [pastLast(PARENT_BEGIN, before.slice(0, -1)), upToFirst(PARENT_END, after)];
  return parts.flatMap((part) => [...part.matchAll(ELEMENT)]);
}

const PARENT_BEGIN = /<\/[\w:.-]+>\s*(?=<\/)|<[\w:.-]+>\s*(?=<[\w:.-])/g;
const PARENT_END = /(?<=<\/[\w:.-]{1,60}>\s{0,40})<\//;
const ELEMENT = /<([\w.-]{0,24}(?:name|key|header))>\s{0,8}([\w.-]{2,60})\s{0,8}<\//gi;

/** `{"name": "Cookie", "value": "sid=x; a=b"}`: what of the value at the sign is secret when its name is a header's. */
export function namedHeaderSecrets(
  text: string,
  at: number,
  names: readonly string[],
): readonly SecretRange[] | undefined {
  const kind = names.flatMap(kindsOf).find((each) => each === 'authorization' || each === 'cookie');
  if (kind !== 'authorization' && kind !== 'cookie') return undefined;
  const { start, end } = quotedAfter(text, at) ?? { start: 0, end: 0 };
  return headerValueSecrets(kind, text.slice(start, end)).map((range) => ({
    start: start + range.start,
    end: start + range.end,
  }));
}

/** What stands in quotes behind the sign at `at`, blanks and escaped quotes included. */
export function quotedAfter(text: string, at: number): SecretRange | undefined {
  QUOTED.lastIndex = at + 1;
  const match = QUOTED.exec(text);
  const end = at + (match?.[0].length ?? 0);
  return match ? { start: end - match[2]!.length, end } : undefined;
}

const QUOTED = />?\s{0,6}(["'`])((?:\\.|(?!\1)[^\\\n]){3,2000})\1/y;
