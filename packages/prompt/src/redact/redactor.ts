import { guard, guarded } from '@cuebook/guard';
import type { RedactionKind } from '../block.js';
import {
  type DecodedLiteral,
  decodeLiteral,
  encodeLiteral,
  type JsonLiteral,
  literalsOf,
} from './json-text.js';
import {
  type JsonValue,
  type Leak,
  type LeakContext,
  placeholderOf,
  type Replacement,
} from './leak-context.js';
import { beginsOf, reachOf } from './live-known.js';
import { compileOpens } from './live-open.js';
import { holdsPath } from './path-places.js';
import { createScanner } from './scan.js';
import { entrySecrets } from './secret/entry.js';
import { isJwkSecret } from './secret/jwk.js';
import { tablesOf } from './secret/login-file.js';
import { isValueKey, namesOf, ownerOf, type Sibling, type SiblingNames } from './secret/named-value.js';
import type { SecretRange } from './secret/secret-value.js';
import { applyReplacements, composeReplacements } from './settle.js';
import { mapStrings, uniqueKey } from './value.js';
import type { ScanMode, Scanner } from './walk.js';

export type { JsonValue, Leak, LeakContext, Replacement } from './leak-context.js';

/** Cleans texts and values of what a context must not tell. Pure, linear in its input, never throws. */
export interface Redactor {
  /** What to replace in a text; sorted, without overlaps. After all are made nothing is found any more. */
  find(text: string): readonly Replacement[];
  redactText(text: string): { readonly text: string; readonly replacements: readonly Replacement[] };
  /** Cleans keys and leaves before they are serialised. `kinds` says what was removed, sorted. */
  redactValue(value: JsonValue): { readonly value: JsonValue; readonly kinds: readonly RedactionKind[] };
  /** The last check: what the canonicalised text still holds of known things, and where. */
  leaks(text: string): readonly Leak[];
  /** How many characters of a text that goes on may still be the beginning of something known that has spaces in it. */
  readonly reach?: number;
  /** Where a known secret may have begun that is cut and goes on behind the text, or the text's length. */
  readonly opens?: (text: string) => number;
  /** How much of a word that goes on is certainly not the beginning of something known. */
  readonly begins?: (word: string) => number;
}

const PROSE: ScanMode = { knownOnly: false, inValue: false, depth: 0 };
const LEAF: ScanMode = { knownOnly: false, inValue: true, depth: 0 };
const KNOWN: ScanMode = { knownOnly: true, inValue: false, depth: 0 };

/** JSON inside a string of JSON is rewritten this deep; deeper it is text. */
const JSON_DEPTH = 8;
/** One round cleans nearly everything; a text that is still not clean after these is removed whole. */
const ROUNDS = 8;

export function createRedactor(context: LeakContext): Redactor {
  const scanner = createScanner(context);
  const find = (text: string): readonly Replacement[] =>
    settle(text, (round) => findOnce(scanner, round, PROSE, 0), scanner);
  const findLeaf = (text: string, key: string): readonly Replacement[] =>
    settle(text, (round) => findUnder(key, round, findKeyed(scanner, round, key, 0)), scanner);
  return {
    reach: reachOf(context),
    begins: beginsOf(context),
    opens: compileOpens(context),
    find,
    redactText: (text) => {
      const replacements = find(text);
      return { text: applyReplacements(text, replacements), replacements };
    },
    redactValue: (value) => {
      const kinds = new Set<RedactionKind>();
      const clean = mapStrings(value, (text, { isKey, key }) => {
        const found = isKey ? guarded('redact.key', () => findLeaf(text, key), []) : findLeaf(text, key);
        for (const { kind } of found) kinds.add(kind);
        return applyReplacements(text, found);
      });
      return { value: clean, kinds: [...kinds].sort() };
    },
    leaks: (text) => {
      const found = scanner.scan(text, KNOWN);
      if (!guard('leak.gate', found.length > 0)) return [];
      return found.map(({ kind, start, end }) => ({ kind, start, end }));
    },
  };
}

