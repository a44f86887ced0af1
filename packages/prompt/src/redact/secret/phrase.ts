import { type Sign, signOf } from '../sign.js';
import { holds } from '../survey.js';
import type { SecretRange } from './secret-value.js';

const SAID = `(?:(?:seed|recovery|secret|backup|wallet)[ _-]?(?:phrase|words)|mnemonic(?:[ _-]?phrase)?)["']?(?: (?:is|was|words?))?`;
const WORD = String.raw`(?:\d{1,2}[.)] ?)?["']?[a-z]{3,8}["']?`;

/** Words that announce what recovers a wallet or an account: a sign that is looked for first, and the whole. */
const ROWS: readonly (readonly [sign: Sign, pattern: RegExp])[] = [
  ...[
    'phrase',
    'PHRASE',
    'MNEMONIC',
    'nemonic',
    'seed word',
    'ecovery word',
    'wallet word',
    'secret word',
  ].map((word) => [signOf(word), phraseOf()] as const),
  [signOf('Recovery cod'), codesOf()],
  [signOf('Backup cod'), codesOf()],
  [signOf('2FA'), groupsOf()],
  [signOf('TOTP'), groupsOf()],
];

/** Twelve words and more of a list that has no small ones, all in one line, or one to a line, numbered or not. */
function phraseOf(): RegExp {
  const oneLine = `(?:${WORD}[ \\t,]{1,4}){11,23}${WORD}(?![ \\t,]{0,4}[a-z])`;
  const lines = String.raw`(?:${WORD},?[ \t]{0,4}\r?\n[ \t]{0,8}){11,23}${WORD}`;
  return new RegExp(String.raw`${SAID}\s{0,3}[:=]?\s{0,3}["'\x60[]?(${oneLine}|${lines})`, 'gi');
}

/** Codes of one use: groups of digits and letters. */
function codesOf(): RegExp {
  return /(?:recovery|backup) codes?(?: are)?\s{0,2}:?\s{0,3}((?:(?=[a-z-]{0,12}\d)[0-9a-z]{3,8}(?:[- ][0-9a-z]{3,8}){1,3}[\s,;]{0,4}){2,20})/gi;
}

/** The seed of a second factor in groups of four, as a page shows it to people. */
function groupsOf(): RegExp {
  return /(?:2FA|TOTP)[\w ]{0,24}[:=]\s{0,3}["'`]?((?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4})(?![A-Za-z0-9])/g;
}

/** The same as far as a text goes that goes on. */
const BEGUN: readonly RegExp[] = [
  new RegExp(
    String.raw`${SAID}\s{0,3}[:=]?\s{0,3}["'\x60[]?((?:${WORD}[\s,]{1,10}){0,24}(?:\d{1,2}(?:[.)] ?)?)?["']?[a-z]{0,8}["']?)$`,
    'i',
  ),
  /(?:recovery|backup) codes?(?: are)?\s{0,2}:?\s{0,3}((?:[0-9a-z]{3,8}[-\s,;]{1,4}){0,80}[0-9a-z]{0,8})$/i,
  /(?:2FA|TOTP)[\w ]{0,24}[:=]\s{0,3}["'`]?((?:[A-Z2-7]{4}[ -]){0,16}[A-Z2-7]{0,4})$/,
];
const BEGUN_MAX = 900;

/** Where a phrase or codes begin that may go on in what follows the text, or the text's length. */
export function openPhraseAt(text: string): number {
  const from = Math.max(0, text.length - BEGUN_MAX);
  const tail = text.slice(from);
  if (!/phrase|words|mnemonic|codes?\b|2FA|TOTP/i.test(tail)) return text.length;
  const least = BEGUN.map((pattern) => {
    const words = pattern.exec(tail)?.[1] ?? '';
    return SENTENCE.test(words) ? text.length : text.length - words.length;
  });
  return Math.min(...least);
}

/** No list of words for wallets has them: a sentence about phrases. */
const SENTENCE = /\b(?:the|and|are|for|you|your|with|from|not|was|were|has|which|words)\b/i;

/** One line of words: as many as a phrase of a wallet has are a multiple of three. */
const isWordy = (text: string): boolean => !/[\d\n]/.test(text);

/** Phrases, codes and seeds that give an account back to whoever has them. */
export function phraseSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  for (const [sign, pattern] of ROWS) {
    if (!holds(text, sign)) continue;
    for (const { 0: whole, 1: words = '', index } of text.matchAll(pattern)) {
      const secret = words.trimEnd().replace(/[,;]+$/, '');
      if (SENTENCE.test(secret) || (isWordy(secret) && secret.split(/[\s,]+/).length % 3 !== 0)) continue;
      const start = index + whole.length - words.length;
      found.push({ start, end: start + secret.length });
    }
  }
  return found;
}
