import { guard } from '@cuebook/guard';
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
