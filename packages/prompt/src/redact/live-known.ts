import { base32Forms, encodedForms } from './encoded.js';
import type { LeakContext } from './leak-context.js';

/**
 * How far behind its beginning something known may end although there is a place to cut in it: values and folders
 * with spaces or with writing that has none, each character spelled with up to six.
 */
export function reachOf({ roots, private: folders, names, credentials = [] }: LeakContext): number {
  const known = [...roots.map(([, path]) => path), ...folders, ...names, ...credentials];
  const loose = known.filter((value) => /[^\x21-\x7e]/.test(value));
  return loose.reduce((longest, value) => Math.max(longest, value.length * SPELLING + SPELLING), 0);
}

const SPELLING = 6;

/**
 * How much of a word is certainly not the beginning of something known. A known value may begin inside a word, and so may an
 * encoding of it: with a few characters, or nearly every word would wait for the next one.
 */
export function beginsOf({ roots, private: folders, names, credentials = [] }: LeakContext) {
  let known: readonly Known[] | undefined;
  const read = (): readonly Known[] => {
    const places = [...roots.map(([, path]) => path), ...folders, ...names];
    return [
      ...[...places, ...credentials].map((value) => ({
        form: value.toLowerCase(),
        least: BEGUN_MIN,
        isEncoded: false,
      })),
      ...credentials.flatMap((value) => formsOf(value, BEGUN_MIN)),
      ...places.flatMap((value) => formsOf(value, PLACE_MIN)),
    ];
  };
  return (word: string): number => {
    // Most redactors see no live words.
    known ??= read();
    const small = word.toLowerCase();
    for (let at = 0; at < small.length; at += 1) {
      const rest = small.slice(at);
      if (at > 0 && rest.length < BEGUN_MIN) break;
      const isBegun = ({ form, least, isEncoded }: Known): boolean =>
        (rest.length >= least || (at === 0 && !isEncoded)) &&
        (form.startsWith(rest) || rest.startsWith(form));
      if (known.some(isBegun)) return at;
    }
    return word.length;
  };
}

/** What a word is compared with, and from how many characters on. As a word of its own a plain value counts from the first one. */
interface Known {
  readonly form: string;
  readonly least: number;
  readonly isEncoded: boolean;
}

/** Fewer characters tell nothing, and the last ones of most words would begin something. */
export const BEGUN_MIN = 3;
/** The same of an encoded place or name, of which a machine has many. */
export const PLACE_MIN = 5;

/** Only the beginning matters: what is longer is no word that is told before its end. */
const FORM_MAX = 24;

const formsOf = (value: string, least: number): readonly Known[] => {
  const begin = value.slice(0, FORM_MAX);
  const plain = encodedForms(begin).filter(({ hex }) => !hex);
  return [...plain.map(({ form }) => form), ...base32Forms(begin)].map((form) => ({
    form: form.toLowerCase(),
    least,
    isEncoded: true,
  }));
};
