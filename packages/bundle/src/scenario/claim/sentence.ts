import { markNames, NAME, type NamePatterns, PART } from './names.js';

/**
 * A text as the grammar of claims reads it: names as marks, words in small letters, and of the punctuation only where
 * a sentence ends (`.`), a line (`|`), a part of a sentence (`,`), what is introduced (`:`) and what is quoted (`"`).
 */
export function sentencesOf(text: string, { whole, part }: NamePatterns): string {
  let read = text
    .toLowerCase()
    .replaceAll(NAME, ' ')
    .replaceAll(PART, ' ')
    .replace(/\b(dr|mr|mrs|ms|prof|st)\./gu, '$1');
  read = markNames(read, whole, NAME);
  if (part) read = markNames(read, part, PART);
  for (const [from, to] of SHORT) read = read.replace(from, to);
  for (const [from, to] of MARKS) read = read.replace(from, to);
  return ` ${read.replace(/ +/g, ' ').trim()} `;
}

/** Short forms of English, and of French where they stand before a name. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/(?<=[§¤] ?)'s?(?![\p{L}])/gu, ' s'],
  [/\bi ?'? ?m\b(?!')/gu, 'i am'],
  [/\b(it|that|this|he|she|what|who|here|there|name|host)'s\b/gu, '$1 is'],
  [/(?<![\p{L}])'?(?:tis|twas)\b/gu, 'it is'],
  [/\b(you|we|they)'re\b/gu, '$1 are'],
  [/\b(\p{L}+)n't\b/gu, '$1 not'],
  [/\b(i|you|we|they|he|she)'(?:ve|d|ll)\b/gu, '$1'],
];

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/\s*[\n\r\u2028\u2029]\s*/gu, ' | '],
  [/[.!?。！？…]+/gu, ' . '],
  [/[,;，、；()（）[\]—–]|(?<=\s)-+(?=\s|[§¤])|^-+/gu, ' , '],
  [/[:：]/gu, ' : '],
  [/["“”„«»「」『』‹›]|(?<![\p{L}\p{N}§¤])'|'(?![\p{L}\p{N}])/gu, ' " '],
  [/[^\p{L}\p{M}\p{N}§¤.,:"'|]+/gu, ' '],
];
