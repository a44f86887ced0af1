import type { Force } from './obligation.js';

/** How one language demands, forbids and advises. Patterns meet a sentence in lower case, its marks and quotes taken out. */
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

/** Words and phrases, whole: no letter, digit or hyphenated part stands beside them. Spaces stand for any white space. */
export const words = (...phrases: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${spaced(phrases.join('|'))})(?![\p{L}\p{N}_]|-\p{L})`, 'u');

const spaced = (pattern: string): string =>
  pattern.replaceAll(' ?', String.raw`\s*`).replaceAll(' ', String.raw`\s+`);

/** The same, every one of them. */
export const everyWord = (...phrases: readonly string[]): RegExp =>
  new RegExp(words(...phrases).source, 'gu');

/** A list of words in one string. */
export const list = (text: string): string => `(?:${text.trim().split(/\s+/).join('|')})`;
