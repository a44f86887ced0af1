import { guard } from '@cuebook/guard';
import type { Obligation } from '@cuebook/prompt/diff';
import type { PlacedObligation } from './placed.js';

/** Two obligations that stand against each other, or say the same. */
export interface ObligationPair {
  readonly one: PlacedObligation;
  readonly other: PlacedObligation;
}

/** Sentences that stand in a prompt more than once: each with its first place. Very short ones are said twice on purpose. */
export function duplicateObligations(all: readonly PlacedObligation[]): readonly ObligationPair[] {
  const first = new Map<string, PlacedObligation>();
  const pairs: ObligationPair[] = [];
  for (const each of all) {
    const key = wordsOf(each.text).join(' ');
    const before = first.get(key);
    if (before === undefined) first.set(key, each);
    else if (wordsOf(each.text).length >= FEWEST_WORDS) pairs.push({ one: before, other: each });
  }
  return pairs;
}

const FEWEST_WORDS = 3;

/** Obligations that cannot both be kept, as far as their words tell. A rule with a condition is opposed to nothing. */
export function opposedObligations(all: readonly PlacedObligation[]): readonly ObligationPair[] {
  const plain = all.filter(({ text }) => !guard('obligation.condition', CONDITION.test(text)));
  return plain.flatMap((one, at) =>
    plain.slice(at + 1).flatMap((other) => (areOpposed(one, other) ? [{ one, other }] : [])),
  );
}

/** Whether two obligations without conditions exclude each other. */
function areOpposed(one: Obligation, other: Obligation): boolean {
  if (areBoundsOpposed(one.text, other.text)) return true;
  const isForbidden = [one, other].map(({ force }) => force === 'NEVER');
  const [a, b] = [contentOf(one.text), contentOf(other.text)];
  const turned = [...a].some((word) => OPPOSITE.get(word)?.some((against) => b.has(against)));
  if (isForbidden[0] !== isForbidden[1]) return !turned && overlap(a, b) >= ALIKE && sharedOf(a, b) >= 2;
  if (!turned) return false;
  const rest = (words: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...words].filter((word) => !OPPOSITE.has(word)));
  return sharedOf(rest(a), rest(b)) >= 1 && overlap(rest(a), rest(b)) >= ALIKE;
}

const ALIKE = 0.4;

const CONDITION =
  /\b(?:if|when|whenever|while|unless|until|except|otherwise|only|in case|where|once|before|after|without|instead|other than|rather than|depending|for example|falls|wenn|außer|nur|si|sauf|salvo|solo|quando)\b/iu;

const sharedOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter((word) => b.has(word)).length;

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedOf(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What a sentence is about: its words without those of every order, cut to their stems. */
const contentOf = (text: string): ReadonlySet<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !DIRECTIVE.has(word))
      .map(stemOf),
  );

const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/u, '') : word.replace(/(?<=\w{3})s$/u, '');

const DIRECTIVE = new Set(
  'a an and any all always are as at avoid be by can cannot do does don t each every for from have in into is it its make may might must need never no not nothing of on or please shall should so sure that the their them then they this to under use used using will with you your refrain ensure forget remember'.split(
    ' ',
  ),
);

/** Words that exclude each other, by their stems. */
const OPPOSITE: ReadonlyMap<string, readonly string[]> = pairsOf([
  ['include', 'omit'],
  ['include', 'exclude'],
  ['include', 'leave'],
  ['add', 'remove'],
  ['show', 'hide'],
  ['accept', 'reject'],
  ['accept', 'refuse'],
  ['allow', 'deny'],
  ['enable', 'disable'],
  ['keep', 'delete'],
  ['keep', 'remove'],
  ['ask', 'assume'],
  ['brief', 'detailed'],
  ['short', 'long'],
  ['formal', 'casual'],
  ['formal', 'informal'],
  ['uppercase', 'lowercase'],
  ['first', 'last'],
  ['json', 'markdown'],
  ['json', 'prose'],
  ['singular', 'plural'],
  ['british', 'american'],
]);

function pairsOf(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const [one, other] of pairs)
    for (const [from, to] of [
      [stemOf(one), stemOf(other)],
      [stemOf(other), stemOf(one)],
    ] as const)
      map.set(from, [...(map.get(from) ?? []), to]);
  return map;
}

interface Bound {
  readonly of: string;
  readonly least: number;
  readonly most: number;
}

const areBoundsOpposed = (one: string, other: string): boolean =>
  boundsOf(one).some((a) =>
    boundsOf(other).some((b) => a.of === b.of && Math.max(a.least, b.least) > Math.min(a.most, b.most)),
  );

/** `at most 3 sentences`, `exactly one line`: numbers of things of a kind. */
const boundsOf = (text: string): readonly Bound[] =>
  [...text.toLowerCase().matchAll(BOUND)].flatMap(([, relation = '', digits = '', of = '']): Bound[] => {
    const value = NUMBERS.get(digits) ?? Number(digits);
    const thing = of.replace(/s$/u, '');
    if (MOST.has(relation)) return [{ of: thing, least: 0, most: value }];
    return [{ of: thing, least: value, most: relation === 'exactly' ? value : Infinity }];
  });

const MOST = new Set([
  'at most',
  'no more than',
  'up to',
  'a maximum of',
  'under',
  'fewer than',
  'less than',
]);

const BOUND =
  /\b(at most|no more than|up to|a maximum of|under|fewer than|less than|at least|no fewer than|no less than|more than|a minimum of|over|exactly) (\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten) (?:\p{L}+ )?(words?|sentences?|paragraphs?|lines?|bullets?|points?|items?|examples?|questions?|characters?)\b/gu;

const NUMBERS = new Map(
  ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, at) => [
    word,
    at + 1,
  ]),
);
