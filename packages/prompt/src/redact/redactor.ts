import type { RedactionKind } from '../block.js';
import { guard } from '../guard.js';
import { decodeLiteral, encodeLiteral, type Literal, literalsOf } from './json-text.js';
import {
  type JsonValue,
  type Leak,
  type LeakContext,
  placeholderOf,
  type Replacement,
} from './leak-context.js';
import { createScanner, type ScanMode, type Scanner } from './scan.js';
import { applyReplacements, composeReplacements } from './settle.js';
import { mapStrings, uniqueKey } from './value.js';

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
}

const PROSE: ScanMode = { knownOnly: false, inValue: false, depth: 0 };
const LEAF: ScanMode = { knownOnly: false, inValue: true, depth: 0 };
const KNOWN: ScanMode = { knownOnly: true, inValue: false, depth: 0 };

/** JSON inside a string of JSON is rewritten this deep; deeper it is text. */
const JSON_DEPTH = 8;
/** One round cleans nearly everything; a text that is still not clean after these is removed whole. */
const ROUNDS = 5;

export function createRedactor(context: LeakContext): Redactor {
  const scanner = createScanner(context);
  const find = (text: string): readonly Replacement[] =>
    settle(text, (round) => findOnce(scanner, round, PROSE, 0), scanner);
  const findLeaf = (text: string): readonly Replacement[] =>
    settle(text, (round) => findOnce(scanner, round, LEAF, 0), scanner);
  return {
    find,
    redactText: (text) => {
      const replacements = find(text);
      return { text: applyReplacements(text, replacements), replacements };
    },
    redactValue: (value) => {
      const kinds = new Set<RedactionKind>();
      const clean = mapStrings(value, (text, isKey) => {
        const found = isKey && !guard('redact.key', true) ? [] : findLeaf(text);
        for (const { kind } of found) kinds.add(kind);
        return applyReplacements(text, found);
      });
      return { value: clean, kinds: [...kinds].sort() };
    },
    leaks: (text) => {
      const found = toSource(scanner.scan(text, KNOWN));
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
  return [{ start: 0, end: text.length, text: placeholderOf('path'), kind: 'path', known: true }];
}

const findKnown = (scanner: Scanner, text: string): readonly Replacement[] =>
  toSource(scanner.scan(text, { ...PROSE, knownOnly: true }));

function findOnce(scanner: Scanner, text: string, mode: ScanMode, depth: number): readonly Replacement[] {
  const literals = depth < JSON_DEPTH ? literalsOf(text) : undefined;
  if (literals) {
    const found = findInJson(scanner, text, literals, depth);
    return found.length > 0 ? found : findKnown(scanner, text);
  }
  return toSource(scanner.scan(text, mode));
}

/** Replaces inside the string literals only, so JSON stays JSON and all else keeps its bytes. */
function findInJson(
  scanner: Scanner,
  text: string,
  literals: readonly Literal[],
  depth: number,
): readonly Replacement[] {
  const replacements: Replacement[] = [];
  const keys = new Map<number, Map<string, number>>();
  for (const literal of literals) {
    const { value, placeOf } = decodeLiteral(text, literal);
    const found = findOnce(scanner, value, LEAF, depth + 1);
    const placed = found.map((item) => ({
      ...item,
      start: placeOf(item.start),
      end: placeOf(item.end),
      text: encodeLiteral(item.text),
    }));
    if (literal.isKey) {
      const clean = applyReplacements(value, found);
      const taken = keys.get(literal.object) ?? new Map<string, number>();
      keys.set(literal.object, taken);
      // A literal that was there twice stays there twice: only what redaction made equal is told apart.
      const unique = found.length > 0 || !taken.has(clean) ? uniqueKey(clean, taken) : clean;
      if (unique !== clean) {
        const { kind, known } = found[0]!;
        replacements.push({
          start: literal.start,
          end: literal.end,
          text: encodeLiteral(unique),
          kind,
          known,
        });
        continue;
      }
    }
    replacements.push(...placed);
  }
  return replacements;
}

/** Hits of the shadow as replacements in the source. */
function toSource({ shadow, hits }: ReturnType<Scanner['scan']>): readonly Replacement[] {
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
