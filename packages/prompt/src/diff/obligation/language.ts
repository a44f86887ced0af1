import type { Force } from './obligation.js';

/** How one language demands, forbids and advises. Patterns meet a sentence in lower case, its marks and quotes taken out, and narrow
 * where the language is written in Latin letters. */
export interface Language {
  /** Words by which a sentence of this language is known. */
  readonly known: RegExp;
  /** What sounds like an obligation and is none: permissions, the past, sayings. It is taken out before anything else. */
  readonly harmless: RegExp;
  /** In this order: the first that fits names the force. */
  readonly forces: readonly (readonly [Force, RegExp])[];
  /** The sentence begins with an order, as it stands or behind a condition. */
  readonly isOrder: (sentence: string) => boolean;
  /** Titles of lists, by the force that their points have. */
  readonly titles: Readonly<Record<Force, RegExp>>;
}

// A class such as `\p{L}` costs the engine a millisecond and more for each place in which a pattern has it, and the
// patterns of a language have dozens. Below U+0250 the letters and numbers are few; the sentence is made to have no others.
const LETTERS = String.raw`A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u024f`;
const NUMBERS = String.raw`0-9\xb2\xb3\xb9\xbc-\xbe`;

/** A pattern for narrow sentences, in which `\p{L}` and `\p{N}` stand for letters and numbers. */
export const pattern = (source: string, flags = ''): RegExp =>
  new RegExp(
    source.replace(/\[[^\]]*\]|\\p\{[LN]\}/g, (part) =>
      part.startsWith('[') ? spelled(part) : `[${spelled(part)}]`,
    ),
    flags,
  );

const spelled = (part: string): string =>
  part.replaceAll(String.raw`\p{L}`, LETTERS).replaceAll(String.raw`\p{N}`, NUMBERS);

/**
 * The sentence with one character for each: letters and numbers that no pattern names are a letter and a number that none
 * names either, and what takes two units is a sign.
 */
export const narrowed = (sentence: string): string =>
  /[\u0250-\uffff]/.test(sentence)
    ? sentence.replace(/[\u0250-\u{10ffff}]/gu, (character) =>
        /\p{L}/u.test(character)
          ? 'ĸ'
          : /\p{N}/u.test(character)
            ? '¾'
            : character.length > 1
              ? '☃'
              : character,
      )
    : sentence;

/** Words and phrases, whole: no letter, digit or hyphenated part stands beside them. Spaces stand for any white space. */
export const words = (...phrases: readonly string[]): RegExp =>
  pattern(String.raw`(?<![\p{L}\p{N}_-])(?:${spaced(phrases.join('|'))})(?![\p{L}\p{N}_]|-\p{L})`);

const spaced = (pattern: string): string =>
  pattern.replaceAll(' ?', String.raw`\s*`).replaceAll(' ', String.raw`\s+`);

/** The same, every one of them. */
export const everyWord = (...phrases: readonly string[]): RegExp => new RegExp(words(...phrases).source, 'g');

/** A list of words in one string. */
export const list = (text: string): string => `(?:${text.trim().split(/\s+/).join('|')})`;
