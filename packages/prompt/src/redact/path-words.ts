import { isAlnum, isInner, isLetter, isLower, isSeparator, isSpace } from './chars.js';

/** A name with spaces is at most this many words, each at most this long. */
const WORDS_MAX = 5;
const WORD_MAX = 80;

/**
 * The place up to which a path that met the space at `at` surely goes on, or -1 when it ends there. It goes
 * on when a later word has a separator inside (`/Users/q/My Documents/plan.md`), or when capitalised words
 * end in a file name (`/Users/q/Quarterly Plan v2.md`), and no word between belongs to a sentence.
 */
export function continueAfterSpace(text: string, at: number, start: number): number {
  if (endsInFile(text, start, at)) return -1;
  let allCapital = true;
  let from = at + 1;
  for (let count = 0; count < WORDS_MAX; count += 1) {
    const end = wordEnd(text, from);
    if (end === from || end - from >= WORD_MAX || startsPath(text, from) || isOperator(text, from, end))
      return -1;
    const separator = separatorIn(text, from, end);
    if (separator !== -1) return isOwnWord(text, from, separator, end) ? separator : -1;
    const bare = withoutPunctuation(text, from, end);
    if (isFileName(text, from, bare)) return allCapital ? bare : -1;
    if (text.charCodeAt(end) !== 32 || STOP_WORDS.has(text.slice(from, bare).toLowerCase())) return -1;
    const last = text.charCodeAt(end - 1);
    if (end !== bare && last !== 44 && last !== 41) return -1;
    if (isLower(text.charCodeAt(from)) || end !== bare) allCapital = false;
    from = end + 1;
  }
  return -1;
}

/** Something that starts a path of its own stands at `at`. */
export function isNewPath(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (isSeparator(code) || code === 126 || code === 64 || code === 36) return true;
  if (code === 46) return isSeparator(next) || (next === 46 && isSeparator(text.charCodeAt(at + 2)));
  if (isLetter(code) && next === 58 && isSeparator(text.charCodeAt(at + 2))) return true;
  return /^[a-z][a-z+.-]{1,20}:\/\//i.test(text.slice(at, at + 26));
}

/** A path of its own, in brackets or not: `(x86)\y` goes on with a name, `(\\host\y)` begins one. */
function startsPath(text: string, from: number): boolean {
  const code = text.charCodeAt(from);
  return isNewPath(text, code === 40 || code === 91 || code === 123 ? from + 1 : from);
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < WORD_MAX) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === 34 || code === 96 || code === 60 || code === 62 || code === 124) break;
    at += 1;
  }
  return at;
}

/** Flags, redirections, comparisons: part of a command, not of a name. A lone `-`, `&` or `+` may be a name's. */
function isOperator(text: string, from: number, end: number): boolean {
  const first = text.charCodeAt(from);
  if (isAlnum(first) || first > 127 || first === 40 || first === 95 || first === 91 || isInner(first))
    return false;
  return !(end - from === 1 && (first === 45 || first === 38 || first === 43));
}

/** The first separator inside the word, not one that spells a line break. */
function separatorIn(text: string, from: number, end: number): number {
  for (let at = from + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 47) return at;
    if (code === 92 && at + 1 < end && !/[nrt]$/.test(text.charAt(at + 1))) return at;
  }
  return -1;
}

/** False for words that have separators of their own: `and/or`, `24/7`, `src/main.ts`, `x://y`. */
function isOwnWord(text: string, from: number, separator: number, end: number): boolean {
  const first = text.slice(from, separator).toLowerCase();
  if (SOURCE_FOLDERS.has(first) || STOP_WORDS.has(first) || /[=:]/.test(first)) return false;
  const second = text.slice(separator + 1, end).toLowerCase();
  if (/^[\d.,]+$/.test(first) && /^[\d.,]+$/.test(second)) return false;
  return !PAIRS.has(`${first}/${second.replace(/[^a-z].*$/, '')}`);
}

function withoutPunctuation(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && /[.,;:!?)\]}'。，、]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** A word with an extension: `v2.md`. */
function isFileName(text: string, from: number, end: number): boolean {
  const word = text.slice(from, end);
  return /[^.]\.[A-Za-z][A-Za-z0-9]{0,5}$/.test(word) && !/^(?:e\.g|i\.e|etc|vs|www\.)/i.test(word);
}

/** The path before the space already names a file. */
function endsInFile(text: string, start: number, end: number): boolean {
  const segment = text.slice(Math.max(start, end - 40), end);
  return /[^./\\\s]\.[A-Za-z][A-Za-z0-9]{0,5}[,;:)]*$/.test(segment);
}

/** Words that belong to the sentence around a path. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being but by can cannot could ' +
    'did do does done during each either else error exists fails failed failing find for found from get gets got had ' +
    'has have having he her here his how i if in instead into is it its just like made make may me might more must my ' +
    'needs no nor not now of off on once only or our out over please returns run runs said same see shall she should ' +
    'since so some such than that the their them then there these they this those through to too under until up us ' +
    'use used uses using via was we were what when where which while who why will with within without would you your'
  ).split(' '),
);

const SOURCE_FOLDERS: ReadonlySet<string> = new Set(
  (
    'src lib libs dist build out bin docs doc test tests spec specs app apps packages package pkg internal cmd scripts ' +
    'script tools examples example node_modules vendor include config configs public assets static api server client ' +
    'web components pages utils core modules module artifacts steps https http feature features fix release refs ' +
    'origin heads tmp target resources templates types .github .git'
  ).split(' '),
);

const PAIRS: ReadonlySet<string> = new Set(
  'and/or either/or n/a w/o i/o r/w read/write yes/no on/off true/false input/output he/she his/her tcp/ip a/b'.split(
    ' ',
  ),
);
