import type { TokenPart } from './family.js';

/** What the characters of a long run are told apart by, one bit each. */
const KINDS: readonly RegExp[] = [/[a-f]/g, /[g-z]/g, /[A-F]/g, /[G-Z]/g, /\d/g, /_/g, /-/g, /\+/g, /\//g];
const ASCII = String.fromCharCode(...Array(128).keys());
const KIND_OF = new Uint16Array(128);
for (const [kind, pattern] of KINDS.entries())
  for (const char of ASCII.match(pattern) ?? []) KIND_OF[char.charCodeAt(0)] = 1 << kind;

/** The kind of an ASCII character. */
export const kindOf = (code: number): number => KIND_OF[code]!;

/** The kinds of the characters of the run `[start, end)`. */
export function kindsIn(text: string, start: number, end: number): number {
  let kinds = 0;
  for (let at = start; at < end; at += 1) kinds |= KIND_OF[text.charCodeAt(at)] ?? 0;
  return kinds;
}

/** The kinds of which some part has a character: a run that is such a token has no others. */
export function kindsOf(parts: readonly TokenPart[]): number {
  let kinds = 0;
  for (const part of parts) {
    kinds |= part.kind === 'fixed' ? kindsIn(part.text, 0, part.text.length) : kindsOfAlphabet(part.alphabet);
  }
  return kinds;
}

const known = new Map<string, number>();

function kindsOfAlphabet(alphabet: string): number {
  let kinds = known.get(alphabet);
  if (kinds !== undefined) return kinds;
  kinds = 0;
  for (const char of ASCII.match(new RegExp(`[${alphabet}]`, 'g')) ?? []) kinds |= kindOf(char.charCodeAt(0));
  known.set(alphabet, kinds);
  return kinds;
}
