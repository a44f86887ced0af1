import { plain } from './fold.js';

/** Stands for a name in a text that was read. */
export const NAME = '§';
/** Stands for the given name alone, which many bear. */
export const PART = '¤';

/** How the names of somebody are found, however they are spaced or dotted. */
export interface NamePatterns {
  readonly whole: RegExp;
  readonly part?: RegExp;
}

/** A text with a mark for each of the names. A name inside a longer word is another name. */
export const markNames = (text: string, names: RegExp, mark: string): string =>
  text.replace(names, (found: string, at: number) =>
    joins(text[at - 1], found[0]) || joins(found.at(-1), text[at + found.length]) ? found : ` ${mark} `,
  );

/** Scripts without spaces have no word ends. */
const joins = (before = ' ', after = ' '): boolean => JOINED.test(before) && JOINED.test(after);
const JOINED =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Devanagari}\p{N}]/u;

/**
 * The names in a reference: what stands before a bracket, a comma or a dash. A name of several words is known by its
 * last word as well, and by its first, unless the one who speaks bears that word in its own name.
 */
export function namesOf(
  reference: string,
  own: string,
  fold: (text: string) => string,
): NamePatterns | undefined {
  const read = fold(plain(reference)).toLowerCase().replaceAll(NAME, ' ').replaceAll(PART, ' ');
  const [named = ''] = read.split(/[(（[,，;；:：\n—–]|\s-\s/u);
  const words = wordsOf(named).filter((word) => !TITLES.has(word));
  const [first, last] = words.length === 1 ? halves(words[0] as string) : [words[0], words.at(-1)];
  if (first === undefined) return undefined;
  if (last === undefined) return { whole: names(spaced(first)) };
  const mine = new Set(wordsOf(fold(plain(own)).toLowerCase()));
  const isKnownBy = (word: string): boolean => word.length >= 2 && !mine.has(word);
  const between = `${GAP}(?:[^\\s,;:!?"]+${GAP}){0,2}`;
  const whole = [
    words.map(spaced).join(GAP),
    `${spaced(first)}${between}${spaced(last)}`,
    `(?:[^\\s.,]\\. ?)+(?:[^\\s.,]+ )?${spaced(last)}`,
    `${spaced(last)} ?, ?${spaced(first)}`,
    ...(isKnownBy(last) ? [spaced(last)] : []),
  ];
  return { whole: names(whole.join('|')), ...(isKnownBy(first) && { part: names(spaced(first)) }) };
}

/** Family name and given name of four signs stand together. NamePatterns of fewer signs are said whole. */
const halves = (word: string): readonly [string, string?] =>
  /^\p{Script=Han}{4}$/u.test(word) ? [word.slice(0, 2), word.slice(2)] : [word];

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const TITLES = new Set([
  'dr',
  'mr',
  'mrs',
  'ms',
  'miss',
  'prof',
  'professor',
  'sir',
  'dame',
  'the',
  'st',
  'saint',
]);

/** A word with its letters apart or together. */
const spaced = (word: string): string => [...word].map(quoted).join('[ .\\-_*·•~]{0,2}');
const GAP = '[\\s.\\-_*·•・~]{0,4}';

const names = (pattern: string): RegExp => new RegExp(pattern, 'gu');
const quoted = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