/** Repeats until nothing is found, so that the answer is a fixpoint. */
function settle(
  text: string,
  once: (text: string) => readonly Replacement[],
  scanner: Scanner,
): readonly Replacement[] {
  let replacements = once(text);
  if (replacements.length === 0) return replacements;
  for (let round = 1; round < ROUNDS; round += 1) {
    const clean = applyReplacements(text, replacements);
    const found = once(clean);
    const late = found.length > 0 ? found : findKnown(scanner, clean);
    if (late.length === 0) return replacements;
    replacements = composeReplacements(clean, replacements, late);
  }
  const whole = literalsOf(text) ? JSON.stringify(placeholderOf('path')) : placeholderOf('path');
  return [{ start: 0, end: text.length, text: whole, kind: 'path', known: true }];
}

const findKnown = (scanner: Scanner, text: string): readonly Replacement[] => scanner.scan(text, KNOWN);

function findOnce(scanner: Scanner, text: string, mode: ScanMode, depth: number): readonly Replacement[] {
  const literals = guard('redact.json', depth < JSON_DEPTH) ? literalsOf(text) : undefined;
  if (literals) {
    const found = findInJson(scanner, text, literals, depth);
    return found.length > 0 ? found : findKnown(scanner, text);
  }
  const found = scanner.scan(text, mode);
  return mode.inValue && guard('redact.leaf', isCutPath(text, found)) ? [wholeLeaf(text, found[0]!)] : found;
}

/**
 * A leaf that begins with a private path is cut short when what is left still looks like a path: nothing
 * tells where such a name ends, so the leaf goes as a whole.
 */
