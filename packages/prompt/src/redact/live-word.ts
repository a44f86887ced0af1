import { guard } from '../guard.js';
import type { LeakContext } from './leak-context.js';
import type { Redactor } from './redactor.js';
import { FAMILIES } from './secret/families.js';

/**
 * Where the last word of a text that goes on may be told up to, although nobody knows yet how it goes on: a short
 * word of letters that is the beginning of no known value and of no token, and that nothing before it says is one.
 * `from` is where the word begins.
 */
export function wordEnd(redactor: Redactor, text: string, from: number): number {
  const word = text.slice(from);
  if (!WORD.test(word) || !guard('live.word', !isBeginning(redactor, text, from))) return from;
  return from + (redactor.begins?.(word) ?? word.length);
}

/** Whether a text ends in a word of letters, and what closes a sentence. */
export const endsInWord = (text: string): boolean => LAST.test(text.slice(-32));
/** As words are written: a token has capitals in its middle soon. */
const LETTERS = '(?:\\p{Lu}?[\\p{Ll}\\p{Lo}]{1,16}|\\p{Lu}{1,6})[.,;!?)\u2026]{0,3}$';
const LAST = new RegExp(`(?:^|\\s)${LETTERS}`, 'u');
const WORD = new RegExp(`^${LETTERS}`, 'u');

/** Whether the word would be private if it went on as the tokens of anybody do. */
function isBeginning(redactor: Redactor, text: string, from: number): boolean {
  const word = text.slice(from).replace(/\P{L}+$/u, '');
  const isPrefix = PREFIXES.some((prefix) => prefix.startsWith(word) || word.startsWith(prefix));
  return isPrefix || PROBES.some((probe) => redactor.find(text + probe).some(({ end }) => end > from));
}

/** What tokens of a known form begin with, where that is fixed. */
const PREFIXES: readonly string[] = [
  ...new Set(FAMILIES.flatMap(({ parts: [first] }) => (first?.kind === 'fixed' ? [first.text] : []))),
];

/** Ways to go on, one for each kind of value that a text can announce. */
const PROBES: readonly string[] = [
  'Q7kZ2xW9vT4mB8cLr5nHd1sJg6pYa3fE0uVi',
  '_q7Kz2Xw9Vt4Mb8ClR5NhD1SjG6PyA3Fe0Uv',
  '-Q7kZ2xW9vT4mB8cLr5nHd1sJg6pYa3fE0uV@example.com/',
];

/**
 * How much of a word is certainly not the beginning of something known. A known value may begin inside a word; one or
 * two characters that could begin one are too common there to be held back.
 */
export function beginsOf({ roots, private: folders, names, credentials = [] }: LeakContext) {
  const values = [...roots.map(([, path]) => path), ...folders, ...names, ...credentials];
  const known = values.flatMap((value) => [value, base64(value)]).map((value) => value.toLowerCase());
  return (word: string): number => {
    const small = word.toLowerCase();
    for (let at = 0; at < small.length; at += 1) {
      const rest = small.slice(at);
      if (at > 0 && rest.length < 3) break;
      if (known.some((value) => value.startsWith(rest) || rest.startsWith(value))) return at;
    }
    return word.length;
  };
}

/** Only the beginning matters, and only that of letters: what is beyond ASCII is not told in words of letters alone. */
const base64 = (value: string): string => {
  const bytes = String.fromCharCode(...[...value.slice(0, 24)].map((char) => char.charCodeAt(0) & 0xff));
  return btoa(bytes).replace(/.{0,2}=*$/, '');
};
