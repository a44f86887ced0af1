import type { Persona } from '../card/schema.js';
import { latin, plain } from './claim/fold.js';
import {
  DENIED,
  DENIED_UNSPACED,
  ORDER_RULES,
  QUOTED,
  QUOTES_ITSELF,
  RULES,
  UNSPACED_ORDER_RULES,
  UNSPACED_RULES,
} from './claim/grammar.js';
import { NAME, namesOf, PART } from './claim/names.js';
import { sentencesOf } from './claim/sentence.js';

/**
 * Whether a text claims to be the inspiration of a persona: in the first person, by a signature, or as the speaker of
 * a line; in the large languages; however the name is spelled, spaced or hidden in look-alike letters. To speak of her,
 * to cite her, to be like her is no claim. `own` is the name of the one who speaks. It is a net: a claim in words that
 * nobody thought of passes.
 */
export const findsImpersonation = (text: string, persona: Persona | undefined, own = ''): boolean =>
  isFound(text, persona, own, CLAIMS);

/** Whether a text asks for that, or says it of the agent: "You are …", "answer as …", and every claim. */
export const asksForImpersonation = (text: string, persona: Persona | undefined, own = ''): boolean =>
  isFound(text, persona, own, ORDERS);

/** Whether a name is the name of the inspiration, and nothing else. */
export function isNameOf(name: string, persona: Persona | undefined): boolean {
  const reference = persona?.inspiration?.reference;
  return READINGS.some((fold) => {
    const names = reference === undefined ? undefined : namesOf(reference, name, fold);
    return names !== undefined && sentencesOf(fold(plain(name)), names).trim() === NAME;
  });
}

interface Grammar {
  readonly spaced: readonly RegExp[];
  readonly unspaced: readonly RegExp[];
}
const CLAIMS: Grammar = { spaced: RULES, unspaced: UNSPACED_RULES };
const ORDERS: Grammar = {
  spaced: [...RULES, ...ORDER_RULES],
  unspaced: [...UNSPACED_RULES, ...UNSPACED_ORDER_RULES],
};

function isFound(text: string, persona: Persona | undefined, own: string, grammar: Grammar): boolean {
  const reference = persona?.inspiration?.reference;
  if (reference === undefined) return false;
  const said = plain(text);
  const known = new Set<string>();
  return READINGS.some((fold) => {
    const names = namesOf(reference, own, fold);
    if (names === undefined) return false;
    const read = sentencesOf(fold(said), names);
    if (known.has(read) || !(read.includes(NAME) || read.includes(PART))) return false;
    known.add(read);
    return claims(read, grammar);
  });
}

/** As it stands, and with look-alikes read as Latin. */
const READINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => latin(text, 'i'),
  (text) => latin(text, 'l'),
];

function claims(read: string, { spaced, unspaced }: Grammar): boolean {
  const joined = read.replaceAll(' ', '');
  return (
    spaced.some((rule) => hasClaim(read, rule, (before) => DENIED.test(before) || isQuoted(before))) ||
    unspaced.some((rule) => hasClaim(joined, rule, (before) => DENIED_UNSPACED.test(before)))
  );
}

function hasClaim(read: string, rule: RegExp, isNone: (before: string) => boolean): boolean {
  for (const match of read.matchAll(rule)) {
    const [at = match.index] = match.indices?.groups?.lead ?? [];
    const lead = match.groups?.lead ?? '';
    if (lead === '' || !isNone(read.slice(Math.max(0, at - CLOSE), at))) return true;
  }
  return false;
}

const isQuoted = (before: string): boolean => QUOTED.test(before) && !QUOTES_ITSELF.test(before);

/** How far back is looked for words that turn a claim into none. */
const CLOSE = 80;
