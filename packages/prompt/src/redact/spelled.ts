import { entityPoint } from './entities.js';
import { behind, type HeldText, rewritten } from './reading.js';

/**
 * What a credential stands in may be spelled like the rest of an address, a page or a string literal: `password%3A%20x`,
 * `&quot;token&quot;: &quot;x&quot;`, `\u0022key\u0022`. These are the readings in which every such sign is what it means,
 * a level of spelling each; none for a text that spells nothing. The shadow undoes the same signs one by one and keeps what
 * they spell within words, as paths need it; here a blank is a blank.
 */
export function spelledTexts(source: string): readonly HeldText[] {
  if (!SPELLED.test(source)) return [];
  return [...levels(source, SIGN), ...(isForm(source) ? levels(source, SIGN_OF_FORM) : [])];
}

/** Spelled over and over, and then no more. */
const LEVELS = 3;

function levels(source: string, sign: RegExp): readonly HeldText[] {
  const readings: HeldText[] = [];
  let last = rewritten(source, sign, meaningOf);
  while (last !== undefined) {
    readings.push(last);
    if (readings.length === LEVELS || !(SPELLED.test(last.text) || QUOTE.test(last.text))) break;
    const next = rewritten(last.text, SIGN, meaningOf);
    last = next && behind(last, next);
  }
  return readings;
}

/** Something besides letters, digits and what every string literal has (`\n`, `\"`). */
const SPELLED =
  /%(?:0[AaDd]|2\d|2[A-Fa-f]|3[A-Fa-f]|[57][B-Eb-e])|&(?:#[xX\d]|(?:quot|apos|amp|lt|gt|equals|colon);)|\\(?:u00|u\{|U0000|x[2-7]|0[4-7][0-7]|1[0-7]{2}|\\[\\"'])/;

/** A quote of a string literal, once what is around it is read. */
const QUOTE = /\\["']/;

const SIGN =
  /%(?:0[AaDd9]|[2-7][\dA-Fa-f])|&(?:#[xX][\dA-Fa-f]{1,6}|#\d{1,7}|quot|apos|amp|lt|gt|equals|colon|comma|lcub|rcub|lsqb|rsqb|lpar|rpar|semi|sol|bsol|excl|quest|commat|num|percnt|lowbar|hyphen|nbsp|Tab|NewLine|period|plus|dollar|ast);|\\(?:u00[0-7][\dA-Fa-f]|u\{0{0,4}[2-7][\dA-Fa-f]\}|U000000[2-7][\dA-Fa-f]|x[2-7][\dA-Fa-f]|0[4-7][0-7]|1[0-7]{2}|[nrt"'\\/])/g;

/** In a form a plus is a blank: near a sign of an address in the same word. */
const FORM = /%[\dA-Fa-f]{2}[^\s%+]{0,60}\+|\+[^\s%+]{0,60}%[\dA-Fa-f]{2}/;
const BLANK = String.raw`\+(?:(?<=%[\dA-Fa-f]{2}[^\s%]{0,60})|(?=[^\s%]{0,60}%[\dA-Fa-f]{2}))`;
const SIGN_OF_FORM = new RegExp(`${SIGN.source}|${BLANK}`, 'g');
const isForm = (source: string): boolean => source.includes('+') && source.includes('%') && FORM.test(source);

function meaningOf(sign: string): string {
  switch (sign.charAt(0)) {
    case '+':
      return ' ';
    case '%':
      return shown(Number.parseInt(sign.slice(1), 16));
    case '&':
      return shown(entityPoint(sign.slice(1, -1)));
    default:
      return escaped(sign.slice(1));
  }
}

function escaped(rest: string): string {
  if (rest.length === 1) return LETTERS[rest] ?? rest;
  if (/^[01]/.test(rest)) return shown(Number.parseInt(rest, 8));
  return shown(Number.parseInt(rest.replaceAll(/[uUx{}]/g, ''), 16));
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** One character; one that stands for nothing in a text is unknown. */
function shown(point: number): string {
  if (point === 0xa0) return ' ';
  const isText = point >= 32 || point === 9 || point === 10 || point === 13;
  return isText && point <= 0xffff ? String.fromCharCode(point) : '\ufffd';
}
