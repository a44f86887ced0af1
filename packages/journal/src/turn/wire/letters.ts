import type { SourceRow } from '../shape.js';

/** Words of a fixed list as single letters. A letter never changes its word: records live longer than code. */
export interface Letters<Word extends string> {
  letter(word: string): string | undefined;
  word(letter: string): Word | undefined;
}

function lettersOf<Word extends string>(table: Readonly<Record<Word, string>>): Letters<Word> {
  const words = new Map(Object.entries(table).map(([word, letter]) => [letter as string, word as Word]));
  return {
    letter: (word) => (Object.hasOwn(table, word) ? table[word as Word] : undefined),
    word: (letter) => words.get(letter),
  };
}

export const ROLE = lettersOf({ system: 's', user: 'u', assistant: 'a', tool: 't' });
export const REASON = lettersOf({ done: 'd', error: 'e', aborted: 'a', timeout: 't', refused: 'r' });
export const CHANNEL = lettersOf({ http: 'h', stdin: 'i', argv: 'v' });
export const RUNNER = lettersOf({ caller: 'c', agent: 'a' });

const KIND = lettersOf({
  file: 'f',
  value: 'v',
  variable: 'n',
  input: 'i',
  result: 'r',
  shipped: 's',
  structure: 't',
  redaction: 'x',
});
const TRUST = lettersOf({
  platform: 'p',
  author: 'a',
  operator: 'o',
  user: 'u',
  agent: 'g',
  tool: 't',
  external: 'e',
});
const SECRECY = lettersOf({ public: 'p', confidential: 'c', secret: 's' });
const VOLATILITY = lettersOf({ build: 'b', deploy: 'd', session: 's', turn: 't' });

/** Kind, trust, secrecy and volatility in four letters; undefined when a word is not in the lists. */
export function labelLetters([{ kind }, trust, secrecy, volatility]: SourceRow): string | undefined {
  const letters = [
    KIND.letter(kind),
    TRUST.letter(trust),
    SECRECY.letter(secrecy),
    VOLATILITY.letter(volatility),
  ];
  return letters.includes(undefined) ? undefined : letters.join('');
}

/** The four words again; undefined where a letter means nothing. */
export function labelWords(letters: string): ReturnType<typeof readLabels> {
  const known = READ.get(letters);
  if (known !== undefined) return known;
  const words = readLabels(letters);
  if (letters.length === 4 && !Object.values(words).includes(undefined)) READ.set(letters, words);
  return words;
}

/** A long prompt has thousands of rows with the same few letters. Only letters that mean something are kept. */
const READ = new Map<string, ReturnType<typeof readLabels>>();

const readLabels = (letters: string) => ({
  kind: KIND.word(letters.charAt(0)),
  trust: TRUST.word(letters.charAt(1)),
  secrecy: SECRECY.word(letters.charAt(2)),
  volatility: VOLATILITY.word(letters.charAt(3)),
});
