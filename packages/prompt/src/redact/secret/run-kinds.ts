import type { Part } from './family.js';

/** What the characters of a long run are told apart by, one bit each. */
const KINDS: readonly RegExp[] = [/[a-f]/, /[g-z]/, /[A-F]/, /[G-Z]/, /\d/, /_/, /-/, /\+/, /\//];
const KIND_OF = Uint16Array.from({ length: 128 }, (_, code) => {
  const kind = KINDS.findIndex((each) => each.test(String.fromCharCode(code)));
  return kind === -1 ? 0 : 1 << kind;
});

/** The kind of an ASCII character. */
export const kindOf = (code: number): number => KIND_OF[code]!;

/** The kinds of the characters of the run `[start, end)`. */
export function kindsIn(text: string, start: number, end: number): number {
  let kinds = 0;
  for (let at = start; at < end; at += 1) kinds |= KIND_OF[text.charCodeAt(at)] ?? 0;
  return kinds;
}

/** The kinds of which some part has a character: a run that is such a token has no others. */
export function kindsOf(parts: readonly Part[]): number {
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
  const allowed = new RegExp(`[${alphabet}]`);
  for (const [code, kind] of KIND_OF.entries()) if (allowed.test(String.fromCharCode(code))) kinds |= kind;
  known.set(alphabet, kinds);
  return kinds;
}
