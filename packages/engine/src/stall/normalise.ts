/**
 * A text without what changes although nothing happens: case, white space, digits, timestamps, hashes and ids.
 * Two texts of different words stay different. Linear in the text.
 */
export function normalise(text: string): string {
  return text
    .replace(/[\p{L}\p{N}]+(?:[-_:+.][\p{L}\p{N}]+)*/gu, foldToken)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(NUMBERS, '#')
    .trim();
}

/**
 * A status without the moment at which it was told: points in time, times of day and durations. Its other numbers stay.
 * A text of several lines stays as it is: there times are what was read, such as those of a log. Linear in the text.
 */
export function foldMoments(text: string): string {
  if (text.trim().includes('\n')) return text;
  return text.replace(MOMENT, '#').replace(CLOCK, '#').replace(DURATION, '#');
}

/** The numbers of a text that stand alone: no part of an id, a time or a name, and no point in time. Linear in the text. */
export const figuresOf = (text: string): string => figures(text).join(' ');
const figures = (text: string): readonly string[] =>
  foldMoments(text).replace(WRITTEN_DATE, '#').match(FIGURE) ?? [];
const FIGURE =
  /(?<![\p{L}\p{N}_.#-]|\p{L}:|\p{N}:|(?<!["'\p{L}\p{N}]):)(?!1\d{9}(?:\d{3})?(?!\d))(?:\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,15})?|\d{1,15}(?:[.,]\d{1,15})?)(?=[kMGT]?i?B\b|(?![\p{L}\p{N}_:-]|[.,]\d))/gu;

/** The first of them as numbers. */
export const countsOf = (text: string): readonly number[] =>
  figures(text)
    .slice(0, COUNTS)
    .map((figure) => Number(figure.replace(/,(?=\d{3})/g, '').replace(',', '.')));
const COUNTS = 8;

/** Whether a text is lines of a log: most of them begin with a moment of their own. A status tells one. */
export function isLog(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const told = new Set(lines.flatMap((line) => LINE_MOMENT.exec(line)?.[0] ?? []));
  return told.size > 1 && told.size * 2 >= lines.length;
}
const LINE_MOMENT = /^[[(<]?(?:\d{4}-\d\d-\d\d[ tT])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?/;

const MOMENT = /\b\d{4}-\d\d-\d\d[ tT]\d\d:\d\d(?::\d\d)?[\d.+:zZ-]*/g;
const CLOCK = /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g;
const DURATION =
  /\b\d{1,12}(?:\.\d{1,9})? ?(?:[mnu\u00b5]?s|secs?|seconds?|mins?|minutes?|milliseconds?)\b/gi;

/** A word, a name, a number: whole when it has no digit, `#` when it is a number or an id, else with its digits folded. */
function foldToken(token: string): string {
  if (isLongHex(token)) return '#';
  if (!/\p{N}/u.test(token)) return token;
  if (isTime(token) || isHexGroups(token)) return '#';
  const kind = /^[a-z]{1,12}_/.exec(token)?.[0] ?? '';
  if (isMixed(token.slice(kind.length))) return `${kind}#`;
  return token
    .split(/([-_:+.])/)
    .map(foldPart)
    .join('');
}

/** Random ids mix letters and digits several times over; names such as `file12` or `utf8` do so once. */
function foldPart(part: string): string {
  if (!/\p{N}/u.test(part)) return part;
  const groups = part.match(/\p{N}+/gu)?.length ?? 0;
  if (groups > 1 && part.length >= 6) return '#';
  if (/^[0-9a-f]{7,}$/i.test(part)) return '#';
  return part.replace(/\p{N}+/gu, '#');
}

const isTime = (token: string): boolean => /^\d{4}-\d\d-\d\d[tT][\d:.+\-zZ]+$/.test(token);

/** No word has so many letters of a to f only. */
const isLongHex = (token: string): boolean => /^[0-9a-f]{12,}$/i.test(token);

/** Letters of both cases and digits in turns, as random letters have them and names have not. */
function isMixed(token: string): boolean {
  if (token.length < 12) return false;
  const changes = token.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[a-zA-Z])/g)?.length ?? 0;
  return changes * 3 >= token.length;
}

/** The form of a UUID. */
const isHexGroups = (token: string): boolean =>
  token.includes('-') && token.split('-').every((part) => /^[0-9a-f]{4,}$/i.test(part));

const DAY =
  'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

/** A day of a month that is written as a word: `21 Sep 2026`, `September 21, 2026`, `Sep 21`. */
const WRITTEN_DATE = new RegExp(
  `\\b(?:\\d{1,2}(?:st|nd|rd|th)?[ -](?:${MONTH})\\b|(?:${MONTH})\\.? \\d{1,2}(?:st|nd|rd|th)?\\b)(?:,?[ -]\\d{4}\\b)?`,
  'gi',
);

/**
 * Numbers in a row, with the words of a date or a time of day between and beside them. Alone those are words.
 * Few of them count before a number, so that a text of nothing else is looked at once.
 */
const NUMBERS = new RegExp(
  `(?:\\b(?:${DAY}|${MONTH})[.,]? ){0,3}#(?:[ .,:/+-]*#|,? (?:${DAY}|${MONTH}|gmt|utc)\\b\\.?| ?[ap]\\.?m\\b\\.?)*`,
  'g',
);