function isCutPath(text: string, found: readonly Replacement[]): boolean {
  const first = found[0];
  if (first?.kind !== 'path' || first.start !== 0 || text.includes('\n')) return false;
  if (/\.[A-Za-z]\w{0,5}$/.test(text.slice(Math.max(0, first.end - 8), first.end))) return false;
  const rest = applyReplacements(text, found).slice(first.text.length);
  return (
    /^[ ,;(]/.test(rest) && /[\\/]|\.[A-Za-z]\w{0,5}$/.test(rest) && !/[@|>]|&&|:\/\/|\[removed:/.test(rest)
  );
}

const wholeLeaf = (text: string, { kind, known }: Replacement): Replacement => ({
  start: 0,
  end: text.length,
  text: placeholderOf('path'),
  kind,
  known,
});

/** Replaces inside the string literals only, so JSON stays JSON and all else keeps its bytes. */
function findInJson(
  scanner: Scanner,
  text: string,
  literals: readonly JsonLiteral[],
  depth: number,
): readonly Replacement[] {
  const decodedLiterals = literals.map((literal) => decodeLiteral(text, literal));
  const hasValues = decodedLiterals.some(({ value }, at) => literals[at]!.isKey && isValueKey(value));
  const names = hasValues ? namesIn(literals, decodedLiterals) : NO_OBJECTS;
  const jwks = jwksOf(literals, decodedLiterals);
  const held = tablesOf(text);
  /** What is found in a string that is no path is found wherever it stands: keys are said over and over. */
  const seen = new Map<string, readonly Replacement[]>();
  const findOf = (value: string, key: string): readonly Replacement[] => {
    if (value.startsWith('/')) return findKeyed(scanner, value, key, depth + 1);
    const known = seen.get(value) ?? findKeyed(scanner, value, key, depth + 1);
    seen.set(value, known);
    return known;
  };
  const read = literals.map((literal, index) => {
    const decoded = decodedLiterals[index]!;
    const key = literal.key === -1 ? '' : decodedLiterals[literal.key]!.value;
    const found = findOf(decoded.value, key);
    const isHeld = held.some(({ start, end }) => literal.start <= start && end <= literal.end);
    const isPart = isJwkSecret(key, decoded.value, jwks.has(literal.object));
    const named = ownerOf({ key, value: decoded.value }, names.get(literal.object) ?? NO_NAMES);
    const owner = isHeld ? 'password' : isPart ? 'secret_key' : named;
    return { literal, decoded, found: findUnder(owner, decoded.value, found) };
  });
  const keys = new Map<number, Map<string, number>>();
  for (const { literal, decoded, found } of read) {
    if (literal.isKey && found.length === 0) takenOf(keys, literal.object).set(decoded.value, 1);
  }
  return read.flatMap(({ literal, decoded, found }) => {
    if (found.length === 0) return [];
    const clean = applyReplacements(decoded.value, found);
    const unique = literal.isKey ? uniqueKey(clean, takenOf(keys, literal.object)) : clean;
    if (unique !== clean) {
      const { kind, known } = found[0]!;
      return [{ start: literal.start, end: literal.end, text: encodeLiteral(unique), kind, known }];
    }
    return found.map((item) => ({
      ...item,
      start: decoded.placeOf(item.start),
      end: decoded.placeOf(item.end),
      text: encodeLiteral(item.text),
    }));
  });
}

/** What is found in a string, and where its key holds paths, what would be found in `key: string` of a text. */
function findKeyed(scanner: Scanner, text: string, key: string, depth: number): readonly Replacement[] {
  const found = findOnce(scanner, text, LEAF, depth);
  if (found.length > 0 || !text.startsWith('/') || !holdsPath(key)) return found;
  const lead = key.length + 2;
  return scanner
    .scan(`${key}: ${text}`, PROSE)
    .filter(({ kind, start }) => kind === 'path' && start >= lead)
    .map((hit) => ({ ...hit, start: hit.start - lead, end: hit.end - lead }));
}

/** What was found in a string, and what the key that it stands under says of it. */
function findUnder(key: string, text: string, found: readonly Replacement[]): readonly Replacement[] {
  if (!guard('redact.entry', key !== '')) return found;
  const secrets = entrySecrets(key, text);
  if (secrets.length === 0) return found;
  const touches = (each: Replacement, { start, end }: SecretRange) => each.start < end && start < each.end;
  const apart = found.filter((each) => !secrets.some((secret) => touches(each, secret)));
  const masks = secrets.map((secret): Replacement => {
    const inside = found.filter((each) => touches(each, secret));
    return {
      start: Math.min(secret.start, ...inside.map(({ start }) => start)),
      end: Math.max(secret.end, ...inside.map(({ end }) => end)),
      text: placeholderOf('credential'),
      kind: 'credential',
      known: inside.some(({ known }) => known),
    };
  });
  return [...apart, ...masks].sort((a, b) => a.start - b.start);
}

/** By object: what its values may be called by. */
function namesIn(
  literals: readonly JsonLiteral[],
  decoded: readonly DecodedLiteral[],
): ReadonlyMap<number, SiblingNames> {
  const siblings = new Map<number, Sibling[]>();
  for (const [index, { isKey, object, key }] of literals.entries()) {
    if (isKey || object === -1 || key === -1) continue;
    const sibling = { key: decoded[key]!.value, value: decoded[index]!.value };
    const all = siblings.get(object);
    if (all) all.push(sibling);
    else siblings.set(object, [sibling]);
  }
  return new Map([...siblings].map(([object, all]) => [object, namesOf(all)]));
}

const NO_NAMES: SiblingNames = new Map();
const NO_OBJECTS: ReadonlyMap<number, SiblingNames> = new Map();

/** The objects that are keys of the web: `{ "kty": … }`. */
const jwksOf = (literals: readonly JsonLiteral[], decoded: readonly DecodedLiteral[]): ReadonlySet<number> =>
  new Set(
    literals.filter(({ isKey }, at) => isKey && decoded[at]!.value === 'kty').map(({ object }) => object),
  );

/** The keys of one object that are spoken for. */
function takenOf(keys: Map<number, Map<string, number>>, object: number): Map<string, number> {
  const taken = keys.get(object) ?? new Map<string, number>();
  keys.set(object, taken);
  return taken;
}
